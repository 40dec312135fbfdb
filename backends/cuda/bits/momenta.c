/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the tables of momenta on a GPU, and makes sums of words with them. */
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/bits/plan.h"
#include "backends/cuda/bits/site_sums.h"
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

enum { TABLES = 5 }; /* that of bits, and one for each axis */

static int64_t bars_of_row(const lm_spec *s)
{
    return (s->extents[0] + BAR - 1) / BAR;
}

/* Lists the tables of an order. Returns how many numbers an octet has. */
static int64_t list_tables(const lm_spec *s, const lm_momentum_order *order, table list[TABLES])
{
    int64_t at = 0;
    list[0] = (table){order->bits, LM_MOMENTUM_KINDS * 2 * LM_MOMENTUM_HALF, 0};
    for (int a = 0; a < s->dims; a++)
        list[a + 1] = (table){order->factors[a], a ? s->extents[a] : bars_of_row(s), 0};
    for (int i = 0; i <= s->dims; i++) {
        list[i].at = at;
        at += list[i].count * LM_OCTET;
    }
    return at;
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

static cudaError_t send_tables(lm_cuda_bits_plan *p, const lm_wave_number *tables, size_t bytes)
{
    lm_cuda_bits_tables *const kept = &p->momenta;
    cudaFree(kept->memory);
    kept->memory = NULL;
    const cudaError_t e = lm_cuda_take(&kept->memory, bytes);
    return e == cudaSuccess ? lm_cuda_copy(p->head.stream, kept->memory, tables, bytes) : e;
}

static latmc_status keep_tables(lm_cuda_bits_plan *p, const lm_momentum_order *order, int octets,
                                const table *list, int64_t numbers)
{
    if (p->momenta.mark == order->mark)
        return LATMC_OK;
    p->momenta.mark = 0;
    lm_wave_number *const tables =
        lm_zeroed(NULL, "the factors of momenta", octets * numbers, sizeof *tables);
    if (!tables)
        return LATMC_ERROR_MEMORY;
    for (int octet = 0; octet < octets; octet++)
        for (int i = 0; i <= p->spec.dims; i++)
            write_octet(&list[i], octet, order->count, tables + octet * numbers);
    const cudaError_t e = send_tables(p, tables, (size_t)(octets * numbers) * sizeof *tables);
    free(tables);
    if (e == cudaSuccess)
        p->momenta.mark = order->mark;
    return lm_cuda_failed(p->head.device, e, "to take factors of momenta");
}

/* ---- sums */

/* Two areas of device memory, which stages write in turn. */
typedef struct areas {
    double *from, *to;
} areas;

/* Adds the numbers of lists until each has one. */
static cudaError_t fold(const lm_cuda_bits_plan *p, int64_t lists, int64_t count, int width,
                        areas *a)
{
    cudaError_t e = cudaSuccess;
    for (; e == cudaSuccess && count > 1; count = LM_SUMS_BLOCKS(count)) {
        double *const from = a->from;
        e = lm_launch_momenta_fold(lists, count, width, from, a->to, p->head.stream);
        a->from = a->to;
        a->to = from;
    }
    return e;
}

/* Returns how many layers of a replica have sums of their own in the end. */
static int64_t layers_left(const lm_cuda_bits_plan *p, const lm_bits_momenta *m)
{
    return p->view.whole ? 1 : m->layers;
}

/* Makes the sums of some replicas, and brings them to the host's buffer. */
static cudaError_t sum_some(lm_cuda_bits_plan *p, lm_bits_momenta *m)
{
    const int64_t lists = m->replicas * m->layers, each = lists * m->blocks * m->width;
    const size_t bytes = (size_t)(m->replicas * layers_left(p, m) * m->width) * sizeof(double);
    cudaError_t e = lm_cuda_buffers_make_raw(&p->head.cross, 2 * each * (int64_t)sizeof(double));
    areas a = {p->head.cross.raw, (double *)p->head.cross.raw + each};
    m->sums = a.from;
    if (e == cudaSuccess)
        e = lm_launch_momenta(m, p->head.stream);
    if (e == cudaSuccess)
        e = fold(p, lists, m->blocks, m->width, &a);
    if (e == cudaSuccess && p->view.whole)
        e = fold(p, m->replicas, m->layers, m->width, &a);
    if (e == cudaSuccess)
        e = cudaMemcpyAsync(p->head.cross.buffer[0].host, a.from, bytes, cudaMemcpyDeviceToHost,
                            p->head.stream);
    return e == cudaSuccess ? cudaStreamSynchronize(p->head.stream) : e;
}

/* Copies sums from [term][octet][2][8] to [term][2][momentum]. */
static void take_sums(const lm_bits_momenta *m, int momenta, const double *from, double *to)
{
    for (int i = 0; i < m->terms * 2 * momenta; i++) {
        const int j = i % momenta, part = i / momenta % 2, term = i / momenta / 2;
        const int octet = term * m->octets + j / LM_OCTET;
        to[i] = from[(octet * 2 + part) * LM_OCTET + j % LM_OCTET];
    }
}

/* Copies the sums in the buffer from [replica][layer] to [layer][replica]. */
static void take_some(const lm_cuda_bits_plan *p, const lm_bits_momenta *m, int momenta,
                      double *sums)
{
    const double *from = p->head.cross.buffer[0].host;
    const int64_t each = m->terms * 2 * momenta, layers = layers_left(p, m);
    for (int64_t r = m->replica; r < m->replica + m->replicas; r++)
        for (int64_t layer = 0; layer < layers; layer++, from += m->width)
            take_sums(m, momenta, from, sums + (layer * p->spec.replicas + r) * each);
}

static cudaError_t sum_all(lm_cuda_bits_plan *p, lm_bits_momenta *m, int momenta, double *sums)
{
    const int64_t numbers = m->layers * m->blocks * m->width;
    const int64_t most = lm_min(lm_max(MOST_NUMBERS / numbers, 1), p->spec.replicas);
    cudaError_t e = lm_cuda_buffers_make(
        &p->head.cross, 1, most * layers_left(p, m) * m->width * (int64_t)sizeof(double));
    for (; e == cudaSuccess && m->replica < p->spec.replicas; m->replica += most) {
        m->replicas = lm_min(most, p->spec.replicas - m->replica);
        e = sum_some(p, m);
        if (e == cudaSuccess)
            take_some(p, m, momenta, sums);
    }
    return e;
}

latmc_status lm_cuda_bits_momenta(void *plan, const lm_momentum_order *order, double *sums,
                                  int *made)
{
    lm_cuda_bits_plan *p = plan;
    const lm_spec *const s = &p->spec;
    table list[TABLES];
    lm_bits_momenta m = {.home = lm_cuda_bits_home(p),
                         .octet_numbers = list_tables(s, order, list),
                         .octets = (order->count + LM_OCTET - 1) / LM_OCTET,
                         .terms = order->terms,
                         .first_layer = s->first_layer,
                         .layers = s->dims > 1 ? s->layers : 1,
                         .layer_rows = p->view.layer_rows,
                         .row_bars = (uint32_t)bars_of_row(s),
                         .whole_bars = (uint32_t)(s->extents[0] / BAR)};
    m.width = m.terms * m.octets * LM_OCTET_SUMS;
    m.blocks = LM_SUMS_BLOCKS(m.layer_rows * m.row_bars);
    for (int a = 0; a < s->dims; a++)
        m.axis_at[a] = list[a + 1].at;
    *made = s->dims > 1 || p->view.whole;
    if (!*made)
        return LATMC_OK;
    LM_ON_DEVICE(p->head.device);
    const latmc_status status = keep_tables(p, order, m.octets, list, m.octet_numbers);
    if (status)
        return status;
    m.tables = p->momenta.memory;
    const cudaError_t e = sum_all(p, &m, order->count, sums);
    if (e != cudaSuccess)
        cudaStreamSynchronize(p->head.stream); /* kernels in the queue may still write */
    p->head.fresh = 1;
    return lm_cuda_failed(p->head.device, e, "to sum with momenta");
}
