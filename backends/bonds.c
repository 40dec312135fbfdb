/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/bonds.h"

#include "lib/physics/geometry.h"

static int64_t row_above(const lm_spec *spec, int64_t row, int axis)
{
    const int64_t stride = lm_row_stride(spec->extents, axis);
    const int64_t x = row / stride % spec->extents[axis];
    return x + 1 < spec->extents[axis] ? row + stride : row - x * stride;
}

/* The words to which a sample's bonds are written: those from `first` on, in the replicas with
 * these first bits. */
typedef struct sample_bits {
    int64_t first;
    uint32_t replicas_mask;
} sample_bits;

/* Sites of a row that are handled together. They fill whole words of both sublattices. */
enum { SEGMENT = 1024 };

/* Finds the words of the bonds with a number, of a row from site x on, in both sublattices. */
static void find_words(const lm_bond_bits *to, const sample_bits *of, int number, int64_t row,
                       int64_t x, uint32_t *bits, uint32_t *words[2])
{
    const lm_words *w = to->words;
    for (int c = 0; c < w->sublattices; c++) {
        const int64_t first = (c * 2 * to->spec->dims + number) * to->rows - to->first_row;
        words[c] = bits + of->first + (first + row) * w->width + x / (32 * w->sublattices);
    }
}

/* Writes a digit of n values to words, for all replicas of the share. */
static void put_digit(const lm_words *w, const sample_bits *of, int parity, int digit,
                      const int8_t *values, int64_t n, uint32_t *const words[2])
{
    uint32_t own[2] = {0, 0}, mask;
    if (w->per_word == 1) {
        lm_row_pack(w, parity, 0, digit, values, n, words);
        return;
    }
    lm_row_pack(w, parity, 0, digit, values, n, (uint32_t *[]){&own[0], &own[1]});
    mask = ((1u << w->bits) - 1u) * of->replicas_mask; /* the row is a part of one word */
    for (int c = 0; c < w->sublattices; c++)
        *words[c] = (*words[c] & ~mask) | own[c] * of->replicas_mask;
}

/* Writes the bonds with a number, of n of a row's sites, from x on. */
static void put_segment(const lm_bond_bits *to, const sample_bits *of, int number, int64_t row,
                        int64_t x, int64_t n, const int8_t *values)
{
    const int parity = lm_row_parity(to->spec, row);
    uint32_t *words[2] = {NULL, NULL};
    int8_t none[SEGMENT];
    find_words(to, of, number, row, x, to->sign, words);
    put_digit(to->words, of, parity, LM_NEGATIVE, values, n, words);
    if (!to->gone)
        return;
    for (int64_t i = 0; i < n; i++)
        none[i] = values[i] == 0;
    find_words(to, of, number, row, x, to->gone, words);
    put_digit(to->words, of, parity, 0, none, n, words);
}

/* Writes the bonds along axis 0. In a folded lattice the bonds with one number lead upward
 * from some sites. From others they lead downward, and are those of the site before. */
static void put_along_row(const lm_bond_bits *to, const sample_bits *of, int number, int64_t row,
                          int64_t x, int64_t n, const int8_t *bonds)
{
    const int64_t extent = to->spec->extents[0];
    int8_t values[SEGMENT];
    for (int64_t i = 0; i < n; i++) {
        const int down = to->words->folded ? ((x + i) & 1) != number : number == 0;
        values[i] = bonds[down && x + i == 0 ? extent - 1 : x + i - down];
    }
    put_segment(to, of, number, row, x, n, values);
}

/* Writes both ends of the bonds one step up from n of a row's sites, from x on. */
static void put_ends(const lm_bond_bits *to, const sample_bits *of, int axis, int64_t row,
                     int64_t x, int64_t n, const int8_t *bonds)
{
    const int64_t above = axis == 0 ? row : row_above(to->spec, row, axis);
    for (int up = 0; up < 2; up++) {
        const int64_t end = up ? row : above;
        if (end < to->first_row || end >= to->first_row + to->rows)
            continue;
        if (axis == 0)
            put_along_row(to, of, up, row, x, n, bonds);
        else
            put_segment(to, of, 2 * axis + up, end, x, n, bonds + x);
    }
}

static void put_share(const lm_bond_bits *to, const sample_bits *of, int axis, int64_t first_row,
                      int64_t rows, const int8_t *bonds)
{
    const int64_t extent = to->spec->extents[0];
    for (int64_t row = first_row; row < first_row + rows; row++, bonds += extent)
        for (int64_t x = 0; x < extent; x += SEGMENT)
            put_ends(to, of, axis, row, x, extent - x < SEGMENT ? extent - x : SEGMENT, bonds);
}

/* Returns bit 0 of each replica of [first, last) in the words of a group. Replicas have their
 * numbers in the ensemble. */
static uint32_t replicas_mask_of(const lm_words *w, int64_t group, int64_t first, int64_t last)
{
    uint32_t replicas_mask = 0;
    for (int nth = 0; nth < w->per_word; nth++) {
        const int64_t number = (w->first_group + group) * w->per_word + nth;
        if (number >= first && number < last)
            replicas_mask |= 1u << nth * w->segment;
    }
    return replicas_mask;
}

void lm_bonds_put(const lm_bond_bits *to, int64_t sample, int axis, int64_t first_row, int64_t rows,
                  const int8_t *bonds)
{
    const lm_words *w = to->words;
    const int64_t stride = lm_bonds_stride(to->spec, w, to->rows);
    const int64_t each = stride ? to->spec->replicas / to->spec->samples : 0;
    const int64_t first = to->spec->first_replica + sample * each, last = first + each;
    if (!to->sign)
        return;
    if (!stride) {
        const sample_bits all = {.first = 0, .replicas_mask = lm_replicate(w, 1u)};
        put_share(to, &all, axis, first_row, rows, bonds);
        return;
    }
    for (int64_t g = first / w->per_word - w->first_group;
         g <= (last - 1) / w->per_word - w->first_group; g++) {
        const sample_bits of = {.first = g * stride,
                                .replicas_mask = replicas_mask_of(w, g, first, last)};
        put_share(to, &of, axis, first_row, rows, bonds);
    }
}
