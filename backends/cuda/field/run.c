/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes sweeps, measurements and series of them, on a field. */
#include "backends/cuda/field/plan.h"
#include "backends/cuda/series.h"

#include "lib/physics/sums.h"

/* Shares of the L2 cache. Lattices below the first share stay in it whole; of a portion above the
 * second, nothing stays. */
#define CACHE_HOLDS 0.7
#define CACHE_KEEPS 0.55
enum { SWEEPS_OF_A_PORTION = 4 };

typedef cudaError_t launch_parts(lm_cuda_field_plan *, lm_field_view *, lm_cuda_field_pass *);

static cudaError_t launch_colours(lm_cuda_field_plan *p, lm_field_view *v, lm_cuda_field_pass *pass)
{
    const int last = v->colours.colours - 1;
    double *const leaves = pass->leaves;
    cudaError_t e = cudaSuccess;
    for (pass->phase = 0; e == cudaSuccess && pass->phase <= last; pass->phase++) {
        pass->leaves = pass->phase == last ? leaves : NULL;
        pass->backward = pass->phase % 2;
        v->overlaps = lm_cuda_overlaps(&p->head);
        e = p->launch->colour(v, pass, p->head.stream);
    }
    return e;
}

static cudaError_t launch_packs(lm_cuda_field_plan *p, lm_field_view *v, lm_cuda_field_pass *pass)
{
    pass->packs = 1;
    return launch_colours(p, v, pass);
}

static cudaError_t launch_tiles(lm_cuda_field_plan *p, lm_field_view *v, lm_cuda_field_pass *pass)
{
    cudaError_t e = cudaSuccess;
    for (pass->phase = 0; e == cudaSuccess && pass->phase < p->tiles.phases; pass->phase++) {
        v->overlaps = lm_cuda_overlaps(&p->head);
        e = p->launch->tiles(v, pass, p->head.stream);
    }
    return e;
}

lm_cuda_field_pass lm_cuda_field_pass_of(const lm_cuda_field_plan *p, int update, int64_t step,
                                         int64_t first, int64_t last)
{
    const int64_t layer_rows = (int64_t)lm_field_layer_sites(&p->view) / p->spec.extents[0];
    return (lm_cuda_field_pass){
        .step = (uint64_t)step,
        .variant = p->model->variant ? p->model->variant(update) : update,
        .row = (uint32_t)((first - lm_field_first_layer(&p->spec)) * layer_rows),
        .rows = (uint32_t)((last - first) * layer_rows)};
}

cudaError_t lm_cuda_field_arrange(lm_cuda_field_plan *p, int by_class)
{
    const uint32_t width = (uint32_t)p->spec.extents[0];
    const uint64_t planes = (uint64_t)p->view.replicas * (uint64_t)p->spec.components;
    const lm_field_rows rows = {.numbers = p->view.sites,
                                .rows = planes * ((uint64_t)p->view.count / width),
                                .width = width,
                                .to = by_class ? p->view.rank : p->view.colours.list,
                                .bytes = p->site_bytes};
    if (p->view.by_class == by_class)
        return cudaSuccess;
    const cudaError_t e = lm_launch_field_arrange(&rows, p->head.stream);
    if (e == cudaSuccess)
        p->view.by_class = by_class;
    return e;
}

void lm_cuda_field_keep_offers(lm_cuda_field_plan *p, int update)
{
    const double *offers = p->offers + (size_t)update * p->view.replicas;
    for (uint32_t r = 0; r < p->view.replicas; r++)
        p->offered[r] = offers[p->head.slots.here[r]];
}

/* Returns how many replicas are swept at once. Replicas know nothing of each other. If all of
 * them are larger than the L2 cache, a portion that fits makes all its sweeps before the next
 * portion begins. The next time sweeps begin with the portion that is in the cache. There must be
 * several sweeps, since the first one loads the portion. Rules with reach 2 are bound by other
 * things (doc/performance-fields.md). */
static uint32_t replicas_at_once(const lm_cuda_field_plan *p, int64_t sweeps)
{
    const lm_field_view *v = &p->view;
    const double plane = (double)v->count, cache = p->head.cache, portion = CACHE_KEEPS * cache;
    const double each = plane * p->spec.components * (double)p->site_bytes;
    const double sample = plane * v->fixed_values * (double)p->number_bytes;
    const double all = each * v->replicas + sample * v->replicas / v->sample_replicas;
    if (sweeps < SWEEPS_OF_A_PORTION || v->reach > 1 || each + sample > portion ||
        all < CACHE_HOLDS * cache)
        return v->replicas;
    const uint32_t portions = (uint32_t)(all / portion) + 1;
    return (v->replicas + portions - 1) / portions;
}

/* Queues a run of sweeps. If `count` is nonzero, what the last sweep accepts is added to
 * `accepted`, [replica]. */
static cudaError_t sweep_by(lm_cuda_field_plan *p, const lm_job *job, int count,
                            unsigned long long *accepted, launch_parts *launch)
{
    const uint32_t all = p->view.replicas;
    const uint32_t some = launch == launch_tiles ? all : replicas_at_once(p, job->sweeps);
    const uint32_t portions = (all + some - 1) / some;
    cudaError_t e = cudaSuccess;
    lm_field_view v = p->view;
    v.accepted = accepted;
    for (uint32_t portion = 0; portion < portions; portion++) {
        const uint32_t first = some * (p->backward ? portions - 1 - portion : portion);
        for (int64_t i = 0; e == cudaSuccess && i < job->sweeps; i++) {
            lm_cuda_field_pass pass =
                lm_cuda_field_pass_of(p, job->update, job->first_sweep + i, 0, v.layers);
            pass.replica = first;
            pass.replicas = all - first < some ? all - first : some;
            pass.count = count && i == job->sweeps - 1;
            pass.leaves = i == p->until_left - 1 ? p->leaves[0] : NULL;
            e = launch(p, &v, &pass);
        }
    }
    p->backward = !p->backward;
    p->until_left = p->until_left > job->sweeps ? p->until_left - job->sweeps : 0;
    if (count)
        lm_cuda_field_keep_offers(p, job->update);
    return e;
}

cudaError_t lm_cuda_field_by_colours(void *plan, const lm_job *job, int count, void *sums)
{
    lm_cuda_field_plan *p = plan;
    const cudaError_t e = lm_cuda_field_arrange(p, p->classes);
    return e == cudaSuccess ? sweep_by(p, job, count, sums, launch_colours) : e;
}

cudaError_t lm_cuda_field_by_packs(void *plan, const lm_job *job, int count, void *sums)
{
    return sweep_by(plan, job, count, sums, launch_packs);
}

cudaError_t lm_cuda_field_by_tiles(void *plan, const lm_job *job, int count, void *sums)
{
    const cudaError_t e = lm_cuda_field_arrange(plan, 0);
    return e == cudaSuccess ? sweep_by(plan, job, count, sums, launch_tiles) : e;
}

int lm_cuda_field_sums_of(const lm_cuda_field_plan *p, unsigned bundles)
{
    const lm_spec *s = &p->spec;
    int sums = 0;
    for (int g = 0; g < s->bundles - 1; g++)
        if (bundles >> g & 1)
            sums += s->bundle_begin[g + 1] - s->bundle_begin[g];
    return sums;
}

static lm_field_fold fold_of(lm_cuda_field_plan *p, int sums, uint64_t outer, uint64_t count,
                             const double *in, double *out, int pitch)
{
    return (lm_field_fold){.outer = outer,
                           .count = count,
                           .in = in,
                           .out = out,
                           .sums = sums,
                           .pitch = pitch,
                           .overlaps = lm_cuda_overlaps(&p->head)};
}

/* Makes one stage of a fold of lists, to out[list][block][pitch]. */
static cudaError_t fold_once(lm_cuda_field_plan *p, int sums, uint64_t outer, uint64_t count,
                             const double *in, double *out, int pitch)
{
    const lm_field_fold f = fold_of(p, sums, outer, count, in, out, pitch);
    return lm_launch_field_fold(&f, p->head.stream);
}

/* Folds lists until at most `most` numbers of each are left. *in is the buffer that has them,
 * and then the one that has the result. Returns how many are left. */
static cudaError_t fold(lm_cuda_field_plan *p, double *const *buffers, int sums, uint64_t outer,
                        uint64_t *count, uint64_t most, int *in)
{
    cudaError_t e = cudaSuccess;
    while (e == cudaSuccess && *count > most) {
        e = fold_once(p, sums, outer, *count, buffers[*in], buffers[1 - *in], sums);
        *count = LM_SUMS_BLOCKS(*count);
        *in = 1 - *in;
    }
    return e;
}

/* Folds the layers of n replicas or pairs. The sums of each are some doubles apart. */
static cudaError_t fold_layers(lm_cuda_field_plan *p, double *const *buffers, int sums, uint64_t n,
                               int in, double *out, int pitch)
{
    uint64_t layers = p->view.layers;
    const cudaError_t e = fold(p, buffers, sums, n, &layers, LM_SUMS_BLOCK, &in);
    return e == cudaSuccess ? fold_once(p, sums, n, layers, buffers[in], out, pitch) : e;
}

/* Says whether one block for each of n replicas may add its layers at once. More numbers are
 * added sooner stage by stage (doc/performance-fields.md, "Energies"). */
static int in_one(const lm_cuda_field_plan *p, int sums, uint64_t n, uint64_t count)
{
    return count > 1 && count <= LM_FOLDED_LAYERS &&
           p->view.layers * (uint64_t)sums <= LM_FOLDED_LAYERS &&
           n <= 2 * (uint64_t)p->head.processors;
}

/* Folds lists, one for each layer, of n replicas or pairs, from the first buffer to out. */
static cudaError_t fold_all(lm_cuda_field_plan *p, double *const *buffers, int sums, uint64_t n,
                            uint64_t count, double *out, int pitch)
{
    const uint64_t layers = p->view.layers;
    if (in_one(p, sums, n, count)) {
        const lm_field_fold f = fold_of(p, sums, n, count, buffers[0], out, pitch);
        return lm_launch_field_fold_layers(&f, layers, p->head.stream);
    }
    int in = 0;
    const cudaError_t e = fold(p, buffers, sums, n * layers, &count, 1, &in);
    return e == cudaSuccess ? fold_layers(p, buffers, sums, n, in, out, pitch) : e;
}

cudaError_t lm_cuda_field_fold_blocks(lm_cuda_field_plan *p, double *const *buffers, int sums,
                                      uint64_t n, double *out)
{
    return fold_all(p, buffers, sums, n, LM_SUMS_BLOCKS(lm_field_layer_sites(&p->view)), out, sums);
}

cudaError_t lm_cuda_field_layer_sums(lm_cuda_field_plan *p, lm_cuda_field_wanted wanted,
                                     uint32_t first, uint32_t n, int *in)
{
    uint64_t blocks = LM_SUMS_BLOCKS(lm_field_layer_sites(&p->view));
    cudaError_t e = p->launch->sums(&p->view, wanted, first, n, p->fold[0], p->head.stream);
    *in = 0;
    return e == cudaSuccess
               ? fold(p, p->fold, wanted.sums, (uint64_t)n * p->view.layers, &blocks, 1, in)
               : e;
}

/* ---- the sum that a sweep may leave behind */

unsigned lm_cuda_field_bonds(const lm_cuda_field_plan *p)
{
    return p->launch->leaves ? 1u : 0u;
}

/* Says whether sweeps may leave the sum. The packs of a warp are whole leaves, or parts of one
 * leaf, if layers are whole leaves (checkerboard.cuh). */
static int may_leave(const lm_cuda_field_plan *p)
{
    const lm_field_view *v = &p->view;
    return p->launch->leaves && v->by_colour && LM_PACKS_LEAVE(v->dims, v->kind) &&
           lm_field_layer_sites(v) % LM_SUMS_LEAF == 0;
}

/* Computes the sum of each leaf. The kernel of a colour does so in a pass that changes no site
 * (`still`), if its packs may leave sums. */
static cudaError_t find_leaf_sums(lm_cuda_field_plan *p)
{
    lm_field_view v = p->view;
    if (!may_leave(p) || v.slab)
        return p->launch->leaves(&v, p->leaves[0], p->head.stream);
    lm_cuda_field_pass pass = lm_cuda_field_pass_of(p, 0, 0, 0, v.layers);
    v.overlaps = lm_cuda_overlaps(&p->head);
    pass.phase = v.colours.colours - 1;
    pass.leaves = p->leaves[0];
    pass.still = 1;
    return p->launch->colour(&v, &pass, p->head.stream);
}

cudaError_t lm_cuda_field_layer_bonds(lm_cuda_field_plan *p, int *in)
{
    uint64_t leaves = LM_SUMS_LEAVES(lm_field_layer_sites(&p->view));
    const cudaError_t e = find_leaf_sums(p);
    *in = 0;
    return e == cudaSuccess
               ? fold(p, p->leaves, 1, (uint64_t)p->view.replicas * p->view.layers, &leaves, 1, in)
               : e;
}

/* A record on the device has the tallies of all replicas, then the sums of the wanted bundles,
 * one after another. */
size_t lm_cuda_field_tally_bytes(const lm_cuda_field_plan *p)
{
    return (size_t)p->view.replicas * p->view.tallies * sizeof *p->view.accepted;
}

double lm_cuda_field_accepted(const lm_cuda_field_plan *p, const unsigned long long *tallies,
                              uint32_t replica)
{
    unsigned long long sum = 0;
    tallies += (size_t)replica * p->view.tallies;
    for (uint32_t i = 0; i < p->view.tallies; i++)
        sum += tallies[i];
    return (double)sum;
}

static size_t sums_bytes(int sums, uint32_t replicas)
{
    return (size_t)replicas * (size_t)sums * sizeof(double);
}

size_t lm_cuda_field_record_bytes(const lm_cuda_field_plan *p, unsigned bundles)
{
    return lm_cuda_field_tally_bytes(p) +
           sums_bytes(lm_cuda_field_sums_of(p, bundles), p->view.replicas);
}

/* Queues a measurement of all replicas, p->portion of them at once, without accepted proposals and
 * bonds. The sums of each replica are some doubles apart. */
static cudaError_t queue_sums(lm_cuda_field_plan *p, unsigned bundles, double *out, int pitch)
{
    const lm_cuda_field_wanted wanted = {bundles, lm_cuda_field_sums_of(p, bundles)};
    cudaError_t e = cudaSuccess;
    for (uint32_t r = 0; e == cudaSuccess && wanted.sums && r < p->view.replicas; r += p->portion) {
        const uint32_t n = p->view.replicas - r < p->portion ? p->view.replicas - r : p->portion;
        e = p->launch->sums(&p->view, wanted, r, n, p->fold[0], p->head.stream);
        if (e == cudaSuccess)
            e = fold_all(p, p->fold, wanted.sums, n, LM_SUMS_BLOCKS(lm_field_layer_sites(&p->view)),
                         out + (size_t)r * (size_t)pitch, pitch);
    }
    return e;
}

/* Queues a measurement of all bundles. The first bundle may have been left behind by a sweep.
 */
static cudaError_t queue_measurement(lm_cuda_field_plan *p, unsigned bundles, int left,
                                     char *record)
{
    const unsigned bonds = bundles & lm_cuda_field_bonds(p);
    const int pitch = lm_cuda_field_sums_of(p, bundles);
    double *const out = (void *)(record + lm_cuda_field_tally_bytes(p));
    cudaError_t e = bonds && !left ? find_leaf_sums(p) : cudaSuccess;
    if (e == cudaSuccess && bonds)
        e = fold_all(p, p->leaves, 1, p->view.replicas,
                     LM_SUMS_LEAVES(lm_field_layer_sites(&p->view)), out, pitch);
    return e == cudaSuccess ? queue_sums(p, bundles & ~bonds, out + (bonds ? 1 : 0), pitch) : e;
}

cudaError_t lm_cuda_field_measure(void *plan, unsigned bundles, void *record)
{
    return queue_measurement(plan, bundles, 0, record);
}

/* Takes cleared tallies for later sweeps. An exchange may have cleared them. */
static cudaError_t clear_tallies(lm_cuda_field_plan *p)
{
    unsigned long long *const spare = p->spare;
    if (!p->spare_clear)
        return cudaMemsetAsync(p->view.accepted, 0, lm_cuda_field_tally_bytes(p), p->head.stream);
    p->spare = p->view.accepted;
    p->view.accepted = spare;
    p->spare_clear = 0;
    return cudaSuccess;
}

/* Queues records. If acceptance is wanted, sweeps add what they accept to the records
 * themselves. The last record's tallies become the plan's, and a record without sweeps copies
 * these. */
static cudaError_t queue_records(void *plan, const lm_cuda_series *s, void *device)
{
    lm_cuda_field_plan *p = plan;
    const int all = (s->bundles & lm_changes_of(&p->spec)) != 0, swept = s->sweeps > 0;
    const size_t each = lm_cuda_field_record_bytes(p, s->bundles);
    char *record = device, *const end = record + (size_t)(s->records - 1) * each;
    const int left = swept && s->bundles & lm_cuda_field_bonds(p) && may_leave(p);
    cudaError_t e = cudaSuccess;
    if (all)
        e = cudaMemsetAsync(device, 0, (size_t)s->records * each, p->head.stream);
    else if (swept && s->last)
        e = clear_tallies(p);
    lm_cursor at = s->from;
    for (; e == cudaSuccess && record <= end; record += each) {
        p->until_left = left ? s->sweeps : 0;
        e = lm_cuda_queue_sweeps(p, s->schedule, &at, s->sweeps, all || (s->last && record == end),
                                 all ? (void *)record : p->view.accepted);
        if (e == cudaSuccess)
            e = queue_measurement(p, s->bundles, left, record);
    }
    if (e == cudaSuccess && all)
        e = cudaMemcpyAsync(swept ? (void *)p->view.accepted : end,
                            swept ? end : (void *)p->view.accepted, lm_cuda_field_tally_bytes(p),
                            cudaMemcpyDeviceToDevice, p->head.stream);
    return e;
}

static cudaError_t queue_sweeps(void *plan, const lm_schedule *schedule, lm_cursor from,
                                int64_t sweeps)
{
    lm_cuda_field_plan *p = plan;
    const cudaError_t e = clear_tallies(p);
    p->until_left = 0;
    return e == cudaSuccess ? lm_cuda_queue_sweeps(p, schedule, &from, sweeps, 1, p->view.accepted)
                            : e;
}

/* Divides accepted proposals by the proposals that each site had. */
static void report(const void *plan, unsigned bundles, const void *record, double *sums)
{
    const lm_cuda_field_plan *p = plan;
    const int *begin = p->spec.bundle_begin, last = p->spec.bundles - 1;
    const unsigned long long *accepted = record;
    const double *from = (const void *)((const char *)record + lm_cuda_field_tally_bytes(p));
    for (uint32_t r = 0; r < p->view.replicas; r++, sums += p->sums + 1) {
        for (int g = 0; g < last; g++)
            for (int k = begin[g]; bundles >> g & 1 && k < begin[g + 1]; k++)
                sums[k] = *from++;
        if (bundles >> last & 1)
            sums[p->sums] =
                p->offered[r] > 0.0 ? lm_cuda_field_accepted(p, accepted, r) / p->offered[r] : 0.0;
    }
}

/* ---- the plan's operations */

static lm_cuda_family family_of(const lm_cuda_field_plan *p, const lm_measure *out)
{
    return (lm_cuda_family){.record_bytes = lm_cuda_field_record_bytes(p, out ? out->bundles : 0),
                            .spec = &p->spec,
                            .sweep = queue_sweeps,
                            .queue = queue_records,
                            .report = report};
}

latmc_status lm_cuda_field_prepare(void *plan, const lm_schedule *schedule, int64_t budget,
                                   const lm_measure *out)
{
    const lm_cuda_family family = family_of(plan, out);
    (void)schedule;
    return lm_cuda_prepare(plan, &family, budget, out);
}

latmc_status lm_cuda_field_run(void *plan, const lm_schedule *schedule, const lm_cursor *cursor,
                               int64_t budget, const lm_measure *out)
{
    const lm_cuda_family family = family_of(plan, out);
    return lm_cuda_run(plan, &family, schedule, cursor, budget, out);
}
