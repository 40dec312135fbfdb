/* SPDX-License-Identifier: BSD-3-Clause */
#include "field_picture.h"

#ifdef HAVE_PNG

#include <math.h>
#include <png.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "outfile.h"

const int field_picture_possible = 1;

/* Pixels. */
enum {
    PANEL = 256, /* the least width of a panel, if a whole number of pixels for a site allows */
    GAP = 16,
    TITLE = 36,
    HEAD = TITLE + 32,
    BAR = 20,
    FOOT = 16,
    ENLARGE = 2, /* letters */
    GLYPH_WIDTH = 5,
    GLYPH_HEIGHT = 7,
    SCALE_WIDTH = BAR + 7 * ENLARGE * (GLYPH_WIDTH + 1)
};

/* What labels need, 5 x 7 points. */
static const struct {
    char letter;
    uint8_t rows[GLYPH_HEIGHT];
} glyphs[] = {
    {'0', {14, 17, 19, 21, 25, 17, 14}}, {'1', {4, 12, 4, 4, 4, 4, 14}},
    {'2', {14, 17, 1, 2, 4, 8, 31}},     {'3', {31, 2, 4, 2, 1, 17, 14}},
    {'4', {2, 6, 10, 18, 31, 2, 2}},     {'5', {31, 16, 30, 1, 1, 17, 14}},
    {'6', {6, 8, 16, 30, 17, 17, 14}},   {'7', {31, 1, 2, 4, 8, 8, 8}},
    {'8', {14, 17, 17, 14, 17, 17, 14}}, {'9', {14, 17, 17, 15, 1, 2, 12}},
    {'-', {0, 0, 0, 31, 0, 0, 0}},       {'+', {0, 4, 4, 31, 4, 4, 0}},
    {'.', {0, 0, 0, 0, 0, 12, 12}},      {'=', {0, 0, 31, 0, 31, 0, 0}},
    {'/', {0, 1, 2, 4, 8, 16, 0}},       {',', {0, 0, 0, 0, 4, 4, 8}},
    {'a', {0, 0, 14, 1, 15, 17, 15}},    {'e', {0, 0, 14, 17, 31, 16, 14}},
    {'g', {0, 13, 19, 17, 15, 1, 14}},   {'l', {12, 4, 4, 4, 4, 4, 14}},
    {'n', {0, 0, 22, 25, 17, 17, 17}},   {'p', {0, 22, 25, 17, 30, 16, 16}},
    {'x', {0, 0, 17, 10, 4, 10, 17}},    {'@', {4, 4, 14, 21, 21, 14, 4}}, /* FIELD_PHI */
    {'u', {0, 17, 17, 17, 19, 29, 16}},                                    /* FIELD_MU */
    {'L', {4, 4, 10, 10, 17, 17, 17}},                                     /* FIELD_LAMBDA */
    {'^', {12, 18, 4, 8, 30, 0, 0}},                                       /* FIELD_SQUARE */
    {'~', {2, 6, 10, 31, 2, 0, 0}},                                        /* FIELD_FOURTH */
};

/* From blue through white to red: C. A. Brewer's RdBu. */
static const uint8_t colours[][3] = {
    {5, 48, 97},     {33, 102, 172},  {67, 147, 195},  {146, 197, 222},
    {209, 229, 240}, {247, 247, 247}, {253, 219, 199}, {244, 165, 130},
    {214, 96, 77},   {178, 24, 43},   {103, 0, 31},
};

enum { COLOURS = sizeof colours / sizeof colours[0] };

typedef struct canvas {
    int width, height;
    uint8_t *pixels;
} canvas;

static void paint(canvas *c, int x, int y, int width, int height, const uint8_t colour[3])
{
    for (int row = y; row < y + height; row++)
        for (int column = x; column < x + width; column++)
            if (row >= 0 && row < c->height && column >= 0 && column < c->width)
                memcpy(c->pixels + 3 * ((size_t)row * (size_t)c->width + (size_t)column), colour,
                       3);
}

static void write_text(canvas *c, int x, int y, const char *text)
{
    static const uint8_t ink[3] = {32, 32, 32};

    for (; *text; text++, x += ENLARGE * (GLYPH_WIDTH + 1))
        for (size_t g = 0; g < sizeof glyphs / sizeof glyphs[0]; g++)
            for (int point = 0; glyphs[g].letter == *text && point < GLYPH_WIDTH * GLYPH_HEIGHT;
                 point++)
                if (glyphs[g].rows[point / GLYPH_WIDTH] >> (GLYPH_WIDTH - 1 - point % GLYPH_WIDTH) &
                    1)
                    paint(c, x + ENLARGE * (point % GLYPH_WIDTH),
                          y + ENLARGE * (point / GLYPH_WIDTH), ENLARGE, ENLARGE, ink);
}

/* `value` from -1 to 1; beyond, the last colours. */
static void colour_of(double value, uint8_t colour[3])
{
    const double place = (fmax(-1, fmin(1, value)) + 1) / 2 * (COLOURS - 1);
    const int low = place < COLOURS - 2 ? (int)place : COLOURS - 2;

    for (int i = 0; i < 3; i++)
        colour[i] = (uint8_t)lround(colours[low][i] +
                                    (place - low) * (colours[low + 1][i] - colours[low][i]));
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* What 99 of 100 magnitudes stay below, rounded up to a tenth. */
static double limit_of(const float *fields, int64_t count)
{
    double *magnitudes = cli_memory(count, sizeof *magnitudes), limit;

    for (int64_t i = 0; i < count; i++)
        magnitudes[i] = fabs((double)fields[i]);
    qsort(magnitudes, (size_t)count, sizeof *magnitudes, ascending);
    limit = magnitudes[count * 99 / 100];
    free(magnitudes);
    return limit > 0 ? ceil(10 * limit) / 10 : 1;
}

static void draw_panel(canvas *c, int left, const float *field, int width, int height, int zoom,
                       double limit)
{
    uint8_t colour[3];

    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            colour_of((double)field[(size_t)y * (size_t)width + (size_t)x] / limit, colour);
            paint(c, left + zoom * x, HEAD + zoom * y, zoom, zoom, colour);
        }
}

static void draw_scale(canvas *c, int left, int height, double limit)
{
    static const double marks[] = {1, 0, -1};
    uint8_t colour[3];
    char text[32];

    write_text(c, left + (BAR - ENLARGE * GLYPH_WIDTH) / 2, HEAD - 12 * ENLARGE, FIELD_PHI);
    for (int y = 0; y < height; y++) {
        colour_of(1 - 2.0 * y / (height - 1), colour);
        paint(c, left, HEAD + y, BAR, 1, colour);
    }
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, marks[i] != 0 ? "%+.1f" : "0", marks[i] * limit);
        write_text(c, left + BAR + GAP / 2, HEAD + i * (height - ENLARGE * GLYPH_HEIGHT) / 2, text);
    }
}

static int write_picture(const char *path, const canvas *c)
{
    png_image image = {.version = PNG_IMAGE_VERSION,
                       .format = PNG_FORMAT_RGB,
                       .width = (png_uint_32)c->width,
                       .height = (png_uint_32)c->height};
    outfile file = outfile_open(path);

    if (file.file)
        png_image_write_to_stdio(&image, file.file, 0, c->pixels, 0, NULL);
    png_image_free(&image);
    return outfile_close(&file, 1);
}

int field_picture_draw(const char *path, const char *title, const float *fields, const double *mu2,
                       int count, int width, int height)
{
    const int zoom = width < PANEL ? (PANEL + width - 1) / width : 1;
    const int panel = zoom * width + GAP;
    const int64_t plane = (int64_t)width * height;
    const double limit = limit_of(fields, count * plane);
    canvas c = {GAP + count * panel + SCALE_WIDTH + GAP, HEAD + zoom * height + FOOT, NULL};
    int written;

    c.pixels = cli_memory((int64_t)c.width * c.height, 3);
    memset(c.pixels, 255, (size_t)c.width * (size_t)c.height * 3);
    write_text(&c, GAP, (TITLE - ENLARGE * GLYPH_HEIGHT) / 2, title);
    for (int i = 0; i < count; i++) {
        char text[32];

        snprintf(text, sizeof text, FIELD_MU FIELD_SQUARE " = %.4f", mu2[i]);
        write_text(&c, GAP + i * panel, HEAD - 12 * ENLARGE, text);
        draw_panel(&c, GAP + i * panel, fields + i * plane, width, height, zoom, limit);
    }
    draw_scale(&c, GAP + count * panel, zoom * height, limit);
    written = write_picture(path, &c);
    free(c.pixels);
    return written;
}

#else

const int field_picture_possible = 0;

int field_picture_draw(const char *path, const char *title, const float *fields, const double *mu2,
                       int count, int width, int height)
{
    (void)path, (void)title, (void)fields, (void)mu2, (void)count, (void)width, (void)height;
    return 0;
}

#endif
