/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes the sum of bonds of each site before these sums are added up: LM_HOOK_BONDS of
 * lib/physics/field.h. It is a part of lane.c, which includes it.
 *
 * All places of a row are computed, whatever their colour. sums.h decides which sites count.
 */
#ifndef LM_FIELD_LANE_BONDS_H
#define LM_FIELD_LANE_BONDS_H

LM_INLINE void bonds_of_row(const lm_field_box *box, const lm_hook_common *c, int64_t at, variant k,
                            int upward, lm_scalar *to)
{
    for (int64_t i = at; i < at + box->extents[0] * LM_REALS; i += LM_REALS) {
        const lm_reader read = reader_at(box, field_at(box, i), fixed_at(box, i, k), k);
        lm_real s[LM_HOOK_COMPONENTS], b[LM_HOOK_COMPONENTS];
        LM_UNROLL
        for (int n = 0; n < LM_HOOK_COMPONENTS; n++)
            s[n] = lm_element_load(read.field[n]);
        lm_hook_bonds(c, &read, k.dims, k.kind, upward, b);
        lm_real_store(to + i, lm_vector_dot(LM_HOOK_COMPONENTS, s, b));
    }
}

LM_INLINE void bonds_of_rows(const lm_field_box *box, const lm_field_pass *pass, variant k,
                             lm_scalar *to)
{
    const lm_hook_common c = lm_hook_prepare(pass->rule, pass->table, 0, k.dims);
    for (int64_t row = pass->first_row; row < pass->last_row; row++) {
        int64_t x[LATMC_MAX_DIMS], number;
        const int64_t at = row_at(box, row, x, &number);
        if (pass->upward)
            bonds_of_row(box, &c, at, k, 1, to);
        else
            bonds_of_row(box, &c, at, k, 0, to);
    }
}

#define BONDS_OF(d)                                                                                \
    static void bonds_##d(const lm_field_box *b, const lm_field_pass *p, lm_scalar *to)            \
    {                                                                                              \
        if (b->kind == 0)                                                                          \
            bonds_of_rows(b, p, VARIANT(d, 1, 0, 0), to);                                          \
        else if (b->kind == 1)                                                                     \
            bonds_of_rows(b, p, VARIANT(d, 1, 1, 0), to);                                          \
        else                                                                                       \
            bonds_of_rows(b, p, VARIANT(d, 1, 2, 0), to);                                          \
    }
BONDS_OF(1)
BONDS_OF(2)
BONDS_OF(3)
BONDS_OF(4)

static void bonds(const lm_field_box *box, const lm_field_pass *pass, void *to)
{
    static void (*const by_dims[])(const lm_field_box *, const lm_field_pass *,
                                   lm_scalar *) = {bonds_1, bonds_2, bonds_3, bonds_4};
    by_dims[box->dims - 1](box, pass, to);
    lm_leave();
}

#endif
