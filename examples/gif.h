/* SPDX-License-Identifier: BSD-3-Clause */
/* Animated pictures of cells, dark on light: GIF89a. */
#ifndef GIF_H
#define GIF_H

#include <stdint.h>

#include "outfile.h"

typedef struct gif {
    outfile out;
    int64_t width, height; /* in cells, */
    int zoom;              /* of so many pixels each side */
    int delay;             /* of a frame, in 1/100 s */
} gif;

enum { GIF_MOST_PIXELS = 65535 }; /* of a side */

gif gif_open(const char *path, int64_t width, int64_t height, int zoom, int delay);
/* Cells [row][column], 0 or 1. */
void gif_frame(gif *g, const int8_t *cells);
/* 1 if the file is there and whole; otherwise says why not. */
int gif_close(gif *g);

#endif
