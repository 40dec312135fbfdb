/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/divide/division.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/minmax.h"
#include "lib/base/memory.h"
#include "lib/geometry/siteword.h"
#include "lib/base/status.h"
#include "lib/geometry/tiles.h"
#include "lib/physics/philox_keys.h"

int lm_cuts_are_equal(const lm_cuts *a, const lm_cuts *b)
{
    return a->count == b->count &&
           memcmp(a->layer, b->layer, (size_t)a->count * sizeof *a->layer) == 0;
}

static int64_t layers_of(const lm_spec *spec)
{
    return spec->extents[spec->dims - 1];
}

/* ---- by layers */

/* Returns where slab number k of `slabs` begins. It begins between tiles if there are tiles, and
 * otherwise at any layer. */
static int64_t slab_begin(const lm_spec *spec, const lm_tiles *tiles, int k, int slabs)
{
    const int axis = spec->dims - 1;

    return tiles ? lm_tile_begin(tiles, axis, k * tiles->count[axis] / slabs)
                 : k * layers_of(spec) / slabs;
}

/* Returns whether all slabs have at least as many layers as their neighbours need, and at most
 * `most`. */
static int are_slabs(const lm_spec *spec, const lm_tiles *tiles, int slabs, int64_t most)
{
    int are = slabs <= layers_of(spec) / spec->reach;

    for (int k = 0; k < slabs && are; k++) {
        const int64_t layers =
            slab_begin(spec, tiles, k + 1, slabs) - slab_begin(spec, tiles, k, slabs);

        are = layers >= spec->reach && layers <= most;
    }
    return are;
}

/* Returns the layers of a slab for which a device has room, without its halos. */
static int64_t most_layers(const lm_spec *spec, int64_t most_sites)
{
    int64_t layer = 1;

    for (int a = 0; a < spec->dims - 1; a++)
        layer *= spec->extents[a];
    return most_sites ? most_sites / layer - 2 * spec->reach : INT64_MAX;
}

/* Makes the fewest slabs for each device for which there is room. The slabs are as equal as
 * possible. */
static int in_slabs_between(const lm_to_divide *d, const lm_tiles *tiles, lm_division *to)
{
    const int64_t most = most_layers(d->spec, d->most_sites);
    int slabs = to->devices > 1 ? to->devices : 2;

    while (slabs <= LM_MAX_PIECES && !are_slabs(d->spec, tiles, slabs, most))
        slabs += to->devices;
    if (slabs > LM_MAX_PIECES)
        return 0;
    to->kind = LATMC_DIVIDE_SLABS;
    to->pieces = slabs;
    for (int k = 0; k <= slabs; k++)
        to->begin[k] = slab_begin(d->spec, tiles, k, slabs);
    return 1;
}

/* Cuts between tiles if the lattice has tiles and such slabs are possible. */
static int in_slabs(const lm_to_divide *d, lm_division *to)
{
    lm_tiles tiles;

    if (d->spec->dims == 1)
        return 0;
    if (d->spec->tiled) {
        tiles = lm_tiles_of(d->spec);
        if (in_slabs_between(d, &tiles, to))
            return 1;
    }
    return in_slabs_between(d, NULL, to);
}

static latmc_status at_cuts(const lm_to_divide *d, lm_division *to)
{
    const int64_t layers = layers_of(d->spec);
    const lm_cuts *cuts = d->cuts;

    if (cuts->count >= LM_MAX_SLABS || cuts->count + 1 < to->devices)
        return lm_fail(
            LATMC_ERROR_ARGUMENT,
            "the number of cuts is %d; %d devices need at least one slab each, and a lattice "
            "can have at most %d slabs",
            cuts->count, to->devices, LM_MAX_SLABS);
    to->kind = LATMC_DIVIDE_SLABS;
    to->reason = "the cuts were given";
    to->pieces = cuts->count + 1;
    to->begin[0] = 0;
    for (int i = 0; i < cuts->count; i++) {
        if (cuts->layer[i] <= to->begin[i] || cuts->layer[i] >= layers)
            return lm_fail(LATMC_ERROR_ARGUMENT,
                           "a slab cannot begin at layer %lld after one that begins at layer %lld; "
                           "layers must grow, up to %lld",
                           (long long)cuts->layer[i], (long long)to->begin[i],
                           (long long)layers - 1);
        to->begin[i + 1] = cuts->layer[i];
    }
    to->begin[to->pieces] = layers;
    return LATMC_OK;
}

/* ---- by replicas */

/* Replicas that stay together: those of one sample, or those that share words. */
typedef struct lots {
    int64_t count, each;
    int64_t before; /* replicas of the first lot that this lattice does not have */
} lots;

/* Returns the smallest common multiple. */
static int64_t common(int64_t a, int64_t b)
{
    int64_t multiple = a;

    while (multiple % b)
        multiple += a;
    return multiple;
}

/* Returns the lots that there can be at most. The slots of a ladder stay together, too, unless some
 * words begin with another lattice's replicas. */
static lots lots_of(const lm_spec *spec, int64_t ladder)
{
    lots l = {.count = spec->samples, .each = spec->replicas / spec->samples};

    if (spec->samples == 1) {
        const lm_words words = lm_words_of(spec);
        const int per_word = spec->kept == LM_IN_WORDS ? words.per_word : 1;

        l.before = spec->first_replica % per_word;
        l.each = l.before ? per_word : common(per_word, ladder);
        l.count = (l.before + spec->replicas + l.each - 1) / l.each;
    }
    return l;
}

/* Adds the lots of one device, replicas first .. end - 1. They are cut between replicas that
 * disagree in number / 2^16. If such a cut is inside a sample, the sample's two parts are lots of
 * their own, because all samples of a lot have as many replicas. Returns whether there is room. */
static int add_lots(const lm_spec *spec, int64_t first, int64_t end, int device, lm_division *to)
{
    const int64_t each = spec->samples > 1 ? spec->replicas / spec->samples : 1;

    while (first < end) {
        const int64_t number = spec->first_replica + first;
        const int64_t cut = first + LM_GROUP_MASK + 1 - (number & LM_GROUP_MASK);
        int64_t next = lm_min(cut, end);

        if (first % each)
            next = lm_min(next, first - first % each + each);
        else if (next - first > each)
            next -= (next - first) % each;
        if (to->pieces == LM_MAX_PIECES)
            return 0;
        to->device[to->pieces] = device;
        to->begin[to->pieces++] = first;
        first = next;
    }
    to->begin[to->pieces] = end;
    return 1;
}

static int by_replicas(const lm_to_divide *d, int64_t ladder, lm_division *to)
{
    const lots l = lots_of(d->spec, ladder);
    int room = 1;

    if (l.count < to->devices || most_layers(d->spec, d->most_sites) < layers_of(d->spec))
        return 0;
    to->kind = LATMC_DIVIDE_REPLICAS;
    to->pieces = 0;
    for (int k = 0; k < to->devices && room; k++) {
        const int64_t first = k * l.count / to->devices * l.each - l.before;
        const int64_t end = (k + 1) * l.count / to->devices * l.each - l.before;

        room = add_lots(d->spec, lm_max(first, 0), lm_min(end, d->spec->replicas), k, to);
    }
    return room;
}

/* Returns whether replicas disagree in number / 2^16, so that one plan cannot have them all. */
static int need_lots(const lm_spec *spec)
{
    const int64_t last = spec->first_replica + spec->replicas - 1;

    return spec->first_replica >> LM_GROUP_BITS != last >> LM_GROUP_BITS;
}

/* Returns whether no device has over an eighth more replicas than the average. */
static int is_even(const lm_division *d)
{
    const double average = (double)d->begin[d->pieces] / d->devices;
    int64_t have = 0;
    int even = 1;

    for (int k = 0; k < d->pieces; k++) {
        have = k > 0 && d->device[k] == d->device[k - 1] ? have : 0;
        have += d->begin[k + 1] - d->begin[k];
        even &= (double)have <= 1.125 * average;
    }
    return even;
}

/* Deals out replicas. Ladders stay whole if all devices then have nearly as many replicas. */
static int deal_out(const lm_to_divide *d, lm_division *to)
{
    return (d->ladder > 1 && by_replicas(d, d->ladder, to) && is_even(to)) || by_replicas(d, 1, to);
}

/* ---- the choice */

static int fits_whole(const lm_to_divide *d)
{
    return d->spec->dims == 1 || !d->most_sites ||
           most_layers(d->spec, d->most_sites) + 2 * d->spec->reach >= layers_of(d->spec);
}

static void whole(const lm_to_divide *d, lm_division *to)
{
    to->kind = LATMC_DIVIDE_WHOLE;
    to->reason = "one device has all of it";
    to->pieces = 1;
    to->begin[1] = layers_of(d->spec);
}

static latmc_status refuse(const lm_to_divide *d, const lm_division *to)
{
    const int ranks = lm_ranks_count(d->ranks);
    const long long lots = lots_of(d->spec, 1).count;
    char of_ranks[32] = "";

    if (ranks > 1)
        snprintf(of_ranks, sizeof of_ranks, " of %d ranks", ranks);
    return lm_fail(
        LATMC_ERROR_ARGUMENT,
        "%d devices%s are too many for this lattice: its %lld replica%s can be dealt out to %lld "
        "device%s, since replicas that share words or a sample stay together, and its %lld "
        "layers of the slowest axis cannot be cut in slabs of at least %d layers%s; take fewer %s",
        to->devices, of_ranks, (long long)d->spec->replicas, d->spec->replicas > 1 ? "s" : "", lots,
        lots > 1 ? "s" : "", (long long)layers_of(d->spec), d->spec->reach,
        d->spec->dims == 1 ? " (chains are not cut)" : "", ranks > 1 ? "ranks" : "devices");
}

/* Returns why devices have layers although they might have replicas. */
static const char *why_layers(const lm_to_divide *d, const lm_division *to)
{
    if (d->spec->replicas >= to->devices && lots_of(d->spec, 1).count < to->devices)
        return "replicas that share words or a sample stay together, and then there are not enough "
               "for all devices; layers can be dealt out";
    return "replicas cannot be dealt out evenly, and layers can";
}

static latmc_status choose(const lm_to_divide *d, lm_division *to)
{
    if (d->cuts->count)
        return at_cuts(d, to);
    if (to->devices == 1) {
        if (need_lots(d->spec) && deal_out(d, to))
            to->reason = "its replicas are numbered on both sides of a multiple of 65536";
        else if (fits_whole(d) || !in_slabs(d, to))
            whole(d, to);
        else
            to->reason = "it has more sites than a plan of the device";
        return LATMC_OK;
    }
    if (d->wish != LATMC_DIVIDE_SLABS && deal_out(d, to) &&
        (d->wish == LATMC_DIVIDE_REPLICAS || need_lots(d->spec) || is_even(to))) {
        to->reason = d->wish != LATMC_DIVIDE_AUTO
                         ? "it was asked for"
                         : "each device gets nearly as many replicas, and needs no other's";
        return LATMC_OK;
    }
    if (d->wish != LATMC_DIVIDE_REPLICAS && in_slabs(d, to)) {
        to->reason = d->wish != LATMC_DIVIDE_AUTO ? "it was asked for" : why_layers(d, to);
        return LATMC_OK;
    }
    to->reason = "it cannot be divided otherwise";
    return (d->wish != LATMC_DIVIDE_SLABS && deal_out(d, to)) ? LATMC_OK : refuse(d, to);
}

/* Deals out slabs evenly, or the whole lattice. */
static void deal_evenly(lm_division *d)
{
    for (int k = 0; k < d->pieces; k++)
        d->device[k] = (int)((int64_t)k * d->devices / d->pieces);
}

static latmc_status refuse_both_sides(const lm_spec *spec)
{
    const int64_t last = spec->first_replica + spec->replicas - 1;

    return lm_fail(LATMC_ERROR_ARGUMENT,
                   "a lattice in slabs cannot have replicas %lld to %lld, on both sides of a "
                   "multiple of 65536; divide it by replicas, or set another first replica",
                   (long long)spec->first_replica, (long long)last);
}

/* Returns the first piece of a device or of one after it. */
static int64_t first_of(const lm_division *d, int64_t device)
{
    int64_t piece = 0;

    while (piece < d->pieces && d->device[piece] < device)
        piece++;
    return piece;
}

/* Tells all ranks how many devices each has, and the smallest limit of any device. */
static latmc_status share_devices(const lm_to_divide *what, int64_t *most_sites, lm_division *d)
{
    int64_t least = what->most_sites ? -what->most_sites : INT64_MIN;
    latmc_status status;

    d->of_rank[1 + lm_ranks_own(what->ranks)] = what->devices;
    status = lm_ranks_share(what->ranks, d->of_rank + 1, sizeof *d->of_rank);
    if (!status)
        status = lm_ranks_most(what->ranks, 1, &least);
    *most_sites = least == INT64_MIN ? 0 : -least;
    return status;
}

/* Counts the devices. Their numbers before each rank's take the place of pieces. *most_sites is the
 * smallest limit of any device. */
static latmc_status count_devices(const lm_to_divide *what, int64_t *most_sites, lm_division *d)
{
    const int ranks = lm_ranks_count(what->ranks);
    latmc_status status = LATMC_OK;

    if (what->rank_devices)
        memcpy(d->of_rank + 1, what->rank_devices, (size_t)ranks * sizeof *d->of_rank);
    else
        status = share_devices(what, most_sites, d);
    if (status)
        return status;
    for (int r = 0; r < ranks; r++)
        d->of_rank[r + 1] += d->of_rank[r];
    if (d->of_rank[ranks] > LM_MAX_PIECES)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%lld devices are too many; %d at most are allowed",
                       (long long)d->of_rank[ranks], LM_MAX_PIECES);
    d->devices = (int)d->of_rank[ranks];
    return LATMC_OK;
}

latmc_status lm_divide(const lm_to_divide *what, lm_division **division)
{
    lm_to_divide all = *what;
    const size_t ranks = (size_t)lm_ranks_count(what->ranks) + 1;
    lm_division *d =
        lm_zeroed(NULL, "how a lattice is divided", 1, sizeof *d + ranks * sizeof *d->of_rank);
    latmc_status status = d ? LATMC_OK : LATMC_ERROR_MEMORY;

    if (!what->rank_devices)
        status = lm_ranks_agree(what->ranks, status);
    if (!status)
        status = count_devices(what, &all.most_sites, d);
    if (!status)
        status = choose(&all, d);
    if (!status && d->kind != LATMC_DIVIDE_REPLICAS) {
        deal_evenly(d);
        status = need_lots(what->spec) ? refuse_both_sides(what->spec) : LATMC_OK;
    }
    if (status) {
        free(d);
        return status;
    }
    for (size_t r = 0; r < ranks; r++)
        d->of_rank[r] = first_of(d, d->of_rank[r]);
    *division = d;
    return LATMC_OK;
}
