/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves and copies many replicas of a lattice of words at once, by all threads. Threads share
 * blocks of rows of groups, since replicas of a group share words. */
#include <string.h>

#include "backends/cpu/bits/plan.h"
#include "backends/cpu/team/team.h"
#include "lib/base/minmax.h"

/* A block has so many words of natural order, which fit a thread's cache. A word takes so many
 * nanoseconds. */
enum { BLOCK_WORDS = 1024, ITEM_WORDS = 1024 };
#define WORD_NS 4.0

typedef struct job {
    lm_bits_plan *plan;
    const lm_crossing *c;
    int64_t first_group;
    int64_t rows, blocks;  /* rows of a block; blocks of a group */
    int64_t all, per_item; /* blocks of all groups; those of an item */
    int64_t words;         /* of a row in natural order */
} job;

/* A block has some rows of a group. It ends where a plane ends, at the latest. */
typedef struct block {
    const job *job;
    int64_t group, row, count;        /* rows of the plan */
    uint64_t *digit[LM_CROSS_DIGITS]; /* [row][word] */
} block;

/* Returns the number in the plan of the first replica of a group, which may be below 0. */
static int64_t first_replica_of(const lm_bits_plan *p, int64_t group)
{
    return (p->words.first_group + group) * p->words.per_word - p->spec.first_replica;
}

static int has_replica(const block *b, int nth)
{
    const lm_crossing *c = b->job->c;
    const int64_t r = first_replica_of(b->job->plan, b->group) + nth;
    return r >= c->replica && r < c->replica + c->replicas;
}

/* Returns the bits of a row's last word that are sites of the crossing. */
static uint32_t last_bits(const block *b)
{
    const lm_bits_plan *p = b->job->plan;
    uint32_t bits = 0;
    for (int nth = 0; nth < p->words.per_word; nth++)
        if (has_replica(b, nth))
            bits |= ~0u >> (32 - p->shape.bits) << nth * p->words.segment;
    return bits;
}

/* ---- between words and bits in natural order */

static uint32_t *words_of(const block *b, int sublattice, int k)
{
    const lm_bits_plan *p = b->job->plan;
    return lm_bits_row(p, b->group, sublattice, b->row) + k * p->digit_stride;
}

static lm_woven woven_of(const block *b, int k)
{
    const lm_bits_plan *p = b->job->plan;
    const int parity = lm_row_parity(&p->spec, lm_bits_first_row(p) + b->row);
    return (lm_woven){.even = words_of(b, parity, k),
                      .odd = words_of(b, 1 - parity, k),
                      .width = p->words.width,
                      .rows = b->count,
                      .last = last_bits(b)};
}

static void copy_out(const block *b, const uint32_t *from, uint64_t *bits)
{
    const int64_t width = b->job->plan->words.width;
    for (int64_t r = 0; r < b->count; r++, from += width, bits += b->job->words) {
        for (int64_t j = 0; j < width / 2; j++)
            bits[j] = from[2 * j] | (uint64_t)from[2 * j + 1] << 32;
        if (width % 2)
            bits[width / 2] = from[width - 1];
    }
}

static void copy_in(const block *b, const uint64_t *bits, uint32_t *to)
{
    const int64_t width = b->job->plan->words.width;
    const uint32_t last = last_bits(b);
    for (int64_t r = 0; r < b->count; r++, to += width, bits += b->job->words)
        for (int64_t j = 0; j < width; j++) {
            const uint32_t mask = j == width - 1 ? last : ~0u;
            to[j] = (to[j] & ~mask) | ((uint32_t)(bits[j / 2] >> j % 2 * 32) & mask);
        }
}

static void read_digit(const block *b, int k)
{
    const lm_bits_plan *p = b->job->plan;
    const lm_woven w = woven_of(b, k);
    if (p->words.folded)
        p->cross->weave(&w, b->digit[k]);
    else
        copy_out(b, words_of(b, 0, k), b->digit[k]);
}

static void write_digit(const block *b, int k)
{
    const lm_bits_plan *p = b->job->plan;
    const lm_woven w = woven_of(b, k);
    if (p->words.folded)
        p->cross->unweave(&w, b->digit[k]);
    else
        copy_in(b, b->digit[k], words_of(b, 0, k));
}

/* Moves rows of one plane, and brings ghosts up to date. */
static void move_plane(const block *b)
{
    const lm_bits_plan *p = b->job->plan;
    const int64_t row = b->row % p->plane_rows;
    for (int k = 0; k < p->digits; k++)
        (b->job->c->in ? write_digit : read_digit)(b, k);
    for (int c = 0; b->job->c->in && c < p->words.sublattices; c++)
        lm_bits_refresh(p, b->group, c, b->row / p->plane_rows, row, row + b->count);
}

static void move_planes(const block *all)
{
    const lm_bits_plan *p = all->job->plan;
    block b = *all;
    for (int64_t done = 0; done < all->count; done += b.count) {
        b.row = all->row + done;
        b.count = lm_min(all->count - done, p->plane_rows - b.row % p->plane_rows);
        for (int k = 0; k < p->digits; k++)
            b.digit[k] = all->digit[k] + done * all->job->words;
        move_plane(&b);
    }
}

/* ---- between bits and the array */

static void move_nth(const block *b, int nth)
{
    const lm_bits_plan *p = b->job->plan;
    const lm_crossing *c = b->job->c;
    const int64_t extent = p->spec.extents[0], row = lm_bits_first_row(p) + b->row;
    const int64_t at = lm_cross_place(c, extent, first_replica_of(p, b->group) + nth, row);
    lm_natural n = {.digits = p->digits,
                    .numbers = p->model->common->numbers,
                    .rows = b->count,
                    .words = b->job->words,
                    .extent = extent,
                    .shift = nth * p->words.segment * p->words.sublattices};
    memcpy(n.digit, b->digit, sizeof n.digit);
    if (c->in)
        lm_natural_read(p->cross, &n, c->bits < 8, c->in + at);
    else
        lm_natural_write(p->cross, &n, c->bits < 8, c->out + at);
}

static void move_block(const job *j, int64_t number, uint64_t *room)
{
    const lm_bits_plan *p = j->plan;
    const int64_t first = number % j->blocks * j->rows, size = j->rows * j->words;
    block b = {.job = j,
               .group = j->first_group + number / j->blocks,
               .row = j->c->first_row - lm_bits_first_row(p) + first,
               .count = lm_min(j->rows, j->c->rows - first)};
    for (int k = 0; k < p->digits; k++)
        b.digit[k] = room + k * size;
    if (j->c->in)
        memset(room, 0, (size_t)(p->digits * size) * sizeof *room);
    else
        move_planes(&b);
    for (int nth = 0; nth < p->words.per_word; nth++)
        if (has_replica(&b, nth))
            move_nth(&b, nth);
    if (j->c->in)
        move_planes(&b);
}

static void do_item(void *user, int thread, int64_t i)
{
    const job *j = user;
    const int64_t begin = i * j->per_item, end = lm_min(begin + j->per_item, j->all);
    uint64_t *const room = j->plan->room.words + thread * j->plan->digits * j->rows * j->words;
    for (int64_t number = begin; number < end; number++)
        move_block(j, number, room);
}

/* ---- the call */

static job job_of(lm_bits_plan *p, const lm_crossing *c)
{
    const lm_words *w = &p->words;
    int nth;
    job j = {.plan = p, .c = c, .first_group = lm_bits_group_of(p, c->replica, &nth)};
    j.words = w->folded ? w->width : (w->width + 1) / 2;
    j.rows = lm_min(lm_cross_rows(c, p->spec.extents[0], BLOCK_WORDS / j.words), c->rows);
    j.blocks = (c->rows + j.rows - 1) / j.rows;
    j.all =
        (lm_bits_group_of(p, c->replica + c->replicas - 1, &nth) + 1 - j.first_group) * j.blocks;
    j.per_item = lm_max(ITEM_WORDS / (j.rows * j.words), 1);
    return j;
}

latmc_status lm_bits_cross(void *plan, const lm_crossing *c)
{
    lm_bits_plan *p = plan;
    job j = job_of(p, c);
    const double words = (double)(j.all * j.rows * j.words * p->digits);
    const int workers = lm_team_workers(p->threads, WORD_NS * words);
    const latmc_status status = lm_cpu_room_make(&p->room, workers * p->digits * j.rows * j.words);
    if (status || c->prepares)
        return status;
    lm_team_share(p->threads, workers, (j.all + j.per_item - 1) / j.per_item, do_item, &j);
    return LATMC_OK;
}

unsigned lm_bits_crosses(const void *plan)
{
    (void)plan;
    return LM_CROSS_BITS;
}

latmc_status lm_bits_copy(void *plan, const int64_t *from)
{
    lm_bits_plan *p = plan;
    const lm_words *w = &p->words;
    const int64_t bytes = w->sublattices * p->digits * p->digit_stride * (int64_t)sizeof *p->sites;
    const lm_cpu_copies c = {.units = (char *)p->sites,
                             .count = w->groups,
                             .pitch = bytes,
                             .bytes = bytes,
                             .replicas = p->spec.replicas,
                             .per_word = w->per_word,
                             .segment = w->segment,
                             .first_nth = p->spec.first_replica % w->per_word,
                             .from = from};
    const latmc_status status = lm_cpu_copy(&c, &p->room, p->threads);
    if (!status && from)
        lm_cpu_copy_numbers(&c, &p->room, p->counts + (c.first_nth + 1) * p->sums - 1, p->sums);
    return status;
}
