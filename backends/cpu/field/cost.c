/* SPDX-License-Identifier: BSD-3-Clause */
/* Estimates what a division into nodes costs, and says which divisions there may be. */
#include <math.h>

#include "backends/cpu/field/layout.h"

enum { SHARED_SITES = 1 << 14 }; /* some 20 microseconds of over-relaxation */

int64_t lm_field_most_nodes(const lm_field_layout *l, int axis)
{
    return l->map.halo && axis == l->spec->dims - 1 ? 1 : l->extents[axis];
}

int lm_field_reads_across(const lm_field_layout *l)
{
    int reads = l->lane->across && !l->map.halo;
    for (int a = 0; a < l->spec->dims; a++)
        reads &= l->spec->boundaries[a] == LATMC_PERIODIC;
    return reads;
}

double lm_field_site_bytes(const lm_field_layout *l)
{
    return (double)l->map.planes * (double)l->bytes +
           (double)l->fixed_map.planes * (double)l->value_bytes;
}

/* The surroundings of the first axis weigh more, because long rows are faster, and those of the
 * last, because threads share the layers along it and read there what another one has written.
 * Where nothing is copied, and the lattice is large enough for threads, this is most of what
 * surroundings cost. In a lattice that no cache holds colours follow each other through these
 * layers (sweep.c), so that there should be many, but each of them long. */
double lm_field_nodes_cost(const lm_field_layout *l, const int64_t *extents, int across)
{
    const int last = l->spec->dims - 1;
    double halo = 1.0, sites = 1.0;
    for (int a = 0; a <= last; a++)
        sites *= (double)l->extents[a];
    const int in_fronts = sites * lm_field_site_bytes(l) >= LM_FIELD_FRONT_BYTES;
    const int shared = across && sites >= SHARED_SITES && !in_fronts;
    const double weights[] = {1.5, shared ? 0.5 : 1.0, shared ? 2.0 : 1.5};
    for (int a = 0; a <= last; a++) {
        const double more = (double)(extents[a] + 2 * l->spec->reach) / (double)extents[a];
        halo *= pow(more, weights[a == last ? 2 : a > 0]);
    }
    const double front = (double)(2 * l->spec->reach * l->classes.colouring.colours);
    return in_fronts ? 0.3 * halo + 0.1 * front / (double)extents[last] : 0.05 * halo;
}

/* Static values of many samples may take so many times the memory that the scalar lane needs, or
 * this much in any case. */
enum { MOST_TIMES = 4, ALWAYS_BYTES = 64 << 20 };

int lm_field_has_room(const lm_field_layout *l, const int64_t *extents, int64_t grown, int nodes)
{
    double vectors = 1.0, sites = 1.0;
    for (int a = 0; a < l->spec->dims; a++) {
        const int64_t around = 2 * l->spec->reach;
        vectors *= (double)(extents[a] + around + (a == 0 ? grown : 0));
        sites *= (double)(l->extents[a] + around);
    }
    const double of_sample = vectors * l->lane->reals / (l->lane->reals / nodes);
    const double bytes = of_sample * l->fixed_map.planes * (double)l->value_bytes;
    return l->samples == 1 || of_sample <= MOST_TIMES * sites ||
           (double)l->samples * bytes <= ALWAYS_BYTES;
}
