/* SPDX-License-Identifier: BSD-3-Clause */
/* Observables of pairs of replicas: doc/trajectory.md, "Sums over pairs". */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/floats.h"
#include "lib/lattice.h"
#include "lib/status.h"

#define LM_SUMS_INLINE static inline
#include "lib/physics/sums.h"

/* ---- a sum that takes one number after another, as lm_sums_tree() takes them all */

enum { LEVELS = 5 }; /* blocks of blocks: 1024^4 numbers, the most sites, leave one on the last */

typedef struct adder {
    double partial[LEVELS][LM_SUMS_STRIDE];
    int count[LEVELS];
} adder;

static void add(adder *to, int level, double x);

/* What a block has comes to is an element of the level above. */
static void lift(adder *to, int level)
{
    const double sum = lm_sums_fold(to->partial[level]);

    memset(to->partial[level], 0, sizeof to->partial[level]);
    to->count[level] = 0;
    add(to, level + 1, sum);
}

static void add(adder *to, int level, double x)
{
    double *partial = &to->partial[level][to->count[level] % LM_SUMS_STRIDE];

    *partial = *partial + x;
    if (++to->count[level] == LM_SUMS_BLOCK)
        lift(to, level);
}

/* Elements of level 0, no further than to the end of the present block. */
static void add_some(adder *to, const double *restrict x, int64_t n)
{
    double *const restrict partial = to->partial[0];
    const int64_t begin = to->count[0];

    for (int64_t i = 0; i < n;) {
        const int64_t j = (begin + i) % LM_SUMS_STRIDE;

        if (j == 0 && n - i >= LM_SUMS_STRIDE) {
            for (int k = 0; k < LM_SUMS_STRIDE; k++)
                partial[k] = partial[k] + x[i + k];
            i += LM_SUMS_STRIDE;
        } else {
            partial[j] = partial[j] + x[i];
            i++;
        }
    }
    to->count[0] += (int)n;
    if (to->count[0] == LM_SUMS_BLOCK)
        lift(to, 0);
}

/* The sum, and the adder begins anew. To add one number to zeros does not change it, so that a
 * block of one may rise to the last level. */
static double end(adder *to)
{
    double sum;

    for (int level = 0; level < LEVELS - 1; level++)
        if (to->count[level])
            lift(to, level);
    sum = to->partial[LEVELS - 1][0];
    memset(to, 0, sizeof *to);
    return sum;
}

/* ---- sums without the help of a device */

/* Rows of some replicas in host memory: replica r in slot r % slots, or in the spare one where the
 * other of its pair is there. */
typedef struct reader {
    const latmc_lattice *lattice;
    const char *caller;
    int64_t slots;
    size_t bytes; /* of a slot */
    char *rows;   /* [slots + 1] */
    /* [slots + 1]: whose rows they are, and of which chunk; a replica's number and 1: 0 has none */
    int64_t *replica, *first;
} reader;

/* The sums of one pair. */
typedef struct pair_sums {
    int count;
    int64_t layer_sites, left; /* of a layer; of the present one */
    double *terms;             /* [count][LM_SUMS_BLOCK] */
    adder *layer, *all;        /* [count] */
} pair_sums;

static latmc_status read_rows(reader *in, int64_t slot, int64_t replica, lm_chunk rows)
{
    latmc_status status;

    if (in->replica[slot] == replica + 1 && in->first[slot] == rows.first)
        return LATMC_OK;
    in->replica[slot] = 0;
    status =
        lm_get_rows(in->lattice, in->caller, replica, rows, in->rows + (size_t)slot * in->bytes);
    if (status)
        return status;
    in->replica[slot] = replica + 1;
    in->first[slot] = rows.first;
    return LATMC_OK;
}

static void add_sites(const latmc_lattice *lattice, pair_sums *to, const char *a, const char *b,
                      int64_t sites)
{
    const int components = lm_components_of(lattice);
    const size_t bytes = (size_t)(components * lattice->type->entry.bytes);

    while (sites > 0) {
        int64_t n = LM_SUMS_BLOCK - to->layer->count[0]; /* all sums have come as far */

        n = to->left < n ? to->left : n;
        n = sites < n ? sites : n;
        lattice->model->pair_terms((latmc_type)lattice->type->entry.id, components, a, b, n,
                                   to->terms);
        for (int k = 0; k < to->count; k++)
            add_some(&to->layer[k], to->terms + k * n, n);
        a += (size_t)n * bytes;
        b += (size_t)n * bytes;
        sites -= n;
        to->left -= n;
        if (to->left > 0)
            continue;
        to->left = to->layer_sites;
        for (int k = 0; k < to->count; k++)
            add(&to->all[k], 0, end(&to->layer[k]));
    }
}

static latmc_status sum_pair(reader *in, pair_sums *to, const int64_t pair[2], double *sums)
{
    const latmc_lattice *lattice = in->lattice;
    const int64_t a = pair[0] % in->slots;
    int64_t b = pair[1] % in->slots;
    latmc_status status = LATMC_OK;

    if (a == b && pair[0] != pair[1])
        b = in->slots;
    to->left = to->layer_sites;
    for (lm_chunk c = {0}; !status && lm_next_rows(lattice, &c);) {
        status = read_rows(in, a, pair[0], c);
        if (!status)
            status = read_rows(in, b, pair[1], c);
        if (!status)
            add_sites(lattice, to, in->rows + (size_t)a * in->bytes,
                      in->rows + (size_t)b * in->bytes, c.count * lattice->extents[0]);
    }
    for (int k = 0; k < to->count && !status; k++)
        sums[k] = end(&to->all[k]);
    return status;
}

/* Room for what fits in some 4 million numbers, and for two replicas in any case. */
static latmc_status open_reader(const latmc_lattice *lattice, const char *caller, reader *in)
{
    const int64_t budget = (int64_t)1 << 22;
    const int64_t numbers = lm_chunk_rows(lattice) * lm_row_numbers(lattice);
    const int64_t fit = budget / numbers, most = fit < 1 ? 1 : fit;
    const int64_t slots = lattice->replicas < most ? lattice->replicas : most;

    *in = (reader){.lattice = lattice, .caller = caller, .slots = slots};
    in->bytes = (size_t)numbers * (size_t)lattice->type->entry.bytes;
    in->rows = lm_zeroed(caller, "some rows of sites", slots + 1, in->bytes);
    in->replica = lm_zeroed(caller, "whose rows they are", slots + 1, sizeof *in->replica);
    in->first = lm_zeroed(caller, "which rows they are", slots + 1, sizeof *in->first);
    return in->rows && in->replica && in->first ? LATMC_OK : LATMC_ERROR_MEMORY;
}

static latmc_status open_sums(const latmc_lattice *lattice, const char *caller, pair_sums *to)
{
    const int count = lattice->model->pair_sums;

    *to = (pair_sums){.count = count, .layer_sites = lattice->sites};
    if (lattice->dims > 1)
        to->layer_sites /= lattice->extents[lattice->dims - 1];
    to->terms =
        lm_zeroed(caller, "what sites add", (int64_t)count * LM_SUMS_BLOCK, sizeof *to->terms);
    to->layer = lm_zeroed(caller, "the sums of a layer", count, sizeof *to->layer);
    to->all = lm_zeroed(caller, "the sums of layers", count, sizeof *to->all);
    return to->terms && to->layer && to->all ? LATMC_OK : LATMC_ERROR_MEMORY;
}

latmc_status lm_pairs_by_rows(const latmc_lattice *lattice, const char *caller, int64_t pairs,
                              const int64_t (*replicas)[2], double *sums)
{
    reader in;
    pair_sums to = {0};
    latmc_status status = open_reader(lattice, caller, &in);

    if (!status)
        status = open_sums(lattice, caller, &to);
    for (int64_t p = 0; p < pairs && !status; p++)
        status = sum_pair(&in, &to, replicas[p], sums + p * to.count);
    free(in.rows);
    free(in.replica);
    free(in.first);
    free(to.terms);
    free(to.layer);
    free(to.all);
    return status;
}

/* ---- the call */

static latmc_status check_request(const latmc_lattice *lattice, const char *caller, int64_t pairs,
                                  const int64_t *replicas, int count,
                                  const latmc_observable *observables, const double *values)
{
    if (!replicas || !observables || !values)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", caller,
                       !replicas      ? "replicas"
                       : !observables ? "observables"
                                      : "values");
    if (pairs < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: pairs is %" PRId64 "; it must be at least 1",
                       caller, pairs);
    if (count < 1)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: count is %d; it must be at least 1", caller,
                       count);
    for (int o = 0; o < count; o++)
        if (!lm_model_need(lattice->model, LATMC_PAIR_OBSERVABLES, (int)observables[o], caller))
            return LATMC_ERROR_UNKNOWN;
    for (int64_t p = 0; p < pairs; p++)
        for (int i = 0; i < 2; i++)
            if (replicas[2 * p + i] < 0 || replicas[2 * p + i] >= lattice->replicas)
                return lm_fail(LATMC_ERROR_ARGUMENT,
                               "%s: replica %" PRId64 " is in pair %" PRId64 "; 0 to %" PRId64
                               " are allowed",
                               caller, replicas[2 * p + i], p, lattice->replicas - 1);
    return LATMC_OK;
}

/* A device may have its own way to the same sums. */
static latmc_status sum_pairs(const latmc_lattice *lattice, const char *caller, int64_t pairs,
                              const int64_t (*replicas)[2], double *sums)
{
    const lm_plan plan = lattice->place.plan;

    if (plan.ops && plan.ops->pairs)
        return lm_fail_in(caller, plan.ops->pairs(plan.self, pairs, replicas, sums));
    return lm_pairs_by_rows(lattice, caller, pairs, replicas, sums);
}

/* The pairs as replicas, as many as of `given`; free() them, or NULL after a failure. */
static int64_t *as_replicas(const latmc_lattice *lattice, const char *caller, int64_t pairs,
                            const int64_t *given)
{
    int64_t *replicas = lm_zeroed(caller, "a list of pairs", pairs, 2 * sizeof *replicas);

    for (int64_t i = 0; replicas && i < 2 * pairs; i++)
        replicas[i] = lm_replica_at(lattice, given[i]);
    return replicas;
}

latmc_status latmc_observe_pairs(latmc_lattice *lattice, int64_t pairs, const int64_t *replicas,
                                 int count, const latmc_observable *observables, double *values)
{
    LM_FLOATS;
    double *sums;
    int64_t *who;
    latmc_status status = lm_need_started(lattice, __func__);

    if (!status)
        status = check_request(lattice, __func__, pairs, replicas, count, observables, values);
    if (status)
        return status;
    who = as_replicas(lattice, __func__, pairs, replicas);
    sums = who ? lm_zeroed(__func__, "the sums of pairs", pairs,
                           (size_t)lattice->model->pair_sums * sizeof *sums)
               : NULL;
    status = sums ? sum_pairs(lattice, __func__, pairs, (const int64_t(*)[2])who, sums)
                  : LATMC_ERROR_MEMORY;
    for (int o = 0; o < count && !status; o++) {
        const lm_entry *entry =
            lm_list_find(lm_list_of(lattice->model, LATMC_PAIR_OBSERVABLES), (int)observables[o]);

        for (int64_t p = 0; p < pairs; p++)
            values[o * pairs + p] = lm_entry_value(
                entry, lm_reading_of(lattice, NULL, sums + p * lattice->model->pair_sums));
    }
    free(who);
    free(sums);
    return status;
}
