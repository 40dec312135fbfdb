/* SPDX-License-Identifier: BSD-3-Clause */
#include "gnuplot.h"

#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "cli.h"

/* A text between single quotes, as gnuplot reads it. */
static void print_quoted(FILE *file, const char *text)
{
    fputc('\'', file);
    for (; *text; text++)
        fprintf(file, *text == '\'' ? "''" : "%c", *text);
    fputc('\'', file);
}

int gnuplot_open(gnuplot *g, const char *path, int width, int height)
{
    if (system("command -v gnuplot >/dev/null 2>&1"))
        return 0;
    g->picture = outfile_open(path);
    g->commands = g->picture.file ? popen("gnuplot >/dev/null 2>&1", "w") : NULL;
    if (!g->commands)
        return 1;
    fprintf(g->commands,
            "if (strstrt(GPVAL_TERMINALS, 'pngcairo')) {\n"
            "  set terminal pngcairo size %d,%d font 'sans,15'\n"
            "} else {\n"
            "  set terminal png size %d,%d\n"
            "}\n"
            "set encoding utf8\nset output ",
            width, height, width, height);
    print_quoted(g->commands, outfile_place(&g->picture));
    fprintf(g->commands, "\n");
    return 1;
}

/* gnuplot does not say so when the disk is full: a whole PNG ends with this. */
static int is_whole(FILE *picture)
{
    static const char end[] = "IEND\xae\x42\x60\x82";
    char found[sizeof end - 1];

    return !fseek(picture, -(long)sizeof found, SEEK_END) &&
           fread(found, sizeof found, 1, picture) == 1 && !memcmp(found, end, sizeof found);
}

int gnuplot_close(gnuplot *g)
{
    const int status = g->commands ? pclose(g->commands) : 0;
    int good;

    if (!g->picture.file)
        return outfile_close(&g->picture, 1);
    good = g->commands && !status && (!g->picture.place || is_whole(g->picture.file));
    if (!good)
        cli_warn("%s could not be drawn: gnuplot failed, or the disk is full", g->picture.path);
    return outfile_close(&g->picture, good);
}
