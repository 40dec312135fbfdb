/* SPDX-License-Identifier: BSD-3-Clause */
/* A gnuplot that draws one picture. */
#ifndef GNUPLOT_H
#define GNUPLOT_H

#include <stdio.h>

/* Takes commands; the picture goes to `path`. NULL if there is no gnuplot. */
FILE *gnuplot_open(const char *path, int width, int height);

/* 1 if all went well. */
int gnuplot_close(FILE *gnuplot);

#endif
