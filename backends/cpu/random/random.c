/* SPDX-License-Identifier: BSD-3-Clause */
/* Fills arrays with random numbers, on all threads of a call. All threads fill an array, chunk by
 * chunk. */
#include "backends/cpu/random/random.h"

#include "backends/cpu/random/loops.h"
#include "backends/cpu/team/team.h"

#include "lib/physics/lane_one.h"
#include "lib/physics/random.h"

static const lm_random_loops *const words[] = {LM_EVERY_LANE(lm_random_loops_, _words)};
static const lm_random_loops *const floats[] = {LM_EVERY_LANE(lm_random_loops_, _32)};
static const lm_random_loops *const doubles[] = {LM_EVERY_LANE(lm_random_loops_, _64)};

/* 128 kB; it divides 2^32, so all blocks of a chunk agree in number / 2^32 */
enum { CHUNK_BLOCKS = 8192 };

/* What one thread takes for a block, in nanoseconds: with vectors, and one by one. */
typedef struct price {
    double vector, scalar;
} price;

static const price prices[] = {[LATMC_RANDOM_WORDS - LATMC_RANDOM_WORDS] = {1.5, 10},
                               [LATMC_RANDOM_UNIFORM_FLOAT - LATMC_RANDOM_WORDS] = {1.6, 12},
                               [LATMC_RANDOM_UNIFORM_DOUBLE - LATMC_RANDOM_WORDS] = {1.6, 10},
                               [LATMC_RANDOM_GAUSSIAN_FLOAT - LATMC_RANDOM_WORDS] = {3.5, 90},
                               [LATMC_RANDOM_GAUSSIAN_DOUBLE - LATMC_RANDOM_WORDS] = {4, 80}};

typedef struct filling {
    const lm_numbers *order;
    lm_keys keys;
    lm_random_loop *loop;
    char *to;
    int64_t bytes; /* of a number */
    uint64_t each; /* numbers of a chunk */
    uint64_t first_chunk;
    int64_t chunks;
} filling;

static lm_random_loop *loop_of(latmc_random_kind kind, int lane)
{
    switch (kind) {
    case LATMC_RANDOM_WORDS:
        return words[lane]->words;
    case LATMC_RANDOM_UNIFORM_FLOAT:
        return floats[lane]->uniform;
    case LATMC_RANDOM_UNIFORM_DOUBLE:
        return doubles[lane]->uniform;
    case LATMC_RANDOM_GAUSSIAN_FLOAT:
        return floats[lane]->gaussian;
    case LATMC_RANDOM_GAUSSIAN_DOUBLE:
        return doubles[lane]->gaussian;
    }
    return NULL;
}

static void fill_some(lm_member *m, const void *shared)
{
    const filling *f = shared;
    const uint64_t begin = (uint64_t)f->order->first, end = begin + (uint64_t)f->order->count;
    int64_t chunk;
    while (lm_team_take(m, f->chunks, &chunk)) {
        const uint64_t number = f->first_chunk + (uint64_t)chunk;
        const uint64_t first = number * f->each > begin ? number * f->each : begin;
        const uint64_t last = end - number * f->each < f->each ? end : (number + 1) * f->each;
        const lm_stream stream =
            lm_public_stream(&f->keys, f->order->stream, number * CHUNK_BLOCKS);
        f->loop(&stream, first, (int64_t)(last - first), f->to + (first - begin) * f->bytes);
    }
}

latmc_status lm_cpu_random(int device, int threads, const lm_numbers *order, void *to)
{
    filling f = {.order = order,
                 .keys = lm_keys_of(order->seed, 0),
                 .loop = loop_of(order->kind, device),
                 .to = to,
                 .bytes = lm_random_bytes(order->kind)};
    const price *p = &prices[order->kind - LATMC_RANDOM_WORDS];
    const double blocks = (double)order->count * (double)f.bytes / LM_RANDOM_BLOCK_BYTES;
    lm_team team;
    f.each = (uint64_t)CHUNK_BLOCKS * LM_RANDOM_BLOCK_BYTES / (uint64_t)f.bytes;
    f.first_chunk = (uint64_t)order->first / f.each;
    f.chunks =
        (int64_t)(((uint64_t)(order->first + order->count) - 1) / f.each - f.first_chunk) + 1;
    const double time = blocks * (device == lm_lane_count() - 1 ? p->scalar : p->vector);
    const int most = lm_team_most(threads, time);
    lm_team_gather(&team, threads, most, lm_team_size(most, time, time));
    lm_team_lap(&team, fill_some, &f);
    lm_team_dismiss(&team);
    return LATMC_OK;
}
