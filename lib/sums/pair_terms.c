/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/sums/pair_terms.h"

#include "lib/lattice/bonds.h"
#include "lib/physics/geometry.h"

/* ---- waves */

/* Adds terms times the cosine to one sum, and terms times the sine to the next. */
static void add_wave(lm_pair_summing *s, const lm_pair_sites *at, int axis, const double *terms,
                     lm_adder *to)
{
    const double *wave = lm_planes_wave(&s->planes, axis) + 2 * at->x[axis];
    const int step = axis == 0 ? 2 : 0;
    double *const product = lm_pair_terms(s, LM_PAIR_TERM);

    for (int part = 0; part < 2; part++) {
        for (int64_t i = 0; i < at->count; i++)
            product[i] = terms[i] * wave[step * i + part];
        lm_adder_some(to + part, product, at->count);
    }
}

/* Adds whole numbers to the planes. */
static void add_to_planes(lm_pair_summing *s, const lm_pair_sites *at, const double *terms)
{
    double *const along = s->planes.sums + at->first, sum = 0.0;

    for (int64_t i = 0; i < at->count; i++) {
        along[i] = along[i] + terms[i];
        sum = sum + terms[i];
    }
    lm_planes_add(&s->planes, at->x, sum);
}

void lm_pair_add_waves(lm_pair_summing *s, const lm_pair_sites *at, const double *terms)
{
    if (s->lattice->model->whole_products) {
        add_to_planes(s, at, terms);
        return;
    }
    for (int a = 0; a < s->dims; a++)
        add_wave(s, at, a, terms, s->layer + s->begin[LM_PAIR_WAVES] + 2 * a);
}

/* ---- the tensor */

void lm_pair_add_tensor(lm_pair_summing *s, const lm_pair_sites *at)
{
    const int elements = s->components * s->components;
    const lm_site_array of = lm_site_array_of(s->lattice);
    double *const terms = lm_pair_terms(s, LM_PAIR_SPARE);

    s->lattice->model->tensor(&of, lm_pair_site(s, at->row_sites[0], at->first),
                              lm_pair_site(s, at->row_sites[1], at->first), at->count, terms);
    for (int e = 0; e < elements; e++) {
        const double *const element = terms + e * at->count;

        if (lm_pair_takes(s, LM_PAIR_TENSOR))
            lm_adder_some(s->layer + s->begin[LM_PAIR_TENSOR] + e, element, at->count);
        for (int a = 0; a < s->dims && lm_pair_takes(s, LM_PAIR_TENSOR_WAVES); a++)
            add_wave(s, at, a, element,
                     s->layer + s->begin[LM_PAIR_TENSOR_WAVES] + 2 * (a * elements + e));
    }
}

/* ---- links */

/* Multiplies a row's sites with their neighbours one step up along axis 0. */
static void products_along(const lm_pair_summing *s, const lm_pair_sites *at, const char *row,
                           double *to)
{
    const int64_t end = at->first + at->count, extent = s->lattice->extents[0];
    const int64_t inside = end < extent ? at->count : at->count - 1;

    lm_pair_products(s, lm_pair_site(s, row, at->first), lm_pair_site(s, row, at->first + 1),
                     inside, to);
    if (inside < at->count)
        lm_pair_products(s, lm_pair_site(s, row, extent - 1), row, 1, to + inside);
}

static latmc_status products_up(lm_pair_summing *s, const lm_pair_sites *at, int axis, int which,
                                double *to)
{
    const int64_t extent = s->lattice->extents[axis];
    const int64_t stride = lm_row_stride(s->lattice->extents, axis);
    const char *above;
    latmc_status status;

    if (axis == 0) {
        products_along(s, at, at->row_sites[which], to);
        return LATMC_OK;
    }
    status = lm_row_cached(&s->rows, at->replicas[which],
                           at->row + (at->x[axis] + 1 < extent ? stride : stride - stride * extent),
                           &above);
    if (!status)
        lm_pair_products(s, lm_pair_site(s, at->row_sites[which], at->first),
                         lm_pair_site(s, above, at->first), at->count, to);
    return status;
}

/* Returns the bonds of a chunk's rows, in the sample of a replica. All samples share uniform
 * bonds. */
const int8_t *lm_pair_links_of(lm_pair_summing *s, int which, int64_t replica, lm_chunk rows)
{
    const latmc_lattice *lattice = s->lattice;
    const int uniform = lattice->disorder[LM_OF_BONDS].kind == LM_UNIFORM;
    const int64_t sample = uniform ? 0 : replica / (lattice->replicas / lattice->samples);
    lm_pair_links *const l = &s->links[sample + 1 == s->links[0].sample ? 0 : which];

    if (l->sample != sample + 1 || l->first != rows.first)
        for (int a = 0; a < s->dims; a++)
            lm_bonds_there(lattice, sample, a, rows.first, rows.count,
                           l->there + a * s->chunk_sites);
    l->sample = sample + 1;
    l->first = rows.first;
    return l->there;
}

latmc_status lm_pair_add_links(lm_pair_summing *s, const lm_pair_sites *at)
{
    double *const a = lm_pair_terms(s, LM_PAIR_OF_A), *const b = lm_pair_terms(s, LM_PAIR_OF_B);
    latmc_status status = LATMC_OK;

    for (int axis = 0; axis < s->dims && !status; axis++) {
        const int64_t from = axis * s->chunk_sites + at->in_chunk;
        const int8_t *const in_a = at->there[0] + from, *const in_b = at->there[1] + from;
        int64_t bonds = 0;

        status = products_up(s, at, axis, 0, a);
        if (!status)
            status = products_up(s, at, axis, 1, b);
        for (int64_t i = 0; i < at->count && !status; i++) {
            const int counts = in_a[i] & in_b[i];

            a[i] = counts ? a[i] * b[i] : 0.0;
            bonds += counts;
        }
        if (!status)
            lm_adder_some(s->layer + s->begin[LM_PAIR_LINKS] + 2 * axis, a, at->count);
        s->bonds[axis] = s->bonds[axis] + (double)bonds;
    }
    return status;
}

/* ---- chiralities */

static void chiralities(const lm_pair_summing *s, const char *below, const char *here,
                        const char *above, int64_t count, double *to)
{
    s->lattice->model->chirality((latmc_type)s->lattice->type->entry.id, below, here, above, count,
                                 to);
}

/* Computes chiralities of a row along axis 0. The sites at the row's ends are neighbours of each
 * other. */
static void chiralities_along(const lm_pair_summing *s, const lm_pair_sites *at, const char *row,
                              double *to)
{
    const int64_t last = s->lattice->extents[0] - 1;
    int64_t n;

    for (int64_t i = 0; i < at->count; i += n) {
        const int64_t x = at->first + i,
                      inside = last - x < at->count - i ? last - x : at->count - i;

        n = x > 0 && x < last ? inside : 1;
        chiralities(s, lm_pair_site(s, row, x > 0 ? x - 1 : last), lm_pair_site(s, row, x),
                    lm_pair_site(s, row, x < last ? x + 1 : 0), n, to + i);
    }
}

static latmc_status chiralities_of(lm_pair_summing *s, const lm_pair_sites *at, int axis, int which,
                                   double *to)
{
    const int64_t extent = s->lattice->extents[axis], x = at->x[axis];
    const int64_t stride = lm_row_stride(s->lattice->extents, axis), around = stride * extent;
    const char *below, *above;
    latmc_status status;

    if (axis == 0) {
        chiralities_along(s, at, at->row_sites[which], to);
        return LATMC_OK;
    }
    status = lm_row_cached(&s->rows, at->replicas[which], at->row - stride + (x > 0 ? 0 : around),
                           &below);
    if (!status)
        status = lm_row_cached(&s->rows, at->replicas[which],
                               at->row + stride - (x + 1 < extent ? 0 : around), &above);
    if (!status)
        chiralities(s, lm_pair_site(s, below, at->first),
                    lm_pair_site(s, at->row_sites[which], at->first),
                    lm_pair_site(s, above, at->first), at->count, to);
    return status;
}

/* Sets the terms of the sites at an axis's open ends to 0. */
static void drop_ends(const lm_pair_summing *s, const lm_pair_sites *at, int axis, double *terms)
{
    const int64_t last = s->lattice->extents[axis] - 1;

    for (int64_t i = 0; i < at->count && s->lattice->boundaries[axis] == LATMC_OPEN; i++) {
        const int64_t x = at->x[axis] + (axis == 0 ? i : 0);

        if (x == 0 || x == last)
            terms[i] = 0.0;
    }
}

/* Multiplies the chiralities of both replicas along an axis. */
static latmc_status chiral_products(lm_pair_summing *s, const lm_pair_sites *at, int axis,
                                    double *a, double *b)
{
    latmc_status status = chiralities_of(s, at, axis, 0, a);

    if (!status)
        status = chiralities_of(s, at, axis, 1, b);
    if (status)
        return status;
    for (int64_t i = 0; i < at->count; i++)
        a[i] = a[i] * b[i];
    drop_ends(s, at, axis, a);
    return LATMC_OK;
}

latmc_status lm_pair_add_chiral(lm_pair_summing *s, const lm_pair_sites *at)
{
    double *const a = lm_pair_terms(s, LM_PAIR_OF_A), *const b = lm_pair_terms(s, LM_PAIR_OF_B);
    latmc_status status = LATMC_OK;

    for (int axis = 0; axis < s->dims && !status; axis++) {
        status = chiral_products(s, at, axis, a, b);
        if (status)
            break;
        if (lm_pair_takes(s, LM_PAIR_CHIRAL))
            lm_adder_some(s->layer + s->begin[LM_PAIR_CHIRAL] + axis, a, at->count);
        if (lm_pair_takes(s, LM_PAIR_CHIRAL_WAVES))
            add_wave(s, at, axis, a, s->layer + s->begin[LM_PAIR_CHIRAL_WAVES] + 2 * axis);
    }
    return status;
}

/* ---- momenta */

/* Computes the terms of a bundle, [term][site], in `terms`. */
static latmc_status terms_at(lm_pair_summing *s, const lm_pair_sites *at, int bundle, double *terms)
{
    const lm_site_array of = lm_site_array_of(s->lattice);
    const char *const a = lm_pair_site(s, at->row_sites[0], at->first), *const b = lm_pair_site(
                                                                            s, at->row_sites[1],
                                                                            at->first);
    latmc_status status = LATMC_OK;

    if (bundle == LM_PAIR_AT)
        s->lattice->model->products(&of, a, b, at->count, terms);
    else if (bundle == LM_PAIR_TENSOR_AT)
        s->lattice->model->tensor(&of, a, b, at->count, terms);
    for (int axis = 0; axis < s->dims && bundle == LM_PAIR_CHIRAL_AT && !status; axis++)
        status =
            chiral_products(s, at, axis, terms + axis * at->count, lm_pair_terms(s, LM_PAIR_OF_B));
    return status;
}

latmc_status lm_pair_add_at_momenta(lm_pair_summing *s, lm_pair_sites at)
{
    double *const terms = lm_pair_terms(s, LM_PAIR_SPARE);
    latmc_status status = LATMC_OK;

    for (int g = LM_PAIR_AT; g < LM_PAIR_AT_END && !status; g++) {
        lm_momentum_adding *const adding = &s->at[g - LM_PAIR_AT];

        if (!lm_pair_takes(s, g))
            continue;
        lm_momentum_row(adding, at.row);
        for (lm_chunk c = {0};
             !status && lm_next_chunk(&c, s->lattice->extents[0], LM_SUMS_BLOCK);) {
            at.first = at.x[0] = c.first;
            at.count = c.count;
            status = terms_at(s, &at, g, terms);
            if (!status)
                lm_momentum_add(adding, c.first, c.count, terms, c.count);
        }
    }
    return status;
}
