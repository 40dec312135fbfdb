/* SPDX-License-Identifier: BSD-3-Clause */
/* Changes of a saved lattice: of its bytes, its fields, its sections and its table. */
#include "tests/fuzz/fuzz.h"

#include <string.h>

#include "tests/numbers.h"
#include "tests/saved.h"

enum { MOST_BYTES = 1 << 16 }; /* of a section that is made to fit */

typedef struct mutation {
    uint64_t random;
    const fuzz_input *seeds;
    int count;
    saved_file file;
} mutation;

static uint64_t below(mutation *m, uint64_t bound)
{
    return bound ? next_random(&m->random) % bound : 0;
}

/* Numbers at which something changes. */
static uint64_t odd_number(mutation *m)
{
    static const uint64_t some[] = {0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    5,
                                    7,
                                    8,
                                    15,
                                    16,
                                    31,
                                    32,
                                    63,
                                    64,
                                    65,
                                    100,
                                    255,
                                    256,
                                    65535,
                                    65536,
                                    65537,
                                    0x7fffffff,
                                    0x80000000,
                                    0xffffffff,
                                    (uint64_t)1 << 32,
                                    (uint64_t)1 << 40,
                                    ((uint64_t)1 << 40) - 1,
                                    (uint64_t)1 << 48,
                                    (uint64_t)1 << 62,
                                    (uint64_t)1 << 63,
                                    UINT64_MAX,
                                    UINT64_MAX - 7,
                                    0x3ff0000000000000u,
                                    0xbff0000000000000u,
                                    0x7ff0000000000000u,
                                    0x7ff8000000000000u,
                                    0xfff0000000000000u,
                                    0x7fefffffffffffffu,
                                    0x8000000000000000u,
                                    0x0000000000000001u,
                                    0x412e848000000000u,
                                    0x3f50624dd2f1a9fcu};

    return below(m, 4) ? some[below(m, sizeof some / sizeof some[0])] : next_random(&m->random);
}

static saved_section *any_section(mutation *m)
{
    return m->file.count ? &m->file.sections[below(m, (uint64_t)m->file.count)] : NULL;
}

/* ---- of bytes */

static void change_bytes(mutation *m, uint8_t *bytes, size_t size)
{
    static const int widths[] = {1, 2, 4, 8};
    const size_t at = (size_t)below(m, size);
    const int width = widths[below(m, 4)];

    if (size == 0)
        return;
    switch (below(m, 4)) {
    case 0:
        bytes[at] ^= (uint8_t)(1u << below(m, 8));
        break;
    case 1:
        bytes[at] = (uint8_t)next_random(&m->random);
        break;
    case 2:
        if ((size_t)width <= size - at)
            saved_put(bytes + at, odd_number(m), width);
        break;
    default:
        memmove(bytes + at, bytes + below(m, at + 1), (size_t)below(m, size - at + 1));
    }
}

static fuzz_input of_bytes(mutation *m, fuzz_input in)
{
    const size_t other = (size_t)below(m, in.size + 40);

    for (uint64_t i = below(m, 4); i < 4; i++)
        change_bytes(m, in.bytes, in.size);
    if (below(m, 8) == 0) { /* truncated, or with an appendix */
        uint8_t *bytes = calloc(1, other + 1);

        if (!bytes)
            abort();
        memcpy(bytes, in.bytes, other < in.size ? other : in.size);
        free(in.bytes);
        in = (fuzz_input){bytes, other};
        if (other >= SAVED_FIXED && below(m, 2))
            saved_put(in.bytes + 16, other, 8);
    }
    return in;
}

/* ---- of sections */

static void change_section(mutation *m)
{
    saved_section *s = any_section(m);

    if (s)
        change_bytes(m, s->data, s->length);
}

/* A section becomes longer or shorter; what is new repeats what was there. */
static void resize(saved_section *s, size_t length)
{
    uint8_t *data = calloc(1, length + 1);

    if (!data)
        abort();
    for (size_t i = 0; i < length; i++)
        data[i] = s->length ? s->data[i % s->length] : 0;
    free(s->data);
    s->data = data;
    s->length = length;
}

static void change_length(mutation *m)
{
    static const size_t steps[] = {1, 8, 9, 40, 48};
    saved_section *s = any_section(m);
    const size_t step = s ? steps[below(m, 5)] : 0;

    if (s && below(m, 2) && s->length >= step)
        resize(s, s->length - step);
    else if (s)
        resize(s, s->length + step);
}

static void remove_section(mutation *m)
{
    const saved_section *s = any_section(m);
    char name[9] = "";

    if (!s)
        return;
    memcpy(name, s->name, 8);
    saved_remove(&m->file, name);
}

/* One of another seed, or of the same. */
static void splice(mutation *m)
{
    const fuzz_input *other = &m->seeds[below(m, (uint64_t)m->count)];
    saved_file f = saved_open(other->bytes, other->size);
    const saved_section *from = &f.sections[below(m, (uint64_t)f.count)];
    saved_section *to;
    char name[9] = "";

    memcpy(name, from->name, 8);
    to = saved_named(&m->file, name);
    if (to && below(m, 4)) {
        resize(to, 0);
        resize(to, from->length);
        memcpy(to->data, from->data, from->length);
    } else if (m->file.count < SAVED_MOST)
        saved_append(&m->file, name, from->data, from->length);
    saved_free(&f);
}

static void change_row(mutation *m)
{
    static const char *const names[] = {"lattice", "options", "params",   "changed",
                                        "K-drawn", "K-given", "G-drawn",  "G-given",
                                        "sites",   "later",   "schedule", "ramps"};
    saved_section *s = any_section(m);
    const char *name;

    if (!s)
        return;
    switch (below(m, 4)) {
    case 0:
        name = names[below(m, 12)];
        memset(s->name, 0, sizeof s->name);
        memcpy(s->name, name, strlen(name));
        break;
    case 1:
        s->version = (uint32_t)odd_number(m);
        break;
    case 2:
        s->flags = (uint32_t)odd_number(m);
        break;
    default:
        if (m->file.count < SAVED_MOST)
            saved_append(&m->file, "later", s->data, s->length)->flags = (uint32_t)below(m, 4);
    }
}

static void swap_sections(mutation *m)
{
    saved_section *a = any_section(m), *b = any_section(m);

    if (a && b) {
        const saved_section keep = *a;

        *a = *b;
        *b = keep;
    }
}

/* ---- of the settings */

static void change_settings(mutation *m)
{
    static const struct {
        size_t offset;
        int bytes;
    } fields[] = {{SAVED_DIMS, 8},           {SAVED_EXTENTS, 8},      {SAVED_EXTENTS + 8, 8},
                  {SAVED_EXTENTS + 16, 8},   {SAVED_EXTENTS + 24, 8}, {SAVED_BOUNDARIES, 4},
                  {SAVED_BOUNDARIES + 4, 4}, {SAVED_REPLICAS, 8},     {SAVED_FIRST, 8},
                  {SAVED_SEED, 8},           {SAVED_SWEEPS, 8},       {SAVED_COUPLINGS, 8},
                  {SAVED_COUPLINGS + 8, 8},  {SAVED_CELL_SITES, 8},   {SAVED_BOND_TYPES, 8},
                  {SAVED_SAMPLES, 8},        {SAVED_FIRST_SAMPLE, 8}};
    const size_t which = (size_t)below(m, sizeof fields / sizeof fields[0]);
    saved_section *s = saved_named(&m->file, "lattice");

    if (s && s->length >= fields[which].offset + (size_t)fields[which].bytes)
        saved_put(s->data + fields[which].offset, below(m, 2) ? 1 + below(m, 6) : odd_number(m),
                  fields[which].bytes);
}

/* Bytes of parameters where there is one replica, and of a schedule's steps. */
enum { EACH = SAVED_NAME + 8, STEP = SAVED_NAME + 24 };

/* A section that has names, and where one of its entries begins and how long it is, or NULL. */
static saved_section *any_named(mutation *m, size_t *entry, size_t *each)
{
    static const char *const sections[] = {"options", "params",   "K-drawn",
                                           "G-drawn", "schedule", "ramps"};
    const size_t which = (size_t)below(m, 6);
    const size_t begin = which == 4 ? 16 : 0; /* a schedule's steps */
    saved_section *s = saved_named(&m->file, sections[which]);

    *each = which == 4 ? STEP : EACH;
    if (!s || s->length < begin + *each)
        return NULL;
    *entry = begin + (size_t)below(m, (s->length - begin) / *each) * *each;
    return s;
}

/* A value, or a name. */
static void change_named(mutation *m)
{
    static const char *const names[] = {"beta", "field", "precision", "cutoff",     "n",
                                        "pm1",  "plus",  "g",         "missing",    "width",
                                        "mean", "hits",  "gaussian",  "metropolis", "overrelax"};
    size_t at, each;
    saved_section *s = any_named(m, &at, &each);

    if (!s)
        return;
    if (below(m, 2))
        saved_put(s->data + at + SAVED_NAME, below(m, 2) ? below(m, 9) : odd_number(m), 8);
    else {
        memset(s->data + at, 0, SAVED_NAME);
        strcpy((char *)s->data + at, names[below(m, 15)]);
    }
}

/* An entry several times more; a schedule then has so many more steps. */
static void repeat_named(mutation *m)
{
    size_t at, each, length;
    saved_section *s = any_named(m, &at, &each);
    const uint64_t more = 1 + below(m, 8);
    uint8_t entry[STEP];

    if (!s)
        return;
    length = s->length;
    memcpy(entry, s->data + at, each);
    resize(s, length + each * (size_t)more);
    for (uint64_t i = 0; i < more; i++)
        memcpy(s->data + length + each * i, entry, each);
    if (strncmp(s->name, "schedule", sizeof s->name) == 0)
        saved_put(s->data + 8, saved_get(s->data + 8, 8) + more, 8);
}

/* The length of a section of leaves that agrees with the settings, or 0 if it is not small. */
static size_t fitting(const uint8_t *bytes, size_t size, const char *name)
{
    saved_leaves shapes[SAVED_SETS];
    const int count = saved_shapes_of(bytes, size, name, shapes);
    size_t length = 0;

    for (int i = 0; i < count; i++) {
        const saved_leaves *l = &shapes[i];

        if (l->numbers >= MOST_BYTES || l->trunks >= 4096 ||
            l->trunks * l->numbers >= MOST_BYTES / 8)
            return 0;
        length += (size_t)saved_leaves_length(l);
    }
    return length;
}

/* Lengths that agree with the settings again, as far as they are small. */
static void make_fit(mutation *m)
{
    static const char *const leafy[] = {"K-given", "G-given", "W-given", "b-sites", "sites"};
    const saved_section *lattice = saved_named(&m->file, "lattice");
    saved_section *changed = saved_named(&m->file, "changed"),
                  *params = saved_named(&m->file, "params");
    uint64_t replicas;
    size_t size;
    uint8_t *bytes;

    if (!lattice || lattice->length < SAVED_LATTICE)
        return;
    replicas = saved_get(lattice->data + SAVED_REPLICAS, 8);
    if (replicas > 4096)
        return;
    if (changed)
        resize(changed, 8 * (size_t)replicas);
    if (saved_named(&m->file, "best"))
        resize(saved_named(&m->file, "best"), 24 * (size_t)replicas);
    if (params && params->length >= SAVED_NAME) { /* one of them is left */
        resize(params, SAVED_NAME);
        resize(params, SAVED_NAME + 8 * (size_t)replicas);
        memset(params->data + SAVED_NAME, 0, 8 * (size_t)replicas);
    }
    bytes = saved_close(&m->file, &size);
    for (size_t i = 0; i < sizeof leafy / sizeof leafy[0]; i++) {
        saved_section *s = saved_named(&m->file, leafy[i]);
        const size_t length = s ? fitting(bytes, size, leafy[i]) : 0;

        if (length)
            resize(s, length);
    }
    free(bytes);
}

/* ---- of the table, when all is put together */

static void change_table(mutation *m, fuzz_input in)
{
    static const int places[] = {0, 8, 12, 16, 24};
    const int count = saved_count(in.bytes, in.size);
    const size_t place = (size_t)places[below(m, 5)];
    uint8_t *at = in.bytes + 8 + 4 * below(m, 4); /* version, count, bytes */

    if (count && below(m, 4))
        at = saved_row(in.bytes, (int)below(m, (uint64_t)count)) + place;
    if (below(m, 2))
        saved_put(at, saved_get(at, 8) + below(m, 17) - 8, 8);
    else
        saved_put(at, odd_number(m), below(m, 2) ? 4 : 8);
}

fuzz_input fuzz_mutate(const fuzz_input *seeds, int count, uint64_t number)
{
    static void (*const changes[])(mutation *) = {
        change_section, change_section, change_length,   remove_section,  splice,
        change_row,     swap_sections,  change_settings, change_settings, change_settings,
        change_named,   change_named,   repeat_named};
    mutation m = {.random = number, .seeds = seeds, .count = count};
    const fuzz_input *from;
    fuzz_input made;

    m.random = next_random(&m.random); /* so that neighbours have no numbers in common */
    from = &seeds[below(&m, (uint64_t)count)];
    m.file = saved_open(from->bytes, from->size);
    for (uint64_t i = below(&m, 4); i < 4; i++)
        changes[below(&m, sizeof changes / sizeof changes[0])](&m);
    if (below(&m, 2))
        make_fit(&m);
    made.bytes = saved_close(&m.file, &made.size);
    saved_free(&m.file);
    if (below(&m, 4) == 0)
        change_table(&m, made);
    if (below(&m, 8) == 0)
        made = of_bytes(&m, made);
    if (below(&m, 16))
        saved_seal(made.bytes, made.size);
    return made;
}
