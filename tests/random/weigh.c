/* SPDX-License-Identifier: BSD-3-Clause */
/* A step that sets weights and momenta, and measures all that they are for. */
#include <stdlib.h>

#include "tests/random/given.h"
#include "tests/random/player.h"
#include "tests/recording.h"

enum {
    MOST_SETS = 3,
    NUMBERS = 5,
    MOMENTA = 4,
    MOST_QUANTITIES = NUMBERS * 6 + MOMENTA,
    RECORDS = 2
};

/* A set of weights, or none in the place of one. */
static int set_weights(player *p, uint64_t *state)
{
    const int number = (int)(case_uniform(state) * NUMBERS), signs = case_uniform(state) < 0.5;
    const int bonds = case_uniform(state) < 0.4, none = case_uniform(state) < 0.15;
    const int64_t samples = case_uniform(state) < 0.5 ? p->c->samples : 1;
    const int64_t count = samples * p->sites * (bonds ? p->c->dims : 1);
    double *weights = given_room(none ? 1 : count, sizeof *weights);
    latmc_status status;

    for (int64_t i = 0; !none && i < count; i++) {
        const double u = case_uniform(state);

        weights[i] = signs ? (double)(int)(3.0 * u) - 1.0 : 2.0 * u - 1.0;
    }
    status = latmc_set_weights(p->lattice, number, bonds ? LATMC_WEIGHT_BONDS : LATMC_WEIGHT_SITES,
                               samples, none ? NULL : weights);
    free(weights);
    return player_said(p, status);
}

/* Momenta, of which the sites can have every second one, and pairs the others at least. */
static int set_momenta(player *p, uint64_t *state)
{
    const int count = 1 + (int)(case_uniform(state) * MOMENTA), dims = p->c->dims;
    int64_t n[MOMENTA * LATMC_MAX_DIMS];

    for (int i = 0; i < count * dims; i++) {
        const int64_t most = 2 * p->c->extents[i % dims];
        const int odd = p->c->boundaries[i % dims] == LATMC_ANTIPERIODIC && i / dims % 2 == 0;

        n[i] = 2 * (int64_t)((2.0 * case_uniform(state) - 1.0) * (double)(most / 2));
        n[i] += !odd ? 0 : n[i] > 0 ? -1 : 1;
    }
    return player_said(p, latmc_set_momenta(p->lattice, count, n));
}

/* Lists the momenta that an observable can have. */
static int list_momenta(const player *p, int observable, latmc_quantity list[MOMENTA])
{
    int count = 0;

    for (int j = 0; j < MOMENTA; j++) {
        const latmc_quantity q = LATMC_QUANTITY(observable, j);
        char text[64];

        if (!latmc_quantity_text(p->lattice, q, text, sizeof text))
            list[count++] = q;
    }
    return count;
}

/* Lists what there are weights for, of each sum the last component. Returns how many. */
static int list_quantities(const player *p, latmc_quantity list[MOST_QUANTITIES])
{
    int count = 0;

    for (int number = 0; number < NUMBERS; number++)
        for (int o = LATMC_WEIGHTED; o <= LATMC_WEIGHTED4; o++) {
            latmc_quantity q = LATMC_QUANTITY(o, number);
            char text[64];
            int64_t sizes[2];

            if (latmc_quantity_sizes(p->lattice, (latmc_observable)o, sizes))
                continue;
            q.second = (int32_t)sizes[1] - 1;
            if (latmc_quantity_text(p->lattice, q, text, sizeof text))
                q.second = 0;
            if (!latmc_quantity_text(p->lattice, q, text, sizeof text))
                list[count++] = q;
        }
    return count + list_momenta(p, LATMC_STRUCTURE_AT, list + count);
}

static int saw(player *p, latmc_status status, const double *values, int64_t count)
{
    return player_said(p, status) &&
           (status || notes_values(p->notes, "weighted sums", values, count));
}

/* Overlaps of neighbours at momenta. */
static int see_pairs(player *p)
{
    const int64_t last = p->replicas - 1, pairs[] = {0, last, last, last / 2};
    latmc_quantity list[MOMENTA];
    const int count = list_momenta(p, LATMC_OVERLAP_STRUCTURE_AT, list);
    double values[2 * MOMENTA];

    return !count ||
           saw(p, latmc_observe_pairs(p->lattice, LATMC_BY_REPLICA, 2, pairs, count, list, values),
               values, 2 * count);
}

int player_weigh(player *p, const case_step *s)
{
    uint64_t state = s->seed;
    latmc_quantity list[MOST_QUANTITIES];
    int count, same = 1;
    int64_t each;
    double *values;

    for (int i = 0; i < 1 + (int)(s->seed % MOST_SETS) && same; i++)
        same = set_weights(p, &state);
    if (same)
        same = set_momenta(p, &state) && see_pairs(p);
    count = list_quantities(p, list);
    if (!same || !count)
        return same;
    each = count * p->replicas;
    values = given_room(RECORDS * each, sizeof *values);
    same = saw(p, latmc_observe(p->lattice, LATMC_BY_REPLICA, count, list, values), values, each);
    if (p->setup->kernel)
        kernels_force(p->lattice, p->setup->kernel);
    if (same)
        same =
            saw(p, record_series(p->lattice, (latmc_update)s->id, 1, RECORDS, count, list, values),
                values, RECORDS * each);
    free(values);
    return same;
}
