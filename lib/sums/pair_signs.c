/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes sums over pairs of replicas of spins, 64 spins in a word. A replica's rows must be one
 * chunk: doc/trajectory.md, "Sums over pairs". A product of two spins is -1 where they differ. So
 * the products of a pair are again a lattice of spins, q = a xor b. A link is the bond of two sites
 * of this lattice. All sums are whole numbers, equal to those of lib/sums/pair_rows.c.
 */
#include "lib/sums/pair_signs.h"

#include <stdlib.h>

#include "lib/base/chunk.h"
#include "lib/base/memory.h"
#include "lib/base/signs.h"
#include "lib/lattice/bonds.h"
#include "lib/lattice/planes.h"
#include "lib/lattice/rows.h"
#include "lib/sums/pair_count.h"

#include "lib/physics/geometry.h"
#include "lib/physics/pair_sums.h"

enum { WORD = 64 };

typedef struct signs {
    const latmc_lattice *lattice;
    const char *caller;
    unsigned bundles;
    int dims, count;     /* sums of a pair */
    int64_t words, each; /* words of a row, of a replica */
    int64_t slots;       /* replica r is in slot r % slots, or in the spare slot after them */
    uint64_t *spins;     /* [slot][row][word]: a bit is 1 at +1 */
    int64_t *replica;    /* [slot]: a replica's number plus 1; 0: none */
    int8_t *bytes;       /* [site], buffer for one replica or one axis */
    uint64_t *bonds;     /* [axis][row][word]: the bonds that count for `samples` */
    int64_t samples[2];  /* the samples' numbers plus 1 */
    uint64_t *apart; /* [row][word]: 1 where the pair differs; in words, the bits after a row are 0
                      */
    lm_planes planes;
} signs;

static int takes(const signs *s, int bundle)
{
    return (int)(s->bundles >> bundle & 1u);
}

/* Packs a bit for each site. `positive`: the bit is 1 if the byte is at least 0. Otherwise it is 1
 * if the byte is not 0. */
static void pack(const signs *s, int positive, uint64_t *bits)
{
    const int64_t extent = s->lattice->extents[0];
    const int8_t *from = s->bytes;

    for (int64_t r = 0; r < s->lattice->rows; r++)
        for (int64_t x = 0; x < extent; x += WORD, bits++) {
            const int n = extent - x < WORD ? (int)(extent - x) : WORD;

            *bits = positive ? lm_bits_of_signs(from, n) : 0;
            for (int i = 0; i < n && !positive; i++)
                *bits |= (uint64_t)(from[i] != 0) << i;
            from += n;
        }
}

static latmc_status fetch(signs *s, int64_t replica, int64_t slot, const uint64_t **spins)
{
    uint64_t *const to = s->spins + slot * s->each;
    latmc_status status = LATMC_OK;

    if (s->replica[slot] != replica + 1) {
        s->replica[slot] = 0;
        status =
            lm_get_rows(s->lattice, s->caller, replica, (lm_chunk){0, s->lattice->rows}, s->bytes);
        if (status)
            return status;
        pack(s, 1, to);
        s->replica[slot] = replica + 1;
    }
    *spins = to;
    return status;
}

/* Finds the bonds that either sample has. */
static void find_bonds(signs *s, const int64_t pair[2])
{
    const latmc_lattice *lattice = s->lattice;
    const int64_t of_sample = lattice->replicas / lattice->samples;
    const int64_t samples[2] = {pair[0] / of_sample + 1, pair[1] / of_sample + 1};

    if (samples[0] == s->samples[0] && samples[1] == s->samples[1])
        return;
    for (int axis = 0; axis < s->dims; axis++) {
        uint64_t *const bonds = s->bonds + axis * s->each;

        lm_bonds_there(lattice, samples[0] - 1, axis, 0, lattice->rows, s->bytes);
        pack(s, 0, bonds);
        if (samples[1] == samples[0])
            continue;
        lm_bonds_there(lattice, samples[1] - 1, axis, 0, lattice->rows, s->bytes);
        pack(s, 0, s->apart); /* apart is free until the pair is compared */
        for (int64_t i = 0; i < s->each; i++)
            bonds[i] &= s->apart[i];
    }
    s->samples[0] = samples[0];
    s->samples[1] = samples[1];
}

/* Returns word j of a row's neighbours one step up along axis 0. */
static uint64_t along(const signs *s, const uint64_t *row, int64_t j)
{
    const uint64_t next = j + 1 < s->words ? row[j + 1] << (WORD - 1)
                                           : (row[0] & 1) << (s->lattice->extents[0] - 1) % WORD;

    return row[j] >> 1 | next;
}

/* Sums D and B of an axis. */
static void sum_links(const signs *s, int axis, double *sums)
{
    const int64_t extent = s->lattice->extents[axis];
    const int64_t stride = axis ? lm_row_stride(s->lattice->extents, axis) : 0;
    const uint64_t *bonds = s->bonds + axis * s->each;
    int64_t count = 0, apart = 0;

    for (int64_t r = 0; r < s->lattice->rows; r++, bonds += s->words) {
        const uint64_t *row = s->apart + r * s->words;
        const int last = axis && r / stride % extent == extent - 1;
        const uint64_t *up = row + (last ? stride - stride * extent : stride) * s->words;

        for (int64_t j = 0; j < s->words; j++) {
            const uint64_t other = axis ? up[j] : along(s, row, j);

            count += __builtin_popcountll(bonds[j]);
            apart += __builtin_popcountll((row[j] ^ other) & bonds[j]);
        }
    }
    sums[0] = (double)(count - 2 * apart);
    sums[1] = (double)count;
}

static void sum_waves(signs *s, double *sums)
{
    const int64_t extent = s->lattice->extents[0];
    int64_t x[LATMC_MAX_DIMS] = {0};
    const uint64_t *row = s->apart;

    for (int64_t r = 0; r < s->lattice->rows; r++, row += s->words) {
        int64_t apart = 0;

        for (int64_t i = 0; i < extent; i++)
            s->planes.sums[i] += (double)(int)(row[i / WORD] >> i % WORD & 1);
        for (int64_t j = 0; j < s->words; j++)
            apart += __builtin_popcountll(row[j]);
        lm_coordinates(r, 1, s->dims, s->lattice->extents, x);
        lm_planes_add(&s->planes, x, (double)(extent - 2 * apart));
    }
    for (int64_t i = 0; i < extent; i++)
        s->planes.sums[i] = (double)s->lattice->rows - 2.0 * s->planes.sums[i];
    lm_planes_end(&s->planes, sums);
}

static latmc_status sum_pair(signs *s, const int64_t pair[2], double *sums)
{
    const int64_t a = pair[0] % s->slots, b = pair[1] % s->slots;
    const uint64_t *of_a, *of_b;
    int64_t apart = 0;
    latmc_status status = fetch(s, pair[0], a, &of_a);

    if (!status)
        status = fetch(s, pair[1], a == b && pair[0] != pair[1] ? s->slots : b, &of_b);
    if (status)
        return status;
    if (takes(s, LM_PAIR_LINKS))
        find_bonds(s, pair);
    for (int64_t i = 0; i < s->each; i++) {
        s->apart[i] = of_a[i] ^ of_b[i];
        apart += __builtin_popcountll(s->apart[i]);
    }
    if (takes(s, LM_PAIR_OVERLAP))
        sums[lm_pair_bundle_begin(LM_PAIR_OVERLAP, s->dims, 1)] =
            (double)(s->lattice->sites - 2 * apart);
    for (int axis = 0; axis < s->dims && takes(s, LM_PAIR_LINKS); axis++)
        sum_links(s, axis, sums + lm_pair_bundle_begin(LM_PAIR_LINKS, s->dims, 1) + 2 * axis);
    if (takes(s, LM_PAIR_WAVES))
        sum_waves(s, sums + lm_pair_bundle_begin(LM_PAIR_WAVES, s->dims, 1));
    return LATMC_OK;
}

/* Allocates memory for some 32 million spins, and for at least two replicas. */
static latmc_status open_signs(signs *s, const latmc_lattice *lattice, const char *caller,
                               unsigned bundles)
{
    const int64_t words = (lattice->extents[0] + WORD - 1) / WORD, each = words * lattice->rows;
    const int64_t fit = ((int64_t)1 << 19) / each, most = fit < 1 ? 1 : fit;
    const int64_t slots = lattice->replicas < most ? lattice->replicas : most;

    *s = (signs){.lattice = lattice,
                 .caller = caller,
                 .bundles = bundles,
                 .dims = lattice->dims,
                 .count = lm_pair_sums_of(lattice),
                 .words = words,
                 .each = each,
                 .slots = slots};
    s->spins = lm_unzeroed(caller, "some replicas' spins", (slots + 1) * each, sizeof *s->spins);
    s->replica = lm_zeroed(caller, "whose spins they are", slots + 1, sizeof *s->replica);
    s->bytes = lm_unzeroed(caller, "the spins of a replica", lattice->sites, 1);
    s->apart = lm_unzeroed(caller, "in what a pair differs", each, sizeof *s->apart);
    if (takes(s, LM_PAIR_LINKS))
        s->bonds = lm_unzeroed(caller, "which bonds there are", s->dims * each, sizeof *s->bonds);
    if (!s->spins || !s->replica || !s->bytes || !s->apart ||
        (takes(s, LM_PAIR_LINKS) && !s->bonds))
        return LATMC_ERROR_MEMORY;
    return takes(s, LM_PAIR_WAVES) ? lm_planes_open(&s->planes, lattice, caller, 1) : LATMC_OK;
}

latmc_status lm_pairs_of_signs(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                               int64_t pairs, const int64_t (*replicas)[2], double *sums)
{
    signs s;
    latmc_status status = open_signs(&s, lattice, caller, bundles);

    for (int64_t p = 0; p < pairs && !status; p++)
        status = sum_pair(&s, replicas[p], sums + p * s.count);
    free(s.spins);
    free(s.replica);
    free(s.bytes);
    free(s.apart);
    free(s.bonds);
    lm_planes_close(&s.planes);
    return status;
}
