/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes sums over pairs of replicas from their rows, on devices and in host memory:
 * doc/trajectory.md, "Sums over pairs". */
#include "lib/sums/pair_rows.h"

#include <stdlib.h>

#include "lib/base/memory.h"
#include "lib/base/minmax.h"
#include "lib/base/status.h"
#include "lib/divide/workers.h"
#include "lib/lattice/lattice_chunks.h"
#include "lib/sums/pair_count.h"
#include "lib/sums/pair_terms.h"
#include "lib/physics/geometry.h"

/* ---- a pair */

/* Adds the sums of a finished layer to the totals. */
static void end_layer(lm_pair_summing *s)
{
    for (int g = 0; g < LM_PAIR_BUNDLES; g++)
        for (int k = s->begin[g]; k < s->begin[g + 1] && lm_pair_takes(s, g); k++)
            lm_adder_one(&s->all[k], lm_adder_end(&s->layer[k]));
    s->left = s->layer_sites;
    s->block_left = LM_SUMS_BLOCK;
}

static latmc_status add_segment(lm_pair_summing *s, const lm_pair_sites *at)
{
    double *const q = lm_pair_terms(s, LM_PAIR_PRODUCT);
    latmc_status status = LATMC_OK;

    if (lm_pair_takes(s, LM_PAIR_OVERLAP) || lm_pair_takes(s, LM_PAIR_WAVES))
        lm_pair_products(s, lm_pair_site(s, at->row_sites[0], at->first),
                         lm_pair_site(s, at->row_sites[1], at->first), at->count, q);
    if (lm_pair_takes(s, LM_PAIR_OVERLAP))
        lm_adder_some(s->layer + s->begin[LM_PAIR_OVERLAP], q, at->count);
    if (lm_pair_takes(s, LM_PAIR_WAVES))
        lm_pair_add_waves(s, at, q);
    if (lm_pair_takes(s, LM_PAIR_TENSOR) || lm_pair_takes(s, LM_PAIR_TENSOR_WAVES))
        lm_pair_add_tensor(s, at);
    if (lm_pair_takes(s, LM_PAIR_CHIRAL) || lm_pair_takes(s, LM_PAIR_CHIRAL_WAVES))
        status = lm_pair_add_chiral(s, at);
    return !status && lm_pair_takes(s, LM_PAIR_LINKS) ? lm_pair_add_links(s, at) : status;
}

/* Adds `count` sites of a chunk, from the beginning of at->row on. They are one row, or several
 * rows if the sums do not depend on the row. */
static latmc_status add_sites(lm_pair_summing *s, lm_pair_sites *at, int64_t count)
{
    latmc_status status = lm_row_cached(&s->rows, at->replicas[0], at->row, &at->row_sites[0]);

    if (!status)
        status = lm_row_cached(&s->rows, at->replicas[1], at->row, &at->row_sites[1]);
    lm_coordinates(at->row, 1, s->dims, s->lattice->extents, at->x);
    for (at->first = 0; at->first < count && !status; at->first += at->count) {
        const int64_t rest = count - at->first,
                      fit = s->block_left < s->left ? s->block_left : s->left;

        at->count = rest < fit ? rest : fit;
        at->x[0] = at->first;
        status = add_segment(s, at);
        at->in_chunk += at->count;
        s->block_left = s->block_left > at->count ? s->block_left - at->count : LM_SUMS_BLOCK;
        s->left -= at->count;
        if (s->left == 0)
            end_layer(s);
    }
    return status;
}

/* Adds a row to the sums with momenta. */
static latmc_status add_at_momenta(lm_pair_summing *s, lm_pair_sites *at)
{
    latmc_status status = LATMC_OK;

    for (int i = 0; i < 2 && !status; i++)
        status = lm_row_cached(&s->rows, at->replicas[i], at->row, &at->row_sites[i]);
    lm_coordinates(at->row, 1, s->dims, s->lattice->extents, at->x);
    return status ? status : lm_pair_add_at_momenta(s, *at);
}

static latmc_status add_chunk(lm_pair_summing *s, const int64_t pair[2], lm_chunk rows)
{
    const unsigned anywhere = 1u << LM_PAIR_OVERLAP | 1u << LM_PAIR_TENSOR;
    const int64_t at_once = s->bundles & ~anywhere ? 1 : rows.count;
    lm_pair_sites at = {.replicas = pair};
    latmc_status status = LATMC_OK;

    for (int i = 0; i < 2 && lm_pair_takes(s, LM_PAIR_LINKS); i++)
        at.there[i] = lm_pair_links_of(s, i, pair[i], rows);
    for (int64_t r = 0; r < rows.count && !status; r += at_once) {
        at.row = rows.first + r;
        status = s->bundles & LM_PAIR_MOMENTA ? add_at_momenta(s, &at)
                                              : add_sites(s, &at, at_once * s->lattice->extents[0]);
    }
    return status;
}

static latmc_status sum_pair(lm_pair_summing *s, const int64_t pair[2], double *sums)
{
    latmc_status status = LATMC_OK;

    for (lm_chunk c = {0}; !status && lm_next_rows(s->lattice, &c);)
        status = add_chunk(s, pair, c);
    for (int g = LM_PAIR_AT; g < LM_PAIR_AT_END && !status; g++)
        if (lm_pair_takes(s, g))
            lm_momentum_end(
                &s->at[g - LM_PAIR_AT],
                sums + lm_pair_begin_at(g, s->dims, s->components, lm_momentum_count(s->lattice)));
    for (int g = 0; g < LM_PAIR_BUNDLES && !status; g++)
        for (int k = s->begin[g]; k < s->begin[g + 1] && lm_pair_takes(s, g); k++)
            sums[k] = lm_adder_end(&s->all[k]);
    if (!status && lm_pair_takes(s, LM_PAIR_WAVES) && s->lattice->model->whole_products)
        lm_planes_end(&s->planes, sums + s->begin[LM_PAIR_WAVES]);
    for (int a = 0; a < s->dims && !status && lm_pair_takes(s, LM_PAIR_LINKS); a++) {
        sums[s->begin[LM_PAIR_LINKS] + 2 * a + 1] = s->bonds[a];
        s->bonds[a] = 0.0;
    }
    return status;
}

/* ---- memory */

static latmc_status open_links(lm_pair_summing *s)
{
    for (int i = 0; i < 2; i++) {
        s->links[i].there =
            lm_unzeroed(s->caller, "which bonds there are", s->dims * s->chunk_sites, 1);
        if (!s->links[i].there)
            return LATMC_ERROR_MEMORY;
    }
    return LATMC_OK;
}

static latmc_status open_planes(lm_pair_summing *s, const lm_pair_summing *first)
{
    return first == s ? lm_planes_open(&s->planes, s->lattice, s->caller, 1)
                      : lm_planes_open_beside(&s->planes, &first->planes, s->caller);
}

/* Returns how many chunks the cache holds: of a row and its neighbours, in both replicas. */
static int rows_together(const lm_pair_summing *s)
{
    const unsigned turns =
        1u << LM_PAIR_CHIRAL | 1u << LM_PAIR_CHIRAL_WAVES | 1u << LM_PAIR_CHIRAL_AT;

    return s->bundles & turns                ? 4 * s->dims + 2
           : lm_pair_takes(s, LM_PAIR_LINKS) ? 2 * (s->dims + 1)
                                             : 2;
}

/* Sets what needs no memory. */
static void measure_out(lm_pair_summing *s, const latmc_lattice *lattice, const char *caller,
                        unsigned bundles)
{
    const int dims = lattice->dims, components = lm_components_of(lattice);
    const int64_t layers = dims > 1 ? lattice->extents[dims - 1] : 1;

    *s = (lm_pair_summing){.lattice = lattice,
                           .caller = caller,
                           .bundles = bundles,
                           .dims = dims,
                           .components = components,
                           .count = bundles & LM_PAIR_MOMENTA ? lm_pair_sums_at(lattice, bundles)
                                                              : lm_pair_sums_of(lattice),
                           .bytes = (size_t)(components * lattice->type->entry.bytes),
                           .chunk_sites = lm_chunk_rows(lattice) * lattice->extents[0],
                           .layer_sites = lattice->sites / layers,
                           .left = lattice->sites / layers,
                           .block_left = LM_SUMS_BLOCK};
    for (int g = 0; g <= LM_PAIR_BUNDLES; g++)
        s->begin[g] = lm_pair_bundle_begin(g, dims, components);
}

static latmc_status open_at_momenta(lm_pair_summing *s)
{
    latmc_status status = lm_momenta_prepare(s->lattice, s->caller);

    for (int g = LM_PAIR_AT; g < LM_PAIR_AT_END && !status; g++)
        if (lm_pair_takes(s, g))
            status = lm_momentum_open(&s->at[g - LM_PAIR_AT], s->lattice, s->caller,
                                      lm_pair_terms_at(g, s->dims, s->components));
    return status;
}

/* Opens a summing. `first` is the summing itself, or an open one that lends its waves. */
static latmc_status open_summing(lm_pair_summing *s, const lm_pair_summing *first,
                                 const latmc_lattice *lattice, const char *caller, unsigned bundles)
{
    const unsigned waves =
        1u << LM_PAIR_WAVES | 1u << LM_PAIR_TENSOR_WAVES | 1u << LM_PAIR_CHIRAL_WAVES;
    latmc_status status;

    measure_out(s, lattice, caller, bundles);
    status = lm_row_cache_open(&s->rows, lattice, caller, rows_together(s));
    if (status)
        return status;
    s->terms = lm_unzeroed(caller, "what sites add",
                           (LM_PAIR_SPARE + s->components * s->components) * LM_SUMS_BLOCK,
                           sizeof *s->terms);
    s->layer = lm_zeroed(caller, "the sums of a layer", s->count, sizeof *s->layer);
    s->all = lm_zeroed(caller, "the sums of layers", s->count, sizeof *s->all);
    if (!s->terms || !s->layer || !s->all)
        return LATMC_ERROR_MEMORY;
    if (bundles & LM_PAIR_MOMENTA)
        status = open_at_momenta(s);
    if (!status && bundles & waves)
        status = open_planes(s, first);
    return status || !lm_pair_takes(s, LM_PAIR_LINKS) ? status : open_links(s);
}

static void close_summing(lm_pair_summing *s)
{
    lm_row_cache_close(&s->rows);
    free(s->terms);
    free(s->layer);
    free(s->all);
    for (int g = LM_PAIR_AT; g < LM_PAIR_AT_END; g++)
        lm_momentum_close(&s->at[g - LM_PAIR_AT]);
    lm_planes_close(&s->planes);
    free(s->links[0].there);
    free(s->links[1].there);
}

/* ---- all pairs, shared by threads */

/* A thread takes up to TOGETHER consecutive pairs at once, because neighbours in the list
 * share rows or bonds. If there are enough pairs, each thread has at least SHARES shares. */
enum { TOGETHER = 8, SHARES = 4 };

/* The most bytes for the buffers of further threads, as far as they grow with the lattice. */
#define ROOMS_BYTES ((size_t)256 << 20)

typedef struct sharing {
    int64_t pairs, together;
    const int64_t (*replicas)[2];
    double *sums;
    int workers;
    lm_pair_summing *of;  /* [thread] */
    latmc_status *failed; /* [thread]; further threads only read host memory, which cannot fail, so
                             the message is the caller's own */
} sharing;

static void sum_some(void *user, int thread, int64_t number)
{
    const sharing *w = user;
    lm_pair_summing *const s = &w->of[thread];
    const int64_t first = number * w->together, left = w->pairs - first;
    const int64_t end = first + (left < w->together ? left : w->together);

    for (int64_t p = first; p < end && !w->failed[thread]; p++)
        w->failed[thread] = sum_pair(s, w->replicas[p], w->sums + p * s->count);
}

/* Estimates the time in nanoseconds of a core of 2024. It counts finding a site, adding to its
 * sums, and ending a layer. */
static double time_of(const latmc_lattice *lattice, unsigned bundles, int64_t pairs)
{
    const int dims = lattice->dims;
    const double layers = dims > 1 ? (double)lattice->extents[dims - 1] : 1.0;
    int sums = lm_pair_sums_at(lattice, bundles);

    for (int g = 0; g < LM_PAIR_BUNDLES; g++)
        if (bundles >> g & 1u)
            sums += lm_pair_bundle_size(g, dims, lm_components_of(lattice));
    return (double)pairs * ((double)lattice->sites * (3.0 + sums) + 10.0 * layers * sums);
}

/* Returns the bytes of the buffers that grow with the lattice. */
static size_t room_of(const lm_pair_summing *s)
{
    const int64_t chunks = s->rows.sets * s->rows.ways;

    return (size_t)chunks * s->rows.bytes +
           (lm_pair_takes(s, LM_PAIR_LINKS) ? (size_t)(2 * s->dims * s->chunk_sites) : 0) +
           2 * sizeof(double) * (size_t)s->planes.begin[s->dims] + 1;
}

/* Opens a summing for each thread that has work and finds memory. Only the first one must
 * succeed. */
static latmc_status open_hands(sharing *w, const latmc_lattice *lattice, const char *caller,
                               unsigned bundles, int wanted)
{
    const int64_t items = (w->pairs + w->together - 1) / w->together;
    const latmc_status status = open_summing(&w->of[0], &w->of[0], lattice, caller, bundles);
    const lm_message before = lm_message_now();
    int64_t most;

    w->workers = 1;
    if (status)
        return status;
    most = lm_min(lm_min(wanted, items), 1 + (int64_t)(ROOMS_BYTES / room_of(&w->of[0])));
    while (w->workers < most) {
        lm_pair_summing *const next = &w->of[w->workers];

        if (open_summing(next, &w->of[0], lattice, caller, bundles)) {
            close_summing(next);
            lm_message_again(&before);
            break;
        }
        w->workers++;
    }
    return LATMC_OK;
}

static void close_hands(sharing *w)
{
    for (int i = 0; i < w->workers; i++)
        close_summing(&w->of[i]);
    free(w->of);
    free(w->failed);
}

latmc_status lm_pairs_by_rows(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                              int64_t pairs, const int64_t (*replicas)[2], double *sums)
{
    const lm_plan_ops *const ops = lattice->home.plan.ops;
    const int wanted = ops && ops->read_at_once
                           ? lm_workers(lattice->threads, time_of(lattice, bundles, pairs))
                           : 1;
    const int64_t share = pairs / (SHARES * wanted);
    sharing w = {.pairs = pairs,
                 .together = share < 1 ? 1 : lm_min(share, TOGETHER),
                 .replicas = replicas,
                 .sums = sums};
    latmc_status status = LATMC_ERROR_MEMORY;

    w.of = lm_zeroed(caller, "threads' sums over pairs", wanted, sizeof *w.of);
    w.failed = lm_zeroed(caller, "how threads fared", wanted, sizeof *w.failed);
    if (w.of && w.failed)
        status = open_hands(&w, lattice, caller, bundles, wanted);
    if (!status)
        lm_workers_share(lattice->threads, w.workers, (pairs + w.together - 1) / w.together,
                         sum_some, &w);
    for (int i = 0; i < w.workers && !status; i++)
        status = w.failed[i];
    close_hands(&w);
    return status;
}
