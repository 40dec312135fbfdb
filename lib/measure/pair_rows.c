/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes sums over pairs of replicas from their rows, on devices and in host memory:
 * doc/trajectory.md, "Sums over pairs". */
#include "lib/measure/pair_rows.h"

#include <stdlib.h>

#include "lib/base/chunk.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/divide/hands.h"
#include "lib/lattice/bonds.h"
#include "lib/lattice/chunks.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/planes.h"
#include "lib/measure/adder.h"
#include "lib/measure/reading.h"
#include "lib/measure/row_cache.h"

#include "lib/physics/geometry.h"
#include "lib/physics/pair_sums.h"

/* The bonds that a sample has, in some rows. */
typedef struct links {
    int64_t sample, first; /* the sample's number plus 1, and the chunk's first row; 0: no sample */
    int8_t *there;         /* [axis][site of the chunk] */
} links;

typedef struct summing {
    const latmc_lattice *lattice;
    const char *caller;
    unsigned bundles;
    int dims, components, count; /* sums of a pair */
    int begin[LM_PAIR_BUNDLES + 1];
    size_t bytes;        /* of a site */
    int64_t chunk_sites; /* of the largest chunk */
    int64_t layer_sites; /* of a layer, */
    int64_t left, room;  /* sites left in the present layer; room left in a block */
    lm_row_cache rows;
    links links[2];        /* of the two replicas' samples */
    double *terms;         /* [C C + SPARE][LM_SUMS_BLOCK] */
    lm_adder *layer, *all; /* [sum] */
    lm_planes planes;      /* for whole products; all threads share the waves */
    double bonds[LATMC_MAX_DIMS];
} summing;

/* The arrays in `terms` for products and what is computed from them. The tensor's arrays follow. */
enum { PRODUCT, OF_A, OF_B, TERM, SPARE };

/* Some consecutive sites of a row, in both replicas of a pair. */
typedef struct pair_sites {
    const int64_t *replicas;
    int64_t row, first, count; /* sites from `first` of the row on */
    int64_t in_chunk;          /* number of the first site within the chunk */
    int64_t x[LATMC_MAX_DIMS]; /* coordinates of the first site */
    const char *row_sites[2];  /* site 0 of the row */
    const int8_t *there[2];    /* links.there of the two samples */
} pair_sites;

static double *terms_of(const summing *s, int which)
{
    return s->terms + (ptrdiff_t)which * LM_SUMS_BLOCK;
}

static const char *site_at(const summing *s, const char *row, int64_t x)
{
    return row + (size_t)x * s->bytes;
}

static int takes(const summing *s, int bundle)
{
    return (int)(s->bundles >> bundle & 1u);
}

static lm_site_array sites_of(const summing *s)
{
    return (lm_site_array){(latmc_type)s->lattice->type->entry.id, s->components,
                           s->lattice->table};
}

static void products(const summing *s, const char *a, const char *b, int64_t count, double *to)
{
    const lm_site_array of = sites_of(s);

    s->lattice->model->products(&of, a, b, count, to);
}

/* ---- waves */

/* Adds terms times the cosine to one sum, and terms times the sine to the next. */
static void add_wave(summing *s, const pair_sites *at, int axis, const double *terms, lm_adder *to)
{
    const double *wave = lm_planes_wave(&s->planes, axis) + 2 * at->x[axis];
    const int step = axis == 0 ? 2 : 0;
    double *const product = terms_of(s, TERM);

    for (int part = 0; part < 2; part++) {
        for (int64_t i = 0; i < at->count; i++)
            product[i] = terms[i] * wave[step * i + part];
        lm_adder_some(to + part, product, at->count);
    }
}

/* Adds whole numbers to the planes. */
static void add_to_planes(summing *s, const pair_sites *at, const double *terms)
{
    double *const along = s->planes.sums + at->first, sum = 0.0;

    for (int64_t i = 0; i < at->count; i++) {
        along[i] = along[i] + terms[i];
        sum = sum + terms[i];
    }
    lm_planes_add(&s->planes, at->x, sum);
}

static void add_waves(summing *s, const pair_sites *at, const double *terms)
{
    if (s->lattice->model->whole_products) {
        add_to_planes(s, at, terms);
        return;
    }
    for (int a = 0; a < s->dims; a++)
        add_wave(s, at, a, terms, s->layer + s->begin[LM_PAIR_WAVES] + 2 * a);
}

/* ---- the tensor */

static void add_tensor(summing *s, const pair_sites *at)
{
    const int elements = s->components * s->components;
    const lm_site_array of = sites_of(s);
    double *const terms = terms_of(s, SPARE);

    s->lattice->model->tensor(&of, site_at(s, at->row_sites[0], at->first),
                              site_at(s, at->row_sites[1], at->first), at->count, terms);
    for (int e = 0; e < elements; e++) {
        const double *const element = terms + e * at->count;

        if (takes(s, LM_PAIR_TENSOR))
            lm_adder_some(s->layer + s->begin[LM_PAIR_TENSOR] + e, element, at->count);
        for (int a = 0; a < s->dims && takes(s, LM_PAIR_TENSOR_WAVES); a++)
            add_wave(s, at, a, element,
                     s->layer + s->begin[LM_PAIR_TENSOR_WAVES] + 2 * (a * elements + e));
    }
}

/* ---- links */

/* Multiplies a row's sites with their neighbours one step up along axis 0. */
static void products_along(const summing *s, const pair_sites *at, const char *row, double *to)
{
    const int64_t end = at->first + at->count, extent = s->lattice->extents[0];
    const int64_t inside = end < extent ? at->count : at->count - 1;

    products(s, site_at(s, row, at->first), site_at(s, row, at->first + 1), inside, to);
    if (inside < at->count)
        products(s, site_at(s, row, extent - 1), row, 1, to + inside);
}

static latmc_status products_up(summing *s, const pair_sites *at, int axis, int which, double *to)
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
        products(s, site_at(s, at->row_sites[which], at->first), site_at(s, above, at->first),
                 at->count, to);
    return status;
}

/* Returns the bonds of a chunk's rows, in the sample of a replica. All samples share uniform
 * bonds. */
static const int8_t *links_of(summing *s, int which, int64_t replica, lm_chunk rows)
{
    const latmc_lattice *lattice = s->lattice;
    const int uniform = lattice->disorder[LM_OF_BONDS].kind == LM_UNIFORM;
    const int64_t sample = uniform ? 0 : replica / (lattice->replicas / lattice->samples);
    links *const l = &s->links[sample + 1 == s->links[0].sample ? 0 : which];

    if (l->sample != sample + 1 || l->first != rows.first)
        for (int a = 0; a < s->dims; a++)
            lm_bonds_there(lattice, sample, a, rows.first, rows.count,
                           l->there + a * s->chunk_sites);
    l->sample = sample + 1;
    l->first = rows.first;
    return l->there;
}

static latmc_status add_links(summing *s, const pair_sites *at)
{
    double *const a = terms_of(s, OF_A), *const b = terms_of(s, OF_B);
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

static void chiralities(const summing *s, const char *below, const char *here, const char *above,
                        int64_t count, double *to)
{
    s->lattice->model->chirality((latmc_type)s->lattice->type->entry.id, below, here, above, count,
                                 to);
}

/* Computes chiralities of a row along axis 0. The sites at the row's ends are neighbours of each
 * other. */
static void chiralities_along(const summing *s, const pair_sites *at, const char *row, double *to)
{
    const int64_t last = s->lattice->extents[0] - 1;
    int64_t n;

    for (int64_t i = 0; i < at->count; i += n) {
        const int64_t x = at->first + i,
                      inside = last - x < at->count - i ? last - x : at->count - i;

        n = x > 0 && x < last ? inside : 1;
        chiralities(s, site_at(s, row, x > 0 ? x - 1 : last), site_at(s, row, x),
                    site_at(s, row, x < last ? x + 1 : 0), n, to + i);
    }
}

static latmc_status chiralities_of(summing *s, const pair_sites *at, int axis, int which,
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
        chiralities(s, site_at(s, below, at->first), site_at(s, at->row_sites[which], at->first),
                    site_at(s, above, at->first), at->count, to);
    return status;
}

/* Sets the terms of the sites at an axis's open ends to 0. */
static void drop_ends(const summing *s, const pair_sites *at, int axis, double *terms)
{
    const int64_t last = s->lattice->extents[axis] - 1;

    for (int64_t i = 0; i < at->count && s->lattice->boundaries[axis] == LATMC_OPEN; i++) {
        const int64_t x = at->x[axis] + (axis == 0 ? i : 0);

        if (x == 0 || x == last)
            terms[i] = 0.0;
    }
}

static latmc_status add_chiral(summing *s, const pair_sites *at)
{
    double *const a = terms_of(s, OF_A), *const b = terms_of(s, OF_B);
    latmc_status status = LATMC_OK;

    for (int axis = 0; axis < s->dims && !status; axis++) {
        status = chiralities_of(s, at, axis, 0, a);
        if (!status)
            status = chiralities_of(s, at, axis, 1, b);
        if (status)
            break;
        for (int64_t i = 0; i < at->count; i++)
            a[i] = a[i] * b[i];
        drop_ends(s, at, axis, a);
        if (takes(s, LM_PAIR_CHIRAL))
            lm_adder_some(s->layer + s->begin[LM_PAIR_CHIRAL] + axis, a, at->count);
        if (takes(s, LM_PAIR_CHIRAL_WAVES))
            add_wave(s, at, axis, a, s->layer + s->begin[LM_PAIR_CHIRAL_WAVES] + 2 * axis);
    }
    return status;
}

/* ---- a pair */

/* Adds the sums of a finished layer to the totals. */
static void end_layer(summing *s)
{
    for (int g = 0; g < LM_PAIR_BUNDLES; g++)
        for (int k = s->begin[g]; k < s->begin[g + 1] && takes(s, g); k++)
            lm_adder_one(&s->all[k], lm_adder_end(&s->layer[k]));
    s->left = s->layer_sites;
    s->room = LM_SUMS_BLOCK;
}

static latmc_status add_piece(summing *s, const pair_sites *at)
{
    double *const q = terms_of(s, PRODUCT);
    latmc_status status = LATMC_OK;

    if (takes(s, LM_PAIR_OVERLAP) || takes(s, LM_PAIR_WAVES))
        products(s, site_at(s, at->row_sites[0], at->first),
                 site_at(s, at->row_sites[1], at->first), at->count, q);
    if (takes(s, LM_PAIR_OVERLAP))
        lm_adder_some(s->layer + s->begin[LM_PAIR_OVERLAP], q, at->count);
    if (takes(s, LM_PAIR_WAVES))
        add_waves(s, at, q);
    if (takes(s, LM_PAIR_TENSOR) || takes(s, LM_PAIR_TENSOR_WAVES))
        add_tensor(s, at);
    if (takes(s, LM_PAIR_CHIRAL) || takes(s, LM_PAIR_CHIRAL_WAVES))
        status = add_chiral(s, at);
    return !status && takes(s, LM_PAIR_LINKS) ? add_links(s, at) : status;
}

/* Adds `count` sites of a chunk, from the beginning of at->row on. They are one row, or several
 * rows if the sums do not depend on the row. */
static latmc_status add_sites(summing *s, pair_sites *at, int64_t count)
{
    latmc_status status = lm_row_cached(&s->rows, at->replicas[0], at->row, &at->row_sites[0]);

    if (!status)
        status = lm_row_cached(&s->rows, at->replicas[1], at->row, &at->row_sites[1]);
    lm_coordinates(at->row, 1, s->dims, s->lattice->extents, at->x);
    for (at->first = 0; at->first < count && !status; at->first += at->count) {
        const int64_t rest = count - at->first, fit = s->room < s->left ? s->room : s->left;

        at->count = rest < fit ? rest : fit;
        at->x[0] = at->first;
        status = add_piece(s, at);
        at->in_chunk += at->count;
        s->room = s->room > at->count ? s->room - at->count : LM_SUMS_BLOCK;
        s->left -= at->count;
        if (s->left == 0)
            end_layer(s);
    }
    return status;
}

static latmc_status add_chunk(summing *s, const int64_t pair[2], lm_chunk rows)
{
    const unsigned anywhere = 1u << LM_PAIR_OVERLAP | 1u << LM_PAIR_TENSOR;
    const int64_t at_once = s->bundles & ~anywhere ? 1 : rows.count;
    pair_sites at = {.replicas = pair};
    latmc_status status = LATMC_OK;

    for (int i = 0; i < 2 && takes(s, LM_PAIR_LINKS); i++)
        at.there[i] = links_of(s, i, pair[i], rows);
    for (int64_t r = 0; r < rows.count && !status; r += at_once) {
        at.row = rows.first + r;
        status = add_sites(s, &at, at_once * s->lattice->extents[0]);
    }
    return status;
}

static latmc_status sum_pair(summing *s, const int64_t pair[2], double *sums)
{
    latmc_status status = LATMC_OK;

    for (lm_chunk c = {0}; !status && lm_next_rows(s->lattice, &c);)
        status = add_chunk(s, pair, c);
    for (int g = 0; g < LM_PAIR_BUNDLES && !status; g++)
        for (int k = s->begin[g]; k < s->begin[g + 1] && takes(s, g); k++)
            sums[k] = lm_adder_end(&s->all[k]);
    if (!status && takes(s, LM_PAIR_WAVES) && s->lattice->model->whole_products)
        lm_planes_end(&s->planes, sums + s->begin[LM_PAIR_WAVES]);
    for (int a = 0; a < s->dims && !status && takes(s, LM_PAIR_LINKS); a++) {
        sums[s->begin[LM_PAIR_LINKS] + 2 * a + 1] = s->bonds[a];
        s->bonds[a] = 0.0;
    }
    return status;
}

/* ---- memory */

static latmc_status open_links(summing *s)
{
    for (int i = 0; i < 2; i++) {
        s->links[i].there =
            lm_unset(s->caller, "which bonds there are", s->dims * s->chunk_sites, 1);
        if (!s->links[i].there)
            return LATMC_ERROR_MEMORY;
    }
    return LATMC_OK;
}

static latmc_status open_planes(summing *s, const summing *first)
{
    return first == s ? lm_planes_open(&s->planes, s->lattice, s->caller, 1)
                      : lm_planes_open_beside(&s->planes, &first->planes, s->caller);
}

/* Opens a summing. `first` is the summing itself, or an open one that lends its waves. */
static latmc_status open_summing(summing *s, const summing *first, const latmc_lattice *lattice,
                                 const char *caller, unsigned bundles)
{
    const unsigned turns = 1u << LM_PAIR_CHIRAL | 1u << LM_PAIR_CHIRAL_WAVES;
    const int links = (int)(bundles >> LM_PAIR_LINKS & 1u), chiral = (bundles & turns) != 0;
    const int dims = lattice->dims;
    const int components = lm_components_of(lattice);
    const int64_t terms = SPARE + components * components;
    latmc_status status;

    *s = (summing){.lattice = lattice,
                   .caller = caller,
                   .bundles = bundles,
                   .dims = dims,
                   .components = components,
                   .count = lm_pair_sums_of(lattice),
                   .bytes = (size_t)(components * lattice->type->entry.bytes),
                   .chunk_sites = lm_chunk_rows(lattice) * lattice->extents[0],
                   .layer_sites =
                       dims > 1 ? lattice->sites / lattice->extents[dims - 1] : lattice->sites,
                   .room = LM_SUMS_BLOCK};
    s->left = s->layer_sites;
    for (int g = 0; g <= LM_PAIR_BUNDLES; g++)
        s->begin[g] = lm_pair_bundle_begin(g, dims, components);
    /* The cache holds a row and its neighbours, in both replicas. */
    status = lm_row_cache_open(&s->rows, lattice, caller,
                               chiral  ? 4 * dims + 2
                               : links ? 2 * (dims + 1)
                                       : 2);
    if (status)
        return status;
    s->terms = lm_unset(caller, "what sites add", terms * LM_SUMS_BLOCK, sizeof *s->terms);
    s->layer = lm_zeroed(caller, "the sums of a layer", s->count, sizeof *s->layer);
    s->all = lm_zeroed(caller, "the sums of layers", s->count, sizeof *s->all);
    if (!s->terms || !s->layer || !s->all)
        return LATMC_ERROR_MEMORY;
    if (takes(s, LM_PAIR_WAVES) || takes(s, LM_PAIR_TENSOR_WAVES) || takes(s, LM_PAIR_CHIRAL_WAVES))
        status = open_planes(s, first);
    return status || !links ? status : open_links(s);
}

static void close_summing(summing *s)
{
    lm_row_cache_close(&s->rows);
    free(s->terms);
    free(s->layer);
    free(s->all);
    lm_planes_close(&s->planes);
    free(s->links[0].there);
    free(s->links[1].there);
}

/* ---- all pairs, shared by threads */

/* A thread takes up to TOGETHER consecutive pairs at once, because neighbours in the list share
 * rows or bonds. If there are enough pairs, each thread has at least SHARES shares. */
enum { TOGETHER = 8, SHARES = 4 };

/* The most bytes for the buffers of further threads, as far as they grow with the lattice. */
#define ROOMS_BYTES ((size_t)256 << 20)

typedef struct sharing {
    int64_t pairs, together;
    const int64_t (*replicas)[2];
    double *sums;
    int hands;
    summing *of;          /* [thread] */
    latmc_status *failed; /* [thread]; further threads only read host memory, which cannot fail, so
                             the message is the caller's own */
} sharing;

static void sum_some(void *user, int thread, int64_t number)
{
    const sharing *w = user;
    summing *const s = &w->of[thread];
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
    int sums = 0;

    for (int g = 0; g < LM_PAIR_BUNDLES; g++)
        if (bundles >> g & 1u)
            sums += lm_pair_bundle_size(g, dims, lm_components_of(lattice));
    return (double)pairs * ((double)lattice->sites * (3.0 + sums) + 10.0 * layers * sums);
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Returns the bytes of the buffers that grow with the lattice. */
static size_t room_of(const summing *s)
{
    const int64_t chunks = s->rows.sets * s->rows.ways;

    return (size_t)chunks * s->rows.bytes +
           (takes(s, LM_PAIR_LINKS) ? (size_t)(2 * s->dims * s->chunk_sites) : 0) +
           2 * sizeof(double) * (size_t)s->planes.begin[s->dims] + 1;
}

/* Opens a summing for each thread that has work and finds memory. Only the first one must
 * succeed. */
static latmc_status open_hands(sharing *w, const latmc_lattice *lattice, const char *caller,
                               unsigned bundles, int wanted)
{
    const int64_t chores = (w->pairs + w->together - 1) / w->together;
    const latmc_status status = open_summing(&w->of[0], &w->of[0], lattice, caller, bundles);
    const lm_message before = lm_message_now();
    int64_t most;

    w->hands = 1;
    if (status)
        return status;
    most = least(least(wanted, chores), 1 + (int64_t)(ROOMS_BYTES / room_of(&w->of[0])));
    while (w->hands < most) {
        summing *const next = &w->of[w->hands];

        if (open_summing(next, &w->of[0], lattice, caller, bundles)) {
            close_summing(next);
            lm_message_again(&before);
            break;
        }
        w->hands++;
    }
    return LATMC_OK;
}

static void close_hands(sharing *w)
{
    for (int i = 0; i < w->hands; i++)
        close_summing(&w->of[i]);
    free(w->of);
    free(w->failed);
}

latmc_status lm_pairs_by_rows(const latmc_lattice *lattice, const char *caller, unsigned bundles,
                              int64_t pairs, const int64_t (*replicas)[2], double *sums)
{
    const lm_plan_ops *const ops = lattice->home.plan.ops;
    const int wanted =
        ops && ops->read_at_once ? lm_hands(lattice->threads, time_of(lattice, bundles, pairs)) : 1;
    const int64_t share = pairs / (SHARES * wanted);
    sharing w = {.pairs = pairs,
                 .together = share < 1 ? 1 : least(share, TOGETHER),
                 .replicas = replicas,
                 .sums = sums};
    latmc_status status = LATMC_ERROR_MEMORY;

    w.of = lm_zeroed(caller, "threads' sums over pairs", wanted, sizeof *w.of);
    w.failed = lm_zeroed(caller, "how threads fared", wanted, sizeof *w.failed);
    if (w.of && w.failed)
        status = open_hands(&w, lattice, caller, bundles, wanted);
    if (!status)
        lm_hands_share(lattice->threads, w.hands, (pairs + w.together - 1) / w.together, sum_some,
                       &w);
    for (int i = 0; i < w.hands && !status; i++)
        status = w.failed[i];
    close_hands(&w);
    return status;
}
