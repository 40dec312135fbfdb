/* SPDX-License-Identifier: BSD-3-Clause */
#include "backends/cuda/momenta.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/minmax.h"
#include "lib/base/memory.h"
#include "lib/physics/sums.h"

enum { BAR = LM_MOMENTUM_BAR, MOST_NUMBERS = 1 << 23 /* of replicas that are summed together */ };

/* ---- tables */

/* What lib/ has of each momentum: some numbers [2][momentum] that follow each other. */
typedef struct table {
    const double *numbers;
    int64_t count, at; /* at: where it begins in the tables of an octet */
} table;

enum { TABLES = 1 + LATMC_MAX_DIMS }; /* the first one, and one for each axis */

/* What a call sums. */
typedef struct summing {
    lm_cuda_head *head;
    const lm_spec *spec;
    const lm_momentum_order *order;
    lm_cuda_momenta_kernel *kernel;
    table list[TABLES];
    lm_cuda_momenta m;
} summing;

static int64_t bars_of_row(const lm_spec *s)
{
    return (s->extents[0] + BAR - 1) / BAR;
}

static int is_whole(const lm_spec *s)
{
    return s->layers == s->extents[s->dims - 1];
}

/* Lists the tables of an order after the first one. */
static void list_tables(summing *u)
{
    const lm_spec *const s = u->spec;
    for (int a = 0; a < s->dims; a++)
        u->list[a + 1] = (table){u->order->factors[a], a ? s->extents[a] : bars_of_row(s), 0};
    for (int i = 0; i <= s->dims; i++) {
        u->list[i].at = u->m.octet_numbers;
        u->m.octet_numbers += u->list[i].count * LM_OCTET;
    }
    for (int a = 0; a < s->dims; a++)
        u->m.axis_at[a] = u->list[a + 1].at;
}

/* Writes an octet's part of a table. */
static void write_octet(const table *t, int octet, int momenta, lm_wave_number *to)
{
    const int some = (int)lm_min(momenta - octet * LM_OCTET, LM_OCTET);
    for (int64_t i = 0; i < t->count; i++)
        for (int j = 0; j < some; j++) {
            const double *const from = t->numbers + 2 * i * momenta + octet * LM_OCTET + j;
            to[t->at + i * LM_OCTET + j] = (lm_wave_number){from[0], from[momenta]};
        }
}

static cudaError_t send_tables(const summing *u, const lm_wave_number *tables, size_t bytes)
{
    lm_cuda_tables *const kept = &u->head->momenta;
    cudaFree(kept->memory);
    kept->memory = NULL;
    const cudaError_t e = lm_cuda_take(&kept->memory, bytes);
    return e == cudaSuccess ? lm_cuda_copy(u->head->stream, kept->memory, tables, bytes) : e;
}

static latmc_status keep_tables(const summing *u)
{
    const int64_t numbers = u->m.octet_numbers;
    if (u->head->momenta.mark == u->order->mark)
        return LATMC_OK;
    u->head->momenta.mark = 0;
    lm_wave_number *const tables =
        lm_zeroed(NULL, "the factors of momenta", u->m.octets * numbers, sizeof *tables);
    if (!tables)
        return LATMC_ERROR_MEMORY;
    for (int octet = 0; octet < u->m.octets; octet++)
        for (int i = 0; i <= u->spec->dims; i++)
            write_octet(&u->list[i], octet, u->order->count, tables + octet * numbers);
    const cudaError_t e = send_tables(u, tables, (size_t)(u->m.octets * numbers) * sizeof *tables);
    free(tables);
    if (e == cudaSuccess)
        u->head->momenta.mark = u->order->mark;
    return lm_cuda_failed(u->head->device, e, "to take factors of momenta");
}

/* ---- sums */

/* Two areas of device memory, which stages write in turn. */
typedef struct areas {
    double *from, *to;
} areas;

/* Adds the numbers of lists until each has one. */
static cudaError_t fold(const summing *u, int64_t lists, int64_t count, areas *a)
{
    cudaError_t e = cudaSuccess;
    for (; e == cudaSuccess && count > 1; count = LM_SUMS_BLOCKS(count)) {
        double *const from = a->from;
        e = lm_launch_momenta_fold(lists, count, u->m.width, from, a->to, u->head->stream);
        a->from = a->to;
        a->to = from;
    }
    return e;
}

/* Returns how many layers of a replica have sums of their own in the end. */
static int64_t layers_left(const summing *u)
{
    return is_whole(u->spec) ? 1 : u->m.layers;
}

/* Makes the sums of some replicas, and brings them to the host's buffer. */
static cudaError_t sum_some(summing *u)
{
    lm_cuda_buffers *const b = &u->head->cross;
    lm_cuda_momenta *const m = &u->m;
    const int64_t lists = m->replicas * m->layers, each = lists * m->blocks * m->width;
    const size_t bytes = (size_t)(m->replicas * layers_left(u) * m->width) * sizeof(double);
    cudaError_t e = lm_cuda_buffers_make_raw(b, 2 * each * (int64_t)sizeof(double));
    areas a = {b->raw, (double *)b->raw + each};
    m->sums = a.from;
    if (e == cudaSuccess)
        e = u->kernel(u->head, m);
    if (e == cudaSuccess)
        e = fold(u, lists, m->blocks, &a);
    if (e == cudaSuccess && is_whole(u->spec))
        e = fold(u, m->replicas, m->layers, &a);
    if (e == cudaSuccess)
        e = cudaMemcpyAsync(b->buffer[0].host, a.from, bytes, cudaMemcpyDeviceToHost,
                            u->head->stream);
    return e == cudaSuccess ? cudaStreamSynchronize(u->head->stream) : e;
}

/* Copies sums from [term][octet][2][8] to [term][2][momentum]. */
static void take_sums(const lm_cuda_momenta *m, int momenta, const double *from, double *to)
{
    for (int i = 0; i < m->terms * 2 * momenta; i++) {
        const int j = i % momenta, part = i / momenta % 2, term = i / momenta / 2;
        const int octet = term * m->octets + j / LM_OCTET;
        to[i] = from[(octet * 2 + part) * LM_OCTET + j % LM_OCTET];
    }
}

/* Copies the sums in the buffer from [replica][layer] to [layer][replica]. */
static void take_some(const summing *u, double *sums)
{
    const double *from = u->head->cross.buffer[0].host;
    const int64_t each = lm_momentum_order_width(u->order), layers = layers_left(u);
    for (int64_t r = u->m.replica; r < u->m.replica + u->m.replicas; r++)
        for (int64_t layer = 0; layer < layers; layer++, from += u->m.width)
            take_sums(&u->m, u->order->count, from, sums + (layer * u->spec->replicas + r) * each);
}

static cudaError_t sum_all(summing *u, double *sums)
{
    lm_cuda_momenta *const m = &u->m;
    const int64_t numbers = m->layers * m->blocks * m->width;
    const int64_t most = lm_min(lm_max(MOST_NUMBERS / numbers, 1), u->spec->replicas);
    cudaError_t e = lm_cuda_buffers_make(
        &u->head->cross, 1, most * layers_left(u) * m->width * (int64_t)sizeof(double));
    for (; e == cudaSuccess && m->replica < u->spec->replicas; m->replica += most) {
        m->replicas = lm_min(most, u->spec->replicas - m->replica);
        e = sum_some(u);
        if (e == cudaSuccess)
            take_some(u, sums);
    }
    return e;
}

/* Sets what the kernels know of the lattice. */
static void describe(summing *u)
{
    const lm_spec *const s = u->spec;
    lm_cuda_momenta *const m = &u->m;
    *m = (lm_cuda_momenta){.octets = (u->order->count + LM_OCTET - 1) / LM_OCTET,
                           .terms = u->order->terms,
                           .first_layer = s->first_layer,
                           .layers = s->dims > 1 ? s->layers : 1,
                           .layer_rows = 1,
                           .row_bars = (uint32_t)bars_of_row(s),
                           .whole_bars = (uint32_t)(s->extents[0] / BAR),
                           .dims = s->dims};
    for (int a = 0; a < s->dims; a++)
        m->extents[a] = s->extents[a];
    for (int a = 1; a < s->dims - 1; a++)
        m->layer_rows *= s->extents[a];
    m->width = m->terms * m->octets * LM_OCTET_SUMS;
    m->blocks = LM_SUMS_BLOCKS(m->layer_rows * m->row_bars);
}

latmc_status lm_cuda_sum_momenta(void *plan, const lm_spec *spec, const lm_momentum_order *order,
                                 const double *first, int64_t first_count,
                                 lm_cuda_momenta_kernel *kernel, double *sums, int *made)
{
    summing u = {.head = plan,
                 .spec = spec,
                 .order = order,
                 .kernel = kernel,
                 .list = {{first, first_count, 0}}};
    *made = first && (spec->dims > 1 || is_whole(spec));
    if (!*made)
        return LATMC_OK;
    describe(&u);
    list_tables(&u);
    LM_ON_DEVICE(u.head->device);
    const latmc_status status = keep_tables(&u);
    if (status)
        return status;
    u.m.tables = u.head->momenta.memory;
    const cudaError_t e = sum_all(&u, sums);
    if (e != cudaSuccess)
        cudaStreamSynchronize(u.head->stream); /* kernels in the queue may still write */
    u.head->fresh = 1;
    return lm_cuda_failed(u.head->device, e, "to sum with momenta");
}
