/* SPDX-License-Identifier: BSD-3-Clause */
/* A step that sets weights, and measures all that they are for. */
#include <stdlib.h>

#include "tests/random/given.h"
#include "tests/random/player.h"
#include "tests/recording.h"

enum { MOST_SETS = 3, NUMBERS = 5, MOST_QUANTITIES = NUMBERS * 6, RECORDS = 2 };

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
    return count;
}

static int saw(player *p, latmc_status status, const double *values, int64_t count)
{
    return player_said(p, status) &&
           (status || notes_values(p->notes, "weighted sums", values, count));
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
    count = list_quantities(p, list);
    if (!same || !count)
        return same;
    each = count * p->replicas;
    values = given_room(RECORDS * each, sizeof *values);
    same = saw(p, latmc_observe(p->lattice, count, list, values), values, each);
    if (p->setup->kernel)
        kernels_force(p->lattice, p->setup->kernel);
    if (same)
        same =
            saw(p, record_series(p->lattice, (latmc_update)s->id, 1, RECORDS, count, list, values),
                values, RECORDS * each);
    free(values);
    return same;
}
