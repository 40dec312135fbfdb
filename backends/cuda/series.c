/* SPDX-License-Identifier: BSD-3-Clause */
/* Makes a series in portions: the host stores one portion while the device makes the next. */
#include "backends/cuda/series.h"

#include "backends/cuda/exchange.h"
#include "lib/devices/plan.h"

/* The most bytes of a portion, and of two portions on the host and on the device. They are kept for
 * the next series unless they are larger, since taking and freeing them takes as long as
 * thousands of small sweeps. A portion should be long compared with a launch, and with what its
 * first sweeps wait for. */
#define PART_BYTES ((int64_t)16 << 20)

/* A portion is a quarter of its series if that is larger than this; otherwise it has so many bytes.
 * With larger portions the host would have nothing to store before all are made. */
#define LEAST_BYTES ((int64_t)4 << 20)

/* A run that is being made. */
typedef struct series_run {
    lm_cuda_head *head;
    const lm_cuda_family *family;
    const lm_measure *out;
    const lm_cuda_buffers *buffers;
    int64_t records, portion; /* records of all portions; of one portion */
    int64_t capacity, filled; /* places of out->sums; places that are filled */
    int64_t replicas;
    int each, wanted; /* sums of a replica; the first ones, which contain all that are asked for */
    size_t fetch_bytes; /* bytes of a measurement for the host */
} series_run;

int lm_cuda_one_update(const lm_cuda_series *series, lm_job *job)
{
    const int64_t all = series->sweeps * series->records;
    lm_cursor at = series->from;
    if (all == 0)
        return 0;
    *job = lm_schedule_next(series->schedule, &at, all);
    if (job->sweeps < all)
        return 0;
    job->sweeps = series->sweeps;
    return 1;
}

/* Returns the measurements of portion number i; 0 after the last portion. */
static int64_t records_of(const series_run *r, int64_t i)
{
    const int64_t rest = r->records - i * r->portion;
    return rest < 0 ? 0 : rest < r->portion ? rest : r->portion;
}

/* Queues a portion's sweeps, its measurements and its copy to the host, and moves the cursor on. */
static cudaError_t queue_portion(const series_run *r, int64_t i, lm_cuda_series *portion)
{
    const int which = (int)(i % 2);
    portion->records = records_of(r, i);
    portion->last = records_of(r, i + 1) == 0;
    const size_t bytes = (size_t)portion->records * r->fetch_bytes;
    void *const buffer = r->buffers->buffer[which].device;
    void *const made = r->family->sum_records ? r->buffers->raw : buffer;
    cudaError_t e = r->family->queue(r->head, portion, made);
    if (e == cudaSuccess && r->family->sum_records)
        e = r->family->sum_records(r->head, portion, r->wanted, made, buffer);
    if (e == cudaSuccess)
        e = lm_cuda_buffer_fetch(r->buffers, which, r->head->stream, bytes);
    if (portion->sweeps > 0)
        lm_cursor_move(portion->schedule, &portion->from, portion->records * portion->sweeps);
    return e;
}

/* Makes sums of a portion's measurements. The taker gets them when there is no more room, and at
 * the end. */
static void report(series_run *r, int64_t i)
{
    const lm_measure *out = r->out;
    const int64_t all = r->replicas * r->each;
    const char *from = r->buffers->buffer[i % 2].host;
    for (int64_t k = records_of(r, i); k > 0; k--, from += r->family->record_bytes) {
        r->family->report(r->head, out->bundles, from, out->sums + r->filled * all);
        if (++r->filled < r->capacity && (k > 1 || records_of(r, i + 1)))
            continue;
        if (out->take)
            out->take(out->taker, &(lm_measured){.sums = out->sums,
                                                 .count = r->filled,
                                                 .step = all,
                                                 .replica_step = r->each,
                                                 .each = r->each});
        r->filled = 0;
    }
}

/* Copies the sums of the wanted bundles, and no others, to where they are wanted by measurement.
 */
static void put(const series_run *r, const lm_measured *some, double *sums)
{
    const lm_spec *spec = r->family->spec;
    for (int64_t m = 0; m < some->count; m++)
        for (int64_t n = 0; n < r->replicas; n++, sums += r->each)
            for (int g = 0; g < spec->bundles; g++)
                for (int k = spec->bundle_begin[g];
                     r->out->bundles >> g & 1 && k < spec->bundle_begin[g + 1]; k++)
                    sums[k] = some->sums[m * some->step + n * some->replica_step + k];
}

/* Hands over a portion whose measurements are sums already. The taker reads it where it is. */
static void hand_over(series_run *r, int64_t i)
{
    const lm_measure *out = r->out;
    const int64_t count = records_of(r, i);
    const lm_measured some = {.sums = r->buffers->buffer[i % 2].host,
                              .count = count,
                              .step = r->wanted,
                              .replica_step = count * r->wanted,
                              .each = r->wanted};
    if (!r->family->sum_records)
        report(r, i);
    else if (out->take)
        out->take(out->taker, &some);
    else
        put(r, &some, out->sums + i * r->portion * r->replicas * r->each);
}

/* Makes all portions. While the host reads portion i - 1, the device makes portion i. This portion
 * has the buffer of portion i - 2, which the host has finished. */
static cudaError_t run_portions(series_run *r, lm_cuda_series *portion)
{
    cudaError_t e = lm_cuda_await_halo(r->head);
    for (int64_t i = 0; e == cudaSuccess && (i == 0 || records_of(r, i - 1)); i++) {
        if (records_of(r, i))
            e = queue_portion(r, i, portion);
        if (e == cudaSuccess && i > 0)
            e = lm_cuda_buffer_await(r->buffers, (int)((i - 1) % 2));
        if (e == cudaSuccess && i > 0)
            hand_over(r, i - 1);
    }
    return e;
}

int lm_cuda_wanted(const lm_spec *spec, unsigned bundles)
{
    int wanted = 1;
    for (int g = 0; g < spec->bundles; g++)
        if (bundles >> g & 1)
            wanted = spec->bundle_begin[g + 1] > wanted ? spec->bundle_begin[g + 1] : wanted;
    return wanted;
}

/* Bytes of a measurement for the host, and of its raw form on the device; measurements of a
 * portion; number of buffers. */
typedef struct sizes {
    int wanted, buffers;
    int64_t each, raw, portion;
} sizes;

static sizes sizes_of(const lm_cuda_family *family, int64_t records, unsigned bundles)
{
    const lm_spec *spec = family->spec;
    sizes s = {.wanted = lm_cuda_wanted(spec, bundles),
               .each = (int64_t)family->record_bytes,
               .raw = family->sum_records ? (int64_t)family->record_bytes : 0};
    if (s.raw)
        s.each = spec->replicas * s.wanted * (int64_t)sizeof(double);
    const int64_t bytes = s.each > s.raw ? s.each : s.raw, quarter = (records + 3) / 4;
    const int64_t most = PART_BYTES / bytes, least = LEAST_BYTES / bytes;
    s.portion = quarter > least ? quarter : least;
    s.portion = s.portion > most ? most : s.portion;
    s.portion = s.portion < 1 ? 1 : s.portion > records ? records : s.portion;
    s.buffers = s.portion < records ? 2 : 1;
    return s;
}

/* Says whether buffers are kept: they are small, or were there already. */
static int stay(const lm_cuda_buffers *kept, const sizes *s)
{
    const int64_t bytes = s->portion * s->each, raw = s->portion * s->raw;
    return (bytes <= PART_BYTES && raw <= PART_BYTES) ||
           (s->buffers <= kept->count && bytes <= kept->bytes && raw <= kept->raw_bytes);
}

static cudaError_t make_buffers(lm_cuda_buffers *buffers, const sizes *s)
{
    const cudaError_t e = lm_cuda_buffers_make(buffers, s->buffers, s->portion * s->each);
    return e == cudaSuccess && s->raw ? lm_cuda_buffers_make_raw(buffers, s->portion * s->raw) : e;
}

static latmc_status record(lm_cuda_head *h, const lm_cuda_family *family, lm_cuda_series *series,
                           const lm_measure *out)
{
    const sizes s = sizes_of(family, series->records, out->bundles);
    lm_cuda_buffers own = {0}, *buffers = stay(&h->buffers, &s) ? &h->buffers : &own;
    series_run r = {.head = h,
                    .family = family,
                    .out = out,
                    .buffers = buffers,
                    .records = series->records,
                    .portion = s.portion,
                    .capacity = out->take ? out->capacity : series->records,
                    .replicas = family->spec->replicas,
                    .each = lm_spec_sums(family->spec),
                    .wanted = s.wanted,
                    .fetch_bytes = (size_t)s.each};
    LM_ON_DEVICE(h->device);
    cudaError_t e = make_buffers(buffers, &s);
    if (e == cudaSuccess)
        e = run_portions(&r, series);
    if (e != cudaSuccess) {
        cudaStreamSynchronize(h->stream); /* kernels in the queue may still write */
        if (buffers->fetch)
            cudaStreamSynchronize(buffers->fetch);
    }
    lm_cuda_buffers_end(&own);
    return lm_cuda_failed(h->device, e, "to record a series");
}

/* Takes memory for a run. Rooms that are too large to be kept stay for the announced run, and
 * after it. */
latmc_status lm_cuda_prepare(void *plan, const lm_cuda_family *family, int64_t budget,
                             const lm_measure *out)
{
    lm_cuda_head *h = plan;
    if (!out)
        return LATMC_OK;
    const sizes s = sizes_of(family, lm_measure_count(out, budget), out->bundles);
    LM_ON_DEVICE(h->device);
    return lm_cuda_failed(h->device,
                          out->stays ? lm_cuda_exchange_room(h, family->record_bytes)
                                     : make_buffers(&h->buffers, &s),
                          "to take memory for a series");
}

/* Leaves the one measurement of a series on the device. */
static latmc_status leave(lm_cuda_head *h, const lm_cuda_family *family, lm_cuda_series *series)
{
    LM_ON_DEVICE(h->device);
    cudaError_t e = lm_cuda_exchange_room(h, family->record_bytes);
    series->records = 1;
    series->last = 1;
    if (e == cudaSuccess)
        e = family->queue(h, series, h->slots.sums);
    return lm_cuda_failed(h->device, e, "to sweep before an exchange");
}

latmc_status lm_cuda_run(void *plan, const lm_cuda_family *family, const lm_schedule *schedule,
                         const lm_cursor *cursor, int64_t budget, const lm_measure *out)
{
    lm_cuda_head *h = plan;
    if (out) {
        lm_cuda_series series = {.schedule = schedule,
                                 .from = *cursor,
                                 .sweeps = budget ? out->every : 0,
                                 .records = lm_measure_count(out, budget),
                                 .bundles = out->bundles};
        return out->stays ? leave(h, family, &series) : record(h, family, &series, out);
    }
    if (budget == 0)
        return LATMC_OK;
    LM_ON_DEVICE(h->device);
    return lm_cuda_failed(h->device, family->sweep(plan, schedule, *cursor, budget), "to sweep");
}
