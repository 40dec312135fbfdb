/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves sites of a field in and out, and its static values. */
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/copies.h"
#include "backends/cuda/cross.h"
#include "backends/cuda/field/cross.h"
#include "backends/cuda/field/plan.h"
#include "lib/base/memory.h"
#include "lib/divide/slabs.h"

latmc_status lm_cuda_field_start(void *plan, latmc_start_mode mode)
{
    lm_cuda_field_plan *p = plan;
    LM_ON_DEVICE(p->head.device);
    p->view.by_class = 0;
    return lm_cuda_failed(
        p->head.device,
        p->launch->start(&p->view, lm_choices_at_start(&p->spec, mode), p->head.stream),
        "to start the lattice");
}

/* A copy of consecutive sites to or from the host, from number `first` of the memory on, in some
 * planes. Then come the sites of the next planes from their first site on. `out` or `in` is
 * [site][plane] on the host, `planes` the first plane on the device, `bytes` the size of a
 * number. */
typedef struct move {
    const lm_cuda_field_plan *plan;
    char *planes;
    size_t bytes;
    int64_t first, sites;
    int count;
    char *out;
    const char *in;
} move;

/* Moves some of these sites, from number `first` on, through the staging buffer. */
static cudaError_t move_some(const move *m, int64_t first, int64_t sites)
{
    const lm_cuda_field_plan *p = m->plan;
    const size_t numbers = (size_t)sites * (size_t)m->count, bytes = numbers * m->bytes;
    const size_t skipped = (size_t)first * (size_t)m->count * m->bytes;
    const lm_field_transfer t = {.planes = m->planes,
                                 .sites = p->staging,
                                 .first = (uint64_t)(m->first + first),
                                 .numbers = numbers,
                                 .count = (uint32_t)m->count,
                                 .in = m->in != NULL,
                                 .bytes = m->bytes};
    cudaError_t e = cudaSuccess;
    if (m->in)
        e = lm_cuda_copy(p->head.stream, p->staging, m->in + skipped, bytes);
    if (e == cudaSuccess)
        e = lm_launch_field_transfer(&p->view, &t, p->head.stream);
    if (e == cudaSuccess && m->out)
        e = lm_cuda_copy(p->head.stream, m->out + skipped, p->staging, bytes);
    return e;
}

/* Moves all sites. One plane in natural order needs no staging. */
static cudaError_t move_all(const move *m)
{
    const lm_cuda_field_plan *p = m->plan;
    const size_t bytes = (size_t)m->sites * m->bytes;
    char *const at = m->planes + (size_t)m->first * m->bytes;
    cudaError_t e = cudaSuccess;
    if (m->count == 1 && !p->view.by_colour)
        return m->in ? lm_cuda_copy(p->head.stream, at, m->in, bytes)
                     : lm_cuda_copy(p->head.stream, m->out, at, bytes);
    const int64_t most = (int64_t)(p->staged / (uint64_t)m->count);
    for (int64_t first = 0; e == cudaSuccess && first < m->sites; first += most)
        e = move_some(m, first, m->sites - first < most ? m->sites - first : most);
    return e;
}

static latmc_status move_sites(const move *m)
{
    LM_ON_DEVICE(m->plan->head.device);
    return lm_cuda_failed(m->plan->head.device, move_all(m), "to move sites");
}

static latmc_status arrange_rows(lm_cuda_field_plan *p)
{
    LM_ON_DEVICE(p->head.device);
    return lm_cuda_failed(p->head.device, lm_cuda_field_arrange(p, 0), "to arrange sites");
}

/* Moves rows of a replica, which cross in natural order. */
static latmc_status move_rows(lm_cuda_field_plan *p, int64_t replica, int64_t first_row,
                              int64_t rows, void *out, const void *in)
{
    const int64_t width = p->spec.extents[0];
    const int64_t planes = replica * p->spec.components * p->view.count;
    const move m = {.plan = p,
                    .planes = (char *)p->view.sites + (size_t)planes * p->site_bytes,
                    .bytes = p->site_bytes,
                    .first = first_row * width - p->first_number,
                    .sites = rows * width,
                    .count = p->spec.components,
                    .out = out,
                    .in = in};
    latmc_status status = lm_slab_need(&p->spec, first_row, rows);
    if (status == LATMC_OK)
        status = arrange_rows(p);
    return status == LATMC_OK ? move_sites(&m) : status;
}

static lm_field_array array_of(const lm_cuda_field_plan *p, const lm_crossing *c)
{
    const int64_t width = p->spec.extents[0], layer = c->layer_rows * width;
    const int padded = layer % 8 != 0;
    return (lm_field_array){.bytes = c->in ? (char *)c->in : c->out,
                            .in = c->in != NULL,
                            .own = (int)p->site_bytes,
                            .there = c->bits / 8,
                            .digits = c->bits < 8 ? c->bits : 0,
                            .spins = p->model->spins,
                            .replica = c->replica,
                            .replicas = c->replicas,
                            .first = c->first_row * width - p->first_number,
                            .sites = c->rows * width,
                            .components = p->spec.components,
                            .span_sites = padded ? layer : c->rows * width,
                            .span_bytes =
                                padded ? c->layer_bytes : c->rows / c->layer_rows * c->layer_bytes,
                            .pitch = c->pitch};
}

/* Returns whether the array has the numbers as they are in memory. */
static int are_alike(const lm_cuda_field_plan *p, const lm_field_array *a)
{
    return !a->digits && a->own == a->there && a->components == 1 && !p->view.by_colour &&
           !p->view.by_class && a->sites == p->view.count && a->pitch == a->sites * a->own;
}

static cudaError_t cross_kernels(void *plan, const lm_crossing *c)
{
    const lm_cuda_field_plan *p = plan;
    const lm_field_array a = array_of(p, c);
    char *const own = (char *)p->view.sites + a.replica * a.pitch;
    if (!are_alike(p, &a))
        return lm_launch_field_cross(&p->view, &a, p->head.stream);
    return cudaMemcpyAsync(a.in ? own : a.bytes, a.in ? a.bytes : own,
                           (size_t)(a.replicas * a.pitch), cudaMemcpyDefault, p->head.stream);
}

latmc_status lm_cuda_field_cross(void *plan, const lm_crossing *crossing)
{
    return lm_cuda_cross(plan, crossing, cross_kernels);
}

unsigned lm_cuda_field_crosses(const void *plan)
{
    const lm_cuda_field_plan *p = plan;
    return LM_CROSS_DEVICE | (p->site_bytes == 1 ? LM_CROSS_BITS : LM_CROSS_REALS);
}

/* Copies planes with their halos, in whatever order they are, the counts of accepted proposals, and
 * how many proposals there were. */
latmc_status lm_cuda_field_copy(void *plan, const int64_t *from)
{
    lm_cuda_field_plan *p = plan;
    const int64_t replicas = p->spec.replicas, numbers = p->spec.components * p->view.count;
    lm_cuda_units arrays[] = {{.units = p->view.sites,
                               .count = replicas,
                               .pitch = numbers,
                               .numbers = numbers,
                               .bytes = (int)p->site_bytes,
                               .per_word = 1,
                               .replicas = replicas},
                              {.units = p->view.accepted,
                               .count = replicas,
                               .pitch = p->view.tallies,
                               .numbers = p->view.tallies,
                               .bytes = sizeof *p->view.accepted,
                               .per_word = 1,
                               .replicas = replicas}};
    double *const offered =
        lm_unzeroed(NULL, "proposals of all replicas", replicas, sizeof *offered);
    latmc_status status = LATMC_ERROR_MEMORY;
    if (offered)
        status = lm_cuda_copy_replicas(plan, arrays, 2, from);
    for (int64_t r = 0; status == LATMC_OK && from && r < replicas; r++)
        offered[r] = p->offered[from[r]];
    if (status == LATMC_OK && from)
        memcpy(p->offered, offered, (size_t)replicas * sizeof *offered);
    free(offered);
    return status;
}

latmc_status lm_cuda_field_put_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                     const void *sites)
{
    return move_rows(plan, replica, first_row, rows, NULL, sites);
}

latmc_status lm_cuda_field_get_sites(void *plan, int64_t replica, int64_t first_row, int64_t rows,
                                     void *sites)
{
    return move_rows(plan, replica, first_row, rows, sites, NULL);
}

/* Returns the plane of a sample's static value k. */
static char *fixed_plane(const lm_cuda_field_plan *p, int64_t sample, int k)
{
    const int64_t plane = sample * p->view.fixed_values + k;
    return (char *)p->view.fixed + (size_t)(plane * p->view.count) * p->number_bytes;
}

static int64_t lattice_rows(const lm_cuda_field_plan *p)
{
    int64_t rows = 1;
    for (int a = 1; a < p->spec.dims; a++)
        rows *= p->spec.extents[a];
    return rows;
}

/* Fills static values by many rows at a time, as many as cross at once. With a copy for each row
 * a lattice of short rows took seconds to open, and minutes where other programs had the GPU
 * between copies. */
latmc_status lm_cuda_field_fill_fixed(lm_cuda_field_plan *p)
{
    const int64_t width = p->spec.extents[0], below = p->first_number / width;
    const int64_t rows = p->view.count / width, all = lattice_rows(p);
    const int count = p->view.fixed_values;
    const int64_t whole = (int64_t)(p->staged / (uint64_t)(width * count));
    const int64_t fit = whole > 0 ? whole : 1;
    const int64_t most = fit < rows ? fit : rows;
    const size_t bytes = (size_t)(width * count) * p->number_bytes;
    char *values = lm_zeroed(NULL, "some rows of static values", most, bytes);
    latmc_status status = values ? LATMC_OK : LATMC_ERROR_MEMORY;
    for (int64_t sample = 0; status == LATMC_OK && sample < p->samples; sample++)
        for (int64_t row = 0; status == LATMC_OK && row < rows; row += most) {
            const int64_t some = rows - row < most ? rows - row : most;
            const move m = {.plan = p,
                            .planes = fixed_plane(p, sample, 0),
                            .bytes = p->number_bytes,
                            .first = row * width,
                            .sites = some * width,
                            .count = count,
                            .in = values};
            for (int64_t i = 0; i < some; i++)
                lm_fixed_row(&p->spec, p->model->fixed_value, count, p->doubles,
                             (row + i + below + all) % all, values + (size_t)i * bytes);
            status = move_sites(&m);
        }
    free(values);
    return status;
}

/* Puts those of the rows that the memory has. Their first row is row number `row` of the memory. */
static latmc_status put_rows(const move *plane, int64_t row, int64_t rows)
{
    const int64_t width = plane->plan->spec.extents[0], end = plane->plan->view.count / width;
    const int64_t first = row > 0 ? row : 0, last = row + rows < end ? row + rows : end;
    move m = *plane;
    m.first = first * width;
    m.sites = (last - first) * width;
    m.in += (size_t)((first - row) * width) * plane->plan->number_bytes;
    return first < last ? move_sites(&m) : LATMC_OK;
}

/* Puts values. A slab's halo goes on beyond one end of the lattice with the layers at the other
 * end. */
latmc_status lm_cuda_field_put_values(void *plan, int64_t sample, int k, int64_t first_row,
                                      int64_t rows, const double *values)
{
    lm_cuda_field_plan *p = plan;
    const int64_t width = p->spec.extents[0], row = first_row - p->first_number / width;
    void *rounded = lm_zeroed(NULL, "some rows of values", rows * width, p->number_bytes);
    if (!rounded)
        return LATMC_ERROR_MEMORY;
    for (int64_t r = 0; r < rows; r++)
        lm_fixed_round_row(&p->spec, k, first_row + r, values + r * width, p->doubles,
                           (char *)rounded + (size_t)(r * width) * p->number_bytes);
    const move m = {.plan = p,
                    .planes = fixed_plane(p, sample, k),
                    .bytes = p->number_bytes,
                    .count = 1,
                    .in = rounded};
    latmc_status status = LATMC_OK;
    for (int turn = -1; status == LATMC_OK && turn <= 1; turn++)
        status = put_rows(&m, row + turn * lattice_rows(p), rows);
    free(rounded);
    return status;
}
