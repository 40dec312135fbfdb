/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves and copies many replicas of cells at once, by all threads. */
#include "backends/cpu/bits/automaton.h"
#include "backends/cpu/team/team.h"
#include "lib/base/minmax.h"

/* A block has so many words of natural order, and a word takes so many nanoseconds. */
enum { BLOCK_WORDS = 1024, WORD_BITS = 64 };
#define WORD_NS 4.0

typedef struct job {
    lm_automaton_plan *plan;
    const lm_crossing *c;
    int64_t rows, blocks; /* rows of a block; blocks of a replica */
    int64_t words;        /* of a row in natural order */
} job;

static void read_row(const lm_automaton_plan *p, const uint32_t *from, uint64_t *bits)
{
    for (int64_t j = 0; j < p->words / 2; j++)
        bits[j] = from[2 * j] | (uint64_t)from[2 * j + 1] << 32;
    if (p->words % 2)
        bits[p->words / 2] = from[p->words - 1];
}

static void write_row(const lm_automaton_plan *p, const uint64_t *bits, uint32_t *to)
{
    for (int64_t j = 0; j < p->words; j++)
        to[j] = (uint32_t)(bits[j / 2] >> j % 2 * 32);
}

static void do_item(void *user, int thread, int64_t i)
{
    const job *j = user;
    const lm_automaton_plan *p = j->plan;
    const lm_crossing *c = j->c;
    const int64_t replica = c->replica + i / j->blocks;
    const int64_t first = c->first_row + i % j->blocks * j->rows;
    const int64_t row = first - p->spec.first_layer;
    lm_natural n = {.digit = {p->room.words + thread * j->rows * j->words},
                    .digits = 1,
                    .numbers = LM_STATES,
                    .rows = lm_min(j->rows, c->first_row + c->rows - first),
                    .words = j->words,
                    .extent = p->spec.extents[0]};
    const int64_t at = lm_cross_place(c, n.extent, replica, first);

    for (int64_t r = 0; !c->in && r < n.rows; r++)
        read_row(p, lm_automaton_row(p, replica, p->present, row + r), n.digit[0] + r * n.words);
    if (c->out) {
        lm_natural_write(p->cross, &n, c->bits < 8, c->out + at);
        return;
    }
    for (int64_t w = 0; w < n.rows * n.words; w++)
        n.digit[0][w] = 0;
    lm_natural_read(p->cross, &n, c->bits < 8, c->in + at);
    for (int64_t r = 0; r < n.rows; r++)
        write_row(p, n.digit[0] + r * n.words, lm_automaton_row(p, replica, p->present, row + r));
    lm_automaton_dress(p, replica, p->present, row, row + n.rows);
}

latmc_status lm_automaton_cross(void *plan, const lm_crossing *c)
{
    lm_automaton_plan *p = plan;
    const int64_t extent = p->spec.extents[0], words = (extent + WORD_BITS - 1) / WORD_BITS;
    const int64_t rows = lm_min(lm_cross_rows(c, extent, BLOCK_WORDS / words), c->rows);
    job j = {.plan = p, .c = c, .rows = rows, .blocks = (c->rows + rows - 1) / rows};
    const int workers =
        lm_team_workers(p->threads, WORD_NS * (double)(c->replicas * c->rows * words));
    j.words = words;
    const latmc_status status = lm_cpu_room_make(&p->room, workers * rows * words);
    if (status || c->prepares)
        return status;
    lm_team_share(p->threads, workers, c->replicas * j.blocks, do_item, &j);
    return LATMC_OK;
}

unsigned lm_automaton_crosses(const void *plan)
{
    (void)plan;
    return LM_CROSS_BITS;
}

/* The first word belongs to the row before: what lies beyond its last cell. The last row's is
 * behind the buffer. */
latmc_status lm_automaton_copy(void *plan, const int64_t *from)
{
    lm_automaton_plan *p = plan;
    const int64_t bytes = (p->rows + 2) * p->stride * (int64_t)sizeof *p->memory;
    const lm_cpu_copies c = {.units =
                                 (char *)(p->memory + p->present * (p->rows + 2) * p->stride + 1),
                             .count = p->spec.replicas,
                             .pitch = 2 * bytes,
                             .bytes = bytes,
                             .replicas = p->spec.replicas,
                             .per_word = 1,
                             .from = from};
    const latmc_status status = lm_cpu_copy(&c, &p->room, p->threads);
    if (!status && from)
        lm_cpu_copy_numbers(&c, &p->room, p->counts + LM_AUTOMATON_CHANGES, LM_AUTOMATON_BUNDLES);
    return status;
}
