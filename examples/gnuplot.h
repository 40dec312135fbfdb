/* SPDX-License-Identifier: BSD-3-Clause */
/* A gnuplot that draws one picture. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <stdio.h>

#include "outfile.h"

typedef struct gnuplot {
    FILE *commands;
    outfile picture;
} gnuplot;

/* A picture that goes to `path`: 0 if there is no gnuplot. */
int gnuplot_open(gnuplot *g, const char *path, int width, int height);

/* 1 if the picture is there and whole; otherwise says why not and leaves `path` as it was. */
int gnuplot_close(gnuplot *g);

#endif
