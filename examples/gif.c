/* SPDX-License-Identifier: BSD-3-Clause */
#include "gif.h"

#include <string.h>

/* Of the format: codes below CLEAR are colours; a dictionary has at most MOST_CODES. */
enum { COLOUR_BITS = 2, CLEAR = 1 << COLOUR_BITS, END, FIRST, MOST_CODES = 4096, BLOCK = 255 };

/* Codes as bits, the lowest first, in blocks that begin with their length. */
typedef struct packer {
    FILE *file;
    uint32_t bits;
    int count; /* of bits, */
    int bytes; /* and in the block */
    uint8_t block[BLOCK];
} packer;

static void put_word(FILE *file, int64_t value)
{
    fputc((int)(value & 0xff), file);
    fputc((int)(value >> 8 & 0xff), file);
}

static void flush(packer *p)
{
    if (!p->bytes)
        return;
    fputc(p->bytes, p->file);
    fwrite(p->block, 1, (size_t)p->bytes, p->file);
    p->bytes = 0;
}

static void put_byte(packer *p)
{
    p->block[p->bytes++] = (uint8_t)p->bits;
    p->bits >>= 8;
    p->count -= 8;
    if (p->bytes == BLOCK)
        flush(p);
}

static void put_code(packer *p, int code, int width)
{
    p->bits |= (uint32_t)code << p->count;
    p->count += width;
    while (p->count >= 8)
        put_byte(p);
}

/* LZW with a dictionary of strings of two colours: child[code][colour] is the string with that
 * colour behind it, 0 if there is none. */
typedef struct encoder {
    packer out;
    uint16_t child[MOST_CODES][2];
    int next, width; /* the next string's code; bits of a code */
    int string;      /* what has come of the present one, -1: nothing */
} encoder;

static void restart(encoder *e)
{
    put_code(&e->out, CLEAR, e->width);
    memset(e->child, 0, sizeof e->child);
    e->next = FIRST;
    e->width = COLOUR_BITS + 1;
}

static void put_colour(encoder *e, int colour)
{
    if (e->string < 0) {
        e->string = colour;
        return;
    }
    if (e->child[e->string][colour]) {
        e->string = e->child[e->string][colour];
        return;
    }
    put_code(&e->out, e->string, e->width);
    if (e->next == MOST_CODES) {
        restart(e);
    } else {
        e->child[e->string][colour] = (uint16_t)e->next;
        e->width += e->next == 1 << e->width;
        e->next++;
    }
    e->string = colour;
}

static void finish(encoder *e)
{
    put_code(&e->out, e->string, e->width);
    put_code(&e->out, END, e->width);
    if (e->out.count > 0)
        put_byte(&e->out);
    flush(&e->out);
    fputc(0, e->out.file);
}

gif gif_open(const char *path, int64_t width, int64_t height, int zoom, int delay)
{
    static const uint8_t table[] = {0x80, 0, 0, 0xf7, 0xf7, 0xf7, 0x22, 0x33, 0x66};
    static const char loop[] = "\x21\xff\x0bNETSCAPE2.0\x03\x01";
    gif g = {outfile_open(path), width, height, zoom, delay};

    if (!g.out.file)
        return g;
    fputs("GIF89a", g.out.file);
    put_word(g.out.file, width * zoom);
    put_word(g.out.file, height * zoom);
    fwrite(table, 1, sizeof table, g.out.file);
    fwrite(loop, 1, sizeof loop - 1, g.out.file);
    put_word(g.out.file, 0); /* for ever */
    fputc(0, g.out.file);
    return g;
}

void gif_frame(gif *g, const int8_t *cells)
{
    static encoder e;
    FILE *file = g->out.file;

    if (!file)
        return;
    fputs("\x21\xf9\x04", file);
    fputc(0, file);
    put_word(file, g->delay);
    put_word(file, 0);
    fputc(0x2c, file);
    put_word(file, 0);
    put_word(file, 0);
    put_word(file, g->width * g->zoom);
    put_word(file, g->height * g->zoom);
    fputc(0, file);
    fputc(COLOUR_BITS, file);
    e = (encoder){.out = {.file = file}, .width = COLOUR_BITS + 1, .string = -1};
    restart(&e);
    for (int64_t y = 0; y < g->height * g->zoom; y++)
        for (int64_t x = 0; x < g->width * g->zoom; x++)
            put_colour(&e, cells[y / g->zoom * g->width + x / g->zoom]);
    finish(&e);
}

int gif_close(gif *g)
{
    if (g->out.file)
        fputc(0x3b, g->out.file);
    return outfile_close(&g->out, 1);
}
