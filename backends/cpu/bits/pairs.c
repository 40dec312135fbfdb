/* SPDX-License-Identifier: BSD-3-Clause */
/* Sums over pairs of replicas, word by word, for the bundles LM_PAIR_OVERLAP and LM_PAIR_LINKS.
 */
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/bits/plan.h"
#include "backends/cpu/team/team.h"
#include "lib/base/memory.h"
#include "lib/physics/pair_sums.h"

enum { CHUNKS_PER_THREAD = 8, MOST_COUNTS = LM_PAIR_BONDS + 2 * LATMC_MAX_DIMS };

/* The rows of the first pair, then those of the second pair, and so on, in chunks of
 * `chunk_rows`. */
typedef struct pairs_work {
    const lm_bits_plan *plan;
    unsigned bundles;
    const int64_t (*replicas)[2];
    int64_t rows, all_rows, chunk_rows; /* of a pair, of all, of a chunk */
    int each;                           /* lm_pair_counts() */
    _Atomic int64_t *counts;            /* [pair][each] */
} pairs_work;

/* Returns the number of sites that differ in rows [first, last). Bits without a site are 0 in all
 * replicas. */
static int64_t count_apart(const lm_bits_plan *p, const lm_bits_pair *of, int64_t first,
                           int64_t last)
{
    lm_bits_twins twins = of->twins;
    int64_t apart = 0;
    twins.begin = first * p->words.width;
    twins.end = last * p->words.width;
    for (int c = 0; c < p->words.sublattices; c++) {
        twins.a = lm_bits_plane(p, of->group[0], c, 0);
        twins.b = lm_bits_plane(p, of->group[1], c, 0);
        apart += p->lane->count_apart(&twins);
    }
    return apart;
}

/* Returns the same rows of a group that lies `groups` groups further on. */
static lm_bits_band moved(const lm_bits_plan *p, const lm_bits_band *a, int64_t groups)
{
    const int64_t words = groups * (lm_bits_plane(p, 1, 0, 0) - lm_bits_plane(p, 0, 0, 0));
    lm_bits_band b = *a;
    b.own += words;
    b.other += words;
    for (int k = 0; k < p->spec.dims - 2; k++) {
        b.down[k] += words;
        b.up[k] += words;
    }
    for (int i = 0; i < 2 * p->spec.dims && p->gone; i++)
        b.gone[i] += groups * p->bond_stride;
    return b;
}

/* Counts the links of rows [first, last), plane by plane: for each axis the bonds of unlike sites,
 * and all bonds. */
static void count_links(const lm_bits_plan *p, const lm_bits_pair *of, int64_t first, int64_t last,
                        int64_t (*links)[2])
{
    const int dims = p->spec.dims;
    for (int a = 0; a < dims && !p->gone; a++)
        links[a][1] = (last - first) * p->spec.extents[0];
    while (first < last) {
        const int64_t plane = first / p->plane_rows, row = first % p->plane_rows;
        const int64_t left = row + last - first, end = left < p->plane_rows ? left : p->plane_rows;
        lm_bits_band a = lm_bits_band_of(p, of->group[0], 0, plane, row, end), b;
        memset(a.sign, 0, sizeof a.sign); /* the sign occurs twice in a product of two spins of a
                                             pair */
        b = moved(p, &a, of->group[1] - of->group[0]);
        p->lane->count_links[dims - 1](&a, &b, &of->twins, links);
        first += end - row;
    }
}

static void count_rows(const pairs_work *w, int64_t number, int64_t first, int64_t last)
{
    const lm_bits_pair of = lm_bits_pair_of(w->plan, w->replicas[number]);
    int64_t links[LATMC_MAX_DIMS][2] = {{0}}, counts[MOST_COUNTS] = {0};
    if (w->bundles >> LM_PAIR_OVERLAP & 1u)
        counts[LM_PAIR_SITES_APART] = count_apart(w->plan, &of, first, last);
    if (w->bundles >> LM_PAIR_LINKS & 1u)
        count_links(w->plan, &of, first, last, links);
    memcpy(counts + LM_PAIR_BONDS, links, sizeof links);
    for (int k = 0; k < w->each; k++)
        atomic_fetch_add_explicit(&w->counts[number * w->each + k], counts[k],
                                  memory_order_relaxed);
}

static void count_some(lm_member *m, const void *shared)
{
    const pairs_work *w = shared;
    const int64_t chunks = (w->all_rows + w->chunk_rows - 1) / w->chunk_rows;
    int64_t chunk;
    while (lm_team_take(m, chunks, &chunk)) {
        int64_t first = chunk * w->chunk_rows;
        const int64_t left = w->all_rows - first;
        int64_t rows = left < w->chunk_rows ? left : w->chunk_rows;
        while (rows > 0) {
            const int64_t pair = first / w->rows, row = first % w->rows;
            const int64_t n = rows < w->rows - row ? rows : w->rows - row;
            count_rows(w, pair, row, row + n);
            first += n;
            rows -= n;
        }
    }
}

/* Estimates what one thread takes for a row of both replicas, in nanoseconds. It includes a share
 * of what a pair and its planes take besides. */
static double row_time(const pairs_work *w)
{
    const lm_bits_plan *p = w->plan;
    const double words = (double)(p->words.sublattices * p->words.width);
    const double sites = words * (0.03 + 1.2 / p->lane->words) + 60.0 / (double)w->rows;
    const double links = words * (0.1 + 10.0 / p->lane->words) + 100.0 / (double)p->plane_rows;
    return sites + (w->bundles >> LM_PAIR_LINKS & 1u ? links : 0.0);
}

static void report(const pairs_work *w, int64_t pairs, double *sums)
{
    const lm_bits_plan *p = w->plan;
    const int64_t sites = w->rows * p->spec.extents[0];
    for (int64_t i = 0; i < pairs; i++) {
        int64_t counts[MOST_COUNTS] = {0};
        for (int k = 0; k < w->each; k++)
            counts[k] = w->counts[i * w->each + k];
        lm_pair_of_counts(w->bundles, p->spec.dims, sites, counts,
                          sums + i * lm_pair_bundle_begin(LM_PAIR_BUNDLES, p->spec.dims, 1));
    }
}

latmc_status lm_bits_pairs(void *plan, unsigned bundles, int64_t pairs,
                           const int64_t (*replicas)[2], double *sums)
{
    const lm_bits_plan *p = plan;
    const int64_t rows = p->planes * p->plane_rows;
    pairs_work w = {.plan = p,
                    .bundles = bundles,
                    .replicas = replicas,
                    .rows = rows,
                    .all_rows = pairs * rows,
                    .each = lm_pair_counts(bundles, p->spec.dims)};
    const double row = row_time(&w), all = row * (double)w.all_rows;
    const int most = lm_team_most(p->threads, all), threads = lm_team_size(most, all, all);
    const int64_t wanted = (int64_t)threads * CHUNKS_PER_THREAD;
    const int64_t even = (w.all_rows + wanted - 1) / wanted,
                  least = (int64_t)(lm_worth.chunk / row);
    lm_team team;
    w.chunk_rows = even > least ? even : least + 1;
    w.counts = lm_zeroed(NULL, "the sums of pairs", pairs, (size_t)w.each * sizeof *w.counts);
    if (!w.counts)
        return LATMC_ERROR_MEMORY;
    lm_team_gather(&team, p->threads, most, threads);
    lm_team_lap(&team, count_some, &w);
    lm_team_dismiss(&team);
    report(&w, pairs, sums);
    free(w.counts);
    return LATMC_OK;
}
