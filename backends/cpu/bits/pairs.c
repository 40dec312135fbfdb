/* SPDX-License-Identifier: BSD-3-Clause */
/* Overlaps of pairs of replicas, word by word: N less twice the sites in which two differ. */
#include <stdlib.h>

#include "backends/cpu/bits/plan.h"
#include "backends/cpu/team/team.h"
#include "lib/memory.h"
#include "lib/physics/pair_sums.h"

enum { CHUNKS_PER_THREAD = 8 };

/* All rows of the first pair, then those of the second one, and so on, in chunks of `chunk_rows`.
 */
typedef struct work {
    const lm_bits_plan *plan;
    const int64_t (*replicas)[2];
    int64_t rows, all_rows, chunk_rows; /* of a pair, of all, of a chunk */
    _Atomic int64_t *apart;             /* [pair] */
} work;

/* Sites that differ in rows [first, last). Bits of no site are 0 in all replicas. */
static int64_t count_rows(const lm_bits_plan *p, const int64_t replicas[2], int64_t first,
                          int64_t last)
{
    const int segment = p->words.segment;
    int lane_a, lane_b;
    const int64_t group_a = lm_bits_group_of(p, replicas[0], &lane_a),
                  group_b = lm_bits_group_of(p, replicas[1], &lane_b);
    lm_bits_twins twins = {.plane_words = p->plane_words,
                           .plane_stride = p->plane_stride,
                           .begin = first * p->words.width,
                           .end = last * p->words.width,
                           .shift_a = lane_a * segment,
                           .shift_b = lane_b * segment,
                           .bits = segment == 32 ? ~0u : (1u << segment) - 1u};
    int64_t apart = 0;
    for (int c = 0; c < p->words.sublattices; c++) {
        twins.a = lm_bits_plane(p, group_a, c, 0);
        twins.b = lm_bits_plane(p, group_b, c, 0);
        apart += p->lane->count_apart(&twins);
    }
    return apart;
}

static void count_some(lm_member *m, const void *shared)
{
    const work *w = shared;
    const int64_t chunks = (w->all_rows + w->chunk_rows - 1) / w->chunk_rows;
    int64_t chunk;
    while (lm_team_take(m, chunks, &chunk)) {
        int64_t first = chunk * w->chunk_rows;
        const int64_t left = w->all_rows - first;
        int64_t rows = left < w->chunk_rows ? left : w->chunk_rows;
        while (rows > 0) {
            const int64_t pair = first / w->rows, row = first % w->rows;
            const int64_t n = rows < w->rows - row ? rows : w->rows - row;
            atomic_fetch_add_explicit(&w->apart[pair],
                                      count_rows(w->plan, w->replicas[pair], row, row + n),
                                      memory_order_relaxed);
            first += n;
            rows -= n;
        }
    }
}

/* What one thread takes for a row of both replicas, in nanoseconds, with a share of what a pair
 * takes besides. */
static double row_time(const lm_bits_plan *p, int64_t rows)
{
    const double words = (double)(p->words.sublattices * p->words.width);
    return words * (0.03 + 1.2 / p->lane->lanes) + 60.0 / (double)rows;
}

/* Of the groups there is LM_PAIR_OVERLAP alone. */
latmc_status lm_bits_pairs(void *plan, unsigned groups, int64_t pairs, const int64_t (*replicas)[2],
                           double *sums)
{
    const lm_bits_plan *p = plan;
    const int each = lm_pair_group_begin(LM_PAIR_GROUPS, p->spec.dims, 1);
    const int64_t rows = p->planes * p->plane_rows;
    work w = {.plan = p, .replicas = replicas, .rows = rows, .all_rows = pairs * rows};
    const double row = row_time(p, rows), all = row * (double)w.all_rows;
    const int most = lm_team_most(p->threads, all), threads = lm_team_size(most, all, all);
    const int64_t wanted = (int64_t)threads * CHUNKS_PER_THREAD;
    const int64_t even = (w.all_rows + wanted - 1) / wanted,
                  least = (int64_t)(lm_worth.chunk / row);
    lm_team team;
    (void)groups;
    w.chunk_rows = even > least ? even : least + 1;
    w.apart = lm_zeroed(NULL, "the sums of pairs", pairs, sizeof *w.apart);
    if (!w.apart)
        return LATMC_ERROR_MEMORY;
    lm_team_gather(&team, p->threads, most, threads);
    lm_team_round(&team, count_some, &w);
    lm_team_dismiss(&team);
    for (int64_t i = 0; i < pairs; i++)
        sums[i * each] = (double)(rows * p->spec.extents[0] - 2 * w.apart[i]);
    free(w.apart);
    return LATMC_OK;
}
