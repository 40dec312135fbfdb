/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the bonds' own couplings and the sites' own fields. */
#include "lib/lattice/disorder.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/memory.h"

int lm_model_has_own(const latmc_lattice *lattice, lm_owner owner)
{
    return owner == LM_OF_BONDS ? lattice->model->couplings != LM_NO_COUPLINGS
                                : lattice->model->site_fields;
}

int lm_is_given(const lm_disorder *disorder)
{
    return disorder->kind == LM_GIVEN || disorder->kind == LM_GIVEN_REALS;
}

static int keeps_signs(const lm_model *model, lm_owner owner, lm_disorder_kind kind)
{
    return owner == LM_OF_BONDS && model->couplings == LM_SIGN_COUPLINGS && kind != LM_GIVEN_REALS;
}

int lm_keeps_signs(const latmc_lattice *lattice, lm_owner owner)
{
    return keeps_signs(lattice->model, owner, lattice->disorder[owner].kind);
}

lm_kinds lm_kinds_of(const latmc_lattice *lattice)
{
    const lm_disorder *bonds = &lattice->disorder[LM_OF_BONDS];
    const int signs = bonds->kind == LM_DRAWN ? bonds->draw.distribution == LATMC_PLUS_MINUS_ONE
                                              : lm_keeps_signs(lattice, LM_OF_BONDS);

    return (lm_kinds){.couplings = bonds->kind == LM_UNIFORM ? LM_NO_COUPLINGS
                                   : signs                   ? LM_SIGN_COUPLINGS
                                                             : LM_REAL_COUPLINGS,
                      .site_fields = lattice->disorder[LM_OF_SITES].kind != LM_UNIFORM};
}

int64_t lm_disorder_each(const latmc_lattice *lattice, lm_owner owner)
{
    return owner == LM_OF_BONDS ? lm_bond_types(lattice) * lm_cells(lattice) : lattice->sites;
}

static void given(const latmc_lattice *lattice, lm_owner owner, int64_t at, int64_t count,
                  double *numbers)
{
    const lm_disorder *own = &lattice->disorder[owner];

    if (lm_keeps_signs(lattice, owner))
        for (int64_t i = 0; i < count; i++)
            numbers[i] = own->signs[at + i];
    else
        memcpy(numbers, own->reals + at, (size_t)count * sizeof *numbers);
}

void lm_disorder_own(const latmc_lattice *lattice, lm_owner owner, int64_t sample, int type,
                     int64_t first, int64_t count, double *numbers)
{
    const lm_disorder *own = &lattice->disorder[owner];

    if (own->kind == LM_DRAWN)
        lm_draw_numbers(&own->draw, owner, type, lattice->first_sample + sample, first, count,
                        numbers);
    else if (lm_is_given(own))
        given(lattice, owner,
              sample * lm_disorder_each(lattice, owner) + type * lm_cells(lattice) + first, count,
              numbers);
    else
        for (int64_t i = 0; i < count; i++)
            numbers[i] = owner == LM_OF_BONDS ? 1.0 : 0.0;
}

latmc_status lm_disorder_room(const latmc_lattice *lattice, const char *caller, lm_owner owner,
                              lm_disorder *disorder)
{
    const char *const what =
        owner == LM_OF_BONDS ? "the couplings of the bonds" : "the fields of the sites";
    const int64_t count = lattice->samples * lm_disorder_each(lattice, owner);

    if (!keeps_signs(lattice->model, owner, disorder->kind)) {
        disorder->reals = lm_zeroed(caller, what, count, sizeof *disorder->reals);
        return disorder->reals ? LATMC_OK : LATMC_ERROR_MEMORY;
    }
    disorder->signs = lm_zeroed(caller, what, count, 1);
    if (disorder->signs)
        disorder->missing = lm_zeroed(caller, "the samples of the bonds", lattice->samples, 1);
    if (disorder->missing)
        return LATMC_OK;
    free(disorder->signs);
    disorder->signs = NULL;
    return LATMC_ERROR_MEMORY;
}

void lm_disorder_take(latmc_lattice *lattice, lm_owner owner, lm_disorder disorder)
{
    lm_disorder_free(&lattice->disorder[owner]);
    lattice->disorder[owner] = disorder;
}

void lm_disorder_free(lm_disorder *disorder)
{
    free(disorder->signs);
    free(disorder->missing);
    free(disorder->reals);
    *disorder = (lm_disorder){.kind = LM_UNIFORM};
}

void *lm_disorder_given(const lm_disorder *disorder)
{
    return disorder->signs ? (void *)disorder->signs : disorder->reals;
}

void lm_disorder_flags(const latmc_lattice *lattice, lm_spec *spec)
{
    const lm_kinds kinds = lm_kinds_of(lattice);
    const int bonds = kinds.couplings != LM_NO_COUPLINGS;

    spec->couplings = bonds && spec->kept != LM_IN_WORDS;
    spec->site_fields = kinds.site_fields;
    /* uniform numbers are the same in all samples */
    spec->samples = bonds || spec->site_fields ? lattice->samples : 1;
}
