/* SPDX-License-Identifier: BSD-3-Clause */
/* The steps of a case that give sites, read them and hash them. */
#include <stdlib.h>
#include <string.h>

#include "tests/random/given.h"
#include "tests/random/models.h"
#include "tests/random/player.h"
#include "tests/sites.h"

/* Numbers of all sites of a replica. */
static int64_t site_numbers(const player *p)
{
    return p->sites * random_components(p->c);
}

int player_give(player *p, int64_t replica, uint64_t seed)
{
    const int64_t count = site_numbers(p);
    double *sites = given_room(count, sizeof *sites);
    const latmc_type type = given_sites(p->c, seed, sites, count);
    const int same = player_said(p, set_replica(p->lattice, replica, type, sites, count));

    free(sites);
    return same;
}

int player_sites(player *p, const case_step *s)
{
    return player_give(p, s->number, s->seed);
}

static int get_sites(player *p, int64_t replica, latmc_type type)
{
    const size_t bytes = type == LATMC_INT8 || type == LATMC_UINT8 ? 1
                         : type == LATMC_FLOAT32                   ? sizeof(float)
                                                                   : sizeof(double);
    const int64_t count = site_numbers(p);
    double *sites = given_room(count, sizeof *sites);
    const latmc_status status = get_replica(p->lattice, replica, type, sites, count);
    const int same = player_said(p, status) &&
                     notes_number(p->notes, "sites", player_mixed(sites, (size_t)count * bytes));

    free(sites);
    return same;
}

/* In every type that the model has. */
int player_get(player *p, const case_step *s)
{
    const int *type = random_model_of(p->c->model)->types;
    int same = 1;

    for (; *type && same; type++)
        same = get_sites(p, s->number, (latmc_type)*type);
    return same;
}

int player_hash(player *p, const case_step *s)
{
    uint64_t hash = 0;
    const latmc_status status = latmc_state_hash(p->lattice, &hash);

    (void)s;
    return player_said(p, status) && notes_form(p->notes, "state hash", hash);
}
