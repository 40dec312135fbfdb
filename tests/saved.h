/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Saved lattices as doc/format.md describes them, without the library's own code for them but
 * XXH64: taken apart, put together, and with their sums made right again, as only malice does.
 */
#ifndef LM_TESTS_SAVED_H
#define LM_TESTS_SAVED_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/checksum.h"

enum { SAVED_FIXED = 24, SAVED_ENTRY = 32, SAVED_SUM = 8, SAVED_MOST = 64, SAVED_NAME = 32 };

/* Places in the section "lattice". A coupling of each bond type ends it. */
enum {
    SAVED_MODEL = 0,
    SAVED_LATTICE_NAME = 32,
    SAVED_DIMS = 64,
    SAVED_EXTENTS = 72,
    SAVED_BOUNDARIES = 136,
    SAVED_CELL_SITES = 168,
    SAVED_BOND_TYPES = 176,
    SAVED_REPLICAS = 184,
    SAVED_FIRST = 192,
    SAVED_SAMPLES = 200,
    SAVED_FIRST_SAMPLE = 208,
    SAVED_SEED = 216,
    SAVED_SWEEPS = 224,
    SAVED_COUPLINGS = 232,
    SAVED_LATTICE = SAVED_COUPLINGS
};

static inline void saved_put(uint8_t *at, uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; i++)
        at[i] = (uint8_t)(value >> 8 * i);
}

static inline uint64_t saved_get(const uint8_t *at, int bytes)
{
    uint64_t value = 0;

    for (int i = 0; i < bytes; i++)
        value |= (uint64_t)at[i] << 8 * i;
    return value;
}

static inline size_t saved_header_bytes(int sections)
{
    return SAVED_FIXED + (size_t)sections * SAVED_ENTRY + SAVED_SUM;
}

/* How many sections there are, 0 if that is not to be believed. */
static inline int saved_count(const uint8_t *bytes, size_t size)
{
    const uint64_t count = size < SAVED_FIXED ? 0 : saved_get(bytes + 12, 4);

    return count > SAVED_MOST || size < saved_header_bytes((int)count) + (count + 1) * SAVED_SUM
               ? 0
               : (int)count;
}

/* A section's row in the table: name, 8 version, 12 flags, 16 offset, 24 length. */
static inline uint8_t *saved_row(const uint8_t *bytes, int section)
{
    return (uint8_t *)(uintptr_t)bytes + SAVED_FIXED + (size_t)section * SAVED_ENTRY;
}

/* A section's bytes and their number, NULL if it is not there. */
static inline uint8_t *saved_find(const uint8_t *bytes, size_t size, const char *name,
                                  size_t *length)
{
    char padded[8] = {0};

    memcpy(padded, name, strlen(name));
    for (int i = 0; i < saved_count(bytes, size); i++) {
        const uint8_t *row = saved_row(bytes, i);
        const uint64_t offset = saved_get(row + 16, 8), n = saved_get(row + 24, 8);

        if (memcmp(row, padded, sizeof padded) != 0 || offset > size || n > size - offset)
            continue;
        if (length)
            *length = (size_t)n;
        return (uint8_t *)(uintptr_t)bytes + offset;
    }
    return NULL;
}

/* ---- leaves */

typedef struct saved_leaves {
    uint64_t trunks, numbers, layer, leaf_numbers,
        bits; /* numbers: of a trunk; layer: its numbers */
} saved_leaves;

enum { SAVED_LEAF = 4096, SAVED_CHAIN = 8 }; /* bytes of a leaf; sites of a chain's layer */

static inline uint64_t saved_option(const uint8_t *bytes, size_t size, const char *name,
                                    uint64_t otherwise)
{
    size_t length = 0;
    const uint8_t *at = saved_find(bytes, size, "options", &length);

    for (; at && length >= SAVED_NAME + 8; at += SAVED_NAME + 8, length -= SAVED_NAME + 8)
        if (memcmp(at, name, strlen(name) + 1) == 0) /* a name there need not end */
            return saved_get(at + SAVED_NAME, 8);
    return otherwise;
}

/* Bits of a site, 0 if the number of states decides; and whether given couplings that are signs are
 * bytes. */
typedef struct saved_kind {
    const char *model;
    int bits, signs;
} saved_kind;

/* Of other models: as many bits as the precision, and couplings are doubles. There need not be an
 * end of the name in the file. Potts states are digits up to 16 states. */
static inline saved_kind saved_kind_of(const uint8_t *lattice)
{
    static const saved_kind kinds[] = {{"ising", 1, 1},
                                       {"automaton", 1, 0},
                                       {"potts", 0, 1},
                                       {"blume_capel", 2, 1},
                                       {"clock", 8, 0}};

    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (memcmp(lattice, kinds[i].model, strlen(kinds[i].model) + 1) == 0)
            return kinds[i];
    return (saved_kind){NULL, 0, 0};
}

static inline uint64_t saved_site_bits(const uint8_t *bytes, size_t size, saved_kind kind)
{
    const uint64_t q = saved_option(bytes, size, "q", 3);
    uint64_t digits = 1;

    if (!kind.model)
        return saved_option(bytes, size, "precision", 32);
    while (digits < 5 && q > (uint64_t)1 << digits)
        digits++;
    return kind.bits ? (uint64_t)kind.bits : digits < 5 ? digits : 8;
}

/* Of numbers from the begin of a layer on; digits go by eights, and a layer ends with a byte. */
static inline uint64_t saved_numbers_bytes(const saved_leaves *l, uint64_t numbers)
{
    const uint64_t layers = numbers / l->layer, rest = numbers % l->layer;

    return l->bits < 8 ? (layers * ((l->layer + 7) / 8) + (rest + 7) / 8) * l->bits
                       : numbers * l->bits / 8;
}

static inline void saved_set_bits(saved_leaves *l, uint64_t bits)
{
    uint64_t layer;

    l->bits = bits;
    layer = saved_numbers_bytes(l, l->layer);
    l->leaf_numbers = l->layer * (layer > SAVED_LEAF ? 1 : SAVED_LEAF / layer);
}

/* Are given couplings that may be bytes doubles? Their section is then so long. */
static inline int saved_are_reals(const uint8_t *bytes, size_t size, const saved_leaves *l)
{
    saved_leaves reals = *l;
    size_t length = 0;

    saved_set_bits(&reals, 64);
    saved_find(bytes, size, "K-given", &length);
    return length ==
           l->trunks * (8 * l->numbers + SAVED_SUM * ((l->numbers - 1) / reals.leaf_numbers + 1));
}

/* Of a section that consists of leaves; 0: it does not, or nothing is to be believed. */
static inline int saved_leaves_of(const uint8_t *bytes, size_t size, const char *name,
                                  saved_leaves *leaves)
{
    size_t length = 0;
    const uint8_t *lattice = saved_find(bytes, size, "lattice", &length);
    const int sites_own = strncmp(name, "sites", 8) == 0 || strncmp(name, "b-sites", 8) == 0;
    const int bonds = strncmp(name, "K-given", 8) == 0;
    uint64_t dims, sites = 1, components = 1, bits;
    saved_kind kind;

    if ((!sites_own && !bonds && strncmp(name, "G-given", 8) != 0) || !lattice ||
        length < SAVED_LATTICE)
        return 0;
    dims = saved_get(lattice + SAVED_DIMS, 8);
    kind = saved_kind_of(lattice);
    for (uint64_t a = 0; a < 4; a++) {
        const uint64_t extent = saved_get(lattice + SAVED_EXTENTS + 8 * a, 8);

        if (dims < 1 || dims > 4 || extent < 1 || extent > ((uint64_t)1 << 40) / sites)
            return 0;
        sites *= a < dims ? extent : 1;
    }
    if (sites_own)
        components = saved_option(bytes, size, "n", 1);
    leaves->trunks = sites_own ? saved_get(lattice + SAVED_REPLICAS, 8)
                               : saved_get(lattice + SAVED_SAMPLES, 8) * (bonds ? dims : 1);
    bits = sites_own ? saved_site_bits(bytes, size, kind) : bonds && kind.signs ? 8 : 64;
    if (components < 1 || components > 1024 || leaves->trunks > 1 << 20 || bits < 1 || bits > 64)
        return 0;
    leaves->numbers = sites * components;
    leaves->layer =
        components * (dims > 1 ? sites / saved_get(lattice + SAVED_EXTENTS + 8 * (dims - 1), 8)
                               : (sites < SAVED_CHAIN ? sites : SAVED_CHAIN));
    saved_set_bits(leaves, bits);
    if (bonds && kind.signs && saved_are_reals(bytes, size, leaves))
        saved_set_bits(leaves, 64);
    return 1;
}

static inline uint64_t saved_leaf_bytes(const saved_leaves *l, uint64_t first)
{
    const uint64_t left = l->numbers - first;

    return saved_numbers_bytes(l, left < l->leaf_numbers ? left : l->leaf_numbers);
}

enum { SAVED_WEIGHTS = 24, SAVED_SETS = 64 }; /* bytes of a set in the list; the most sets */

/* Of "W-given": how many shapes there are, one for each set in the list. */
static inline int saved_weights_of(const uint8_t *bytes, size_t size,
                                   saved_leaves shapes[SAVED_SETS])
{
    const uint8_t *lattice = saved_find(bytes, size, "lattice", NULL);
    size_t length = 0;
    const uint8_t *list = saved_find(bytes, size, "weights", &length);
    int count = 0;

    for (; list && length >= SAVED_WEIGHTS && count < SAVED_SETS; count++) {
        const int bonds = saved_get(list + 8, 4) == 2;
        const uint64_t samples = saved_get(list + 16, 8);
        saved_leaves *l = &shapes[count];

        if (samples > 1 << 16 || !saved_leaves_of(bytes, size, bonds ? "K-given" : "G-given", l))
            return 0;
        l->trunks = samples * (bonds ? saved_get(lattice + SAVED_DIMS, 8) : 1);
        saved_set_bits(l, saved_get(list + 12, 4) == 1 ? 8 : 64);
        list += SAVED_WEIGHTS;
        length -= SAVED_WEIGHTS;
    }
    return count;
}

/* The shapes of a section of leaves. 0: it does not consist of leaves. */
static inline int saved_shapes_of(const uint8_t *bytes, size_t size, const char *name,
                                  saved_leaves shapes[SAVED_SETS])
{
    return strncmp(name, "W-given", 8) == 0 ? saved_weights_of(bytes, size, shapes)
                                            : saved_leaves_of(bytes, size, name, shapes);
}

/* Of a section, with the sums. */
static inline uint64_t saved_leaves_length(const saved_leaves *l)
{
    uint64_t length = 0;

    for (uint64_t at = 0; at < l->numbers; at += l->leaf_numbers)
        length += saved_leaf_bytes(l, at) + SAVED_SUM;
    return l->trunks * length;
}

static inline void saved_add(lm_checksum *to, uint64_t sum)
{
    uint8_t bytes[SAVED_SUM];

    saved_put(bytes, sum, SAVED_SUM);
    lm_checksum_add(to, bytes, sizeof bytes);
}

/* Adds the sums of trunks, from those that stand behind the leaves; `seal`: which are made right
 * first. Returns the bytes of the trunks, or 0 if there are not so many. */
static inline size_t saved_trunks(lm_checksum *all, uint8_t *data, size_t length,
                                  const saved_leaves *l, int seal)
{
    const size_t before = length;
    lm_checksum trunk;

    for (uint64_t t = 0; t < l->trunks; t++) {
        lm_checksum_begin(&trunk);
        for (uint64_t at = 0; at < l->numbers; at += l->leaf_numbers) {
            const uint64_t n = saved_leaf_bytes(l, at);

            if (n + SAVED_SUM > length)
                return 0;
            if (seal)
                saved_put(data + n, lm_checksum_of(data, (size_t)n), SAVED_SUM);
            saved_add(&trunk, saved_get(data + n, SAVED_SUM));
            data += n + SAVED_SUM;
            length -= (size_t)n + SAVED_SUM;
        }
        saved_add(all, lm_checksum_value(&trunk));
    }
    return before - length;
}

/* The sum of a section of leaves; each set of weights has leaves of its own shape. */
static inline uint64_t saved_tree(uint8_t *data, size_t length, const saved_leaves *shapes,
                                  int count, int seal)
{
    lm_checksum all;
    size_t used;

    lm_checksum_begin(&all);
    for (int i = 0; i < count; i++) {
        used = saved_trunks(&all, data, length, &shapes[i], seal);
        data += used;
        length -= used;
    }
    return lm_checksum_value(&all);
}

/* ---- all sums */

/* Those of the header, and of it and the sections' sums. */
static inline void saved_seal_ends(uint8_t *bytes, size_t size)
{
    const int count = saved_count(bytes, size);
    const size_t header = saved_header_bytes(count);
    uint8_t *end = bytes + size - (size_t)(count + 1) * SAVED_SUM;
    lm_checksum seal;

    saved_put(bytes + header - SAVED_SUM, lm_checksum_of(bytes, header - SAVED_SUM), SAVED_SUM);
    lm_checksum_begin(&seal);
    lm_checksum_add(&seal, bytes, header);
    lm_checksum_add(&seal, end, (size_t)count * SAVED_SUM);
    saved_put(end + (size_t)count * SAVED_SUM, lm_checksum_value(&seal), SAVED_SUM);
}

/* All of them, as far as the table and the settings can be believed. */
static inline void saved_seal(uint8_t *bytes, size_t size)
{
    const int count = saved_count(bytes, size);
    uint8_t *end = bytes + size - (size_t)(count + 1) * SAVED_SUM;

    for (int i = 0; i < count; i++) {
        const uint8_t *row = saved_row(bytes, i);
        const uint64_t offset = saved_get(row + 16, 8), length = saved_get(row + 24, 8);
        saved_leaves shapes[SAVED_SETS];
        uint64_t sum;
        int parts;

        if (offset > size || length > size - offset)
            continue;
        parts = saved_shapes_of(bytes, size, (const char *)row, shapes);
        if (parts)
            sum = saved_tree(bytes + offset, (size_t)length, shapes, parts, 1);
        else
            sum = lm_checksum_of(bytes + offset, (size_t)length);
        saved_put(end + (size_t)i * SAVED_SUM, sum, SAVED_SUM);
    }
    if (count)
        saved_seal_ends(bytes, size);
}

/* ---- taken apart */

typedef struct saved_section {
    char name[8];
    uint32_t version, flags;
    uint8_t *data;
    size_t length;
} saved_section;

typedef struct saved_file {
    int count;
    saved_section sections[SAVED_MOST];
} saved_file;

/* `data` of sections may be changed and replaced; all of it was made by malloc(). */
static inline saved_file saved_open(const uint8_t *bytes, size_t size)
{
    saved_file f = {.count = saved_count(bytes, size)};

    for (int i = 0; i < f.count; i++) {
        const uint8_t *row = saved_row(bytes, i);
        saved_section *s = &f.sections[i];

        memcpy(s->name, row, sizeof s->name);
        s->version = (uint32_t)saved_get(row + 8, 4);
        s->flags = (uint32_t)saved_get(row + 12, 4);
        s->length = (size_t)saved_get(row + 24, 8);
        s->data = malloc(s->length + 1);
        if (!s->data)
            abort();
        memcpy(s->data, bytes + saved_get(row + 16, 8), s->length);
    }
    return f;
}

static inline saved_section *saved_named(saved_file *f, const char *name)
{
    for (int i = 0; i < f->count; i++)
        if (strncmp(f->sections[i].name, name, sizeof f->sections[i].name) == 0)
            return &f->sections[i];
    return NULL;
}

static inline void saved_remove(saved_file *f, const char *name)
{
    saved_section *s = saved_named(f, name);

    free(s->data);
    memmove(s, s + 1, (size_t)(&f->sections[--f->count] - s) * sizeof *s);
}

/* Another section at the end. */
static inline saved_section *saved_append(saved_file *f, const char *name, const void *data,
                                          size_t length)
{
    saved_section *s = &f->sections[f->count++];

    *s = (saved_section){.version = 1, .length = length, .data = malloc(length + 1)};
    if (!s->data)
        abort();
    memcpy(s->data, data, length);
    memcpy(s->name, name, strlen(name));
    return s;
}

/* All of it as bytes, which the caller frees, with right sums. */
static inline uint8_t *saved_close(const saved_file *f, size_t *size)
{
    size_t at = saved_header_bytes(f->count);
    uint8_t *bytes;

    *size = at + (size_t)(f->count + 1) * SAVED_SUM;
    for (int i = 0; i < f->count; i++)
        *size += f->sections[i].length;
    bytes = calloc(1, *size);
    if (!bytes)
        abort();
    memcpy(bytes, "\x89LATMC\n\x1a\3", 9);
    saved_put(bytes + 12, (uint64_t)f->count, 4);
    saved_put(bytes + 16, *size, 8);
    for (int i = 0; i < f->count; i++) {
        const saved_section *s = &f->sections[i];
        uint8_t *row = saved_row(bytes, i);

        memcpy(row, s->name, sizeof s->name);
        saved_put(row + 8, s->version, 4);
        saved_put(row + 12, s->flags, 4);
        saved_put(row + 16, at, 8);
        saved_put(row + 24, s->length, 8);
        memcpy(bytes + at, s->data, s->length);
        at += s->length;
    }
    saved_seal(bytes, *size);
    return bytes;
}

static inline void saved_free(saved_file *f)
{
    for (int i = 0; i < f->count; i++)
        free(f->sections[i].data);
    f->count = 0;
}

#endif
