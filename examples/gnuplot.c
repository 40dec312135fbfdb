/* SPDX-License-Identifier: BSD-3-Clause */
#include "gnuplot.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

static void (*before)(int);

FILE *gnuplot_open(const char *path, int width, int height)
{
    FILE *gnuplot;

    if (system("command -v gnuplot >/dev/null 2>&1"))
        return NULL;
    before = signal(SIGPIPE, SIG_IGN); /* gnuplot may end before it read all */
    gnuplot = popen("gnuplot >/dev/null 2>&1", "w");
    if (!gnuplot) {
        signal(SIGPIPE, before);
        return NULL;
    }
    fprintf(gnuplot,
            "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {\n"
            "  set terminal pngcairo size %d,%d font 'sans,15'\n"
            "} else {\n"
            "  set terminal png size %d,%d\n"
            "}\n"
            "set output '%s'\n"
            "set encoding utf8\n",
            width, height, width, height, path);
    return gnuplot;
}

int gnuplot_close(FILE *gnuplot)
{
    const int status = pclose(gnuplot);

    signal(SIGPIPE, before);
    return status == 0;
}
