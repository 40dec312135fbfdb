/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates one colour of a large folded lattice by the general rule (ising_rule.cuh). A thread takes
 * a patch of words (patch.cuh).
 */
#include "backends/cuda/bits/ising_rule.cuh"
#include "backends/cuda/bits/window.cuh"

/* Finds the digits of the words of a patch, digits[j][m]. */
template <int D, int KIND, int SHAPE, int OF>
LM_INLINE void digits_of_patch(const lm_bits_view &v, const lm_patches &l, const lm_patch &p,
                               uint32_t group, int colour, const uint32_t *other,
                               uint32_t digits[][lm_patch_words(SHAPE)])
{
    typedef lm_rule<D, KIND> RULE;
    constexpr int WORDS = lm_patch_words(SHAPE);
    uint32_t u[2 * D][WORDS], gone[2 * D][WORDS];
    if (v.sign)
        lm_around_patch<D, LM_OWN_SIGNS, SHAPE, OF>(v, l, p, group, colour, other, u);
    else
        lm_around_patch<D, LM_NO_SIGNS, SHAPE, OF>(v, l, p, group, colour, other, u);
    LM_UNROLL
    for (int i = 0; KIND == LM_GAPS && i < 2 * D; i++)
        lm_load_patch<SHAPE>(l, p, lm_bonds_of<LM_OWN_SIGNS>(v, v.gone, group, colour, i), p.first,
                             gone[i]);
    LM_UNROLL
    for (int m = 0; m < WORDS; m++) {
        uint32_t of[2 * D], missing[2 * D], d[RULE::digits];
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++) {
            of[i] = u[i][m];
            missing[i] = KIND == LM_GAPS ? gone[i][m] : 0;
        }
        lm_digits_of<RULE>(of, missing, d);
        LM_UNROLL
        for (int j = 0; j < RULE::digits; j++)
            digits[j][m] = d[j];
    }
}

/* Stores four words of a patch: one row, or four rows of one word. */
template <int SHAPE>
LM_INLINE void store_four(const lm_patches &l, const lm_patch &p, int which, const uint32_t *spins,
                          uint32_t *own)
{
    if (SHAPE == LM_BRICK)
        lm_store_row<SHAPE>(l, p, which, spins, own);
    else
        lm_store_patch<SHAPE>(l, p, spins, own);
}

/* What a thread knows of its patch. */
template <class RULE, int WORDS> struct sites {
    uint32_t valid, spins[WORDS], digits[RULE::digits][WORDS];
};

/* Updates words m and m + 1 of a patch. */
template <int SHAPE, class RULE, bool RARE>
LM_INLINE void update_words(const lm_bits_view &v, const lm_patches &l, const lm_patch &p,
                            const lm_rule_block<RULE, RARE> &b, int m,
                            sites<RULE, lm_patch_words(SHAPE)> *s, lm_rule_work<RULE> *w)
{
    uint32_t of[2][RULE::digits], at[2], valid[2], changes[2];
    LM_UNROLL
    for (int i = 0; i < 2; i++) {
        at[i] = p.first + lm_patch_offset<SHAPE>(l, m + i);
        valid[i] = lm_in_patch<SHAPE>(l, p, m + i) ? s->valid : 0;
        LM_UNROLL
        for (int j = 0; j < RULE::digits; j++)
            of[i][j] = s->digits[j][m + i];
    }
    lm_update_two(b, of, at, valid, s->spins + m, &w->queued, w->waiting, changes);
    LM_UNROLL
    for (int i = 0; i < 2; i++)
        lm_count_changed<SHAPE>(v, w->g, w->count, changes[i], &w->changed);
}

/* Updates a colour. RARE: each spin has its table. OF: the patches are of a lattice or of a
 * window. */
template <int D, int KIND, int SHAPE, bool RARE, int OF>
__global__ void __launch_bounds__(LM_PATCH_BLOCK, 2)
    ruled_kernel(lm_bits_view v, lm_patches l, lm_bits_pass pass)
{
    typedef lm_rule<D, KIND> RULE;
    constexpr int WORDS = lm_patch_words(SHAPE);
    __shared__ lm_tables<RULE, RARE> table;
    __shared__ lm_queue<RULE> queues[LM_PATCH_BLOCK / LM_WARP];
    const uint32_t block = OF == LM_OF_WINDOW ? lm_seam_block(v.seam) : blockIdx.x;
    const uint32_t number = block * LM_PATCH_BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < l.patches; /* no thread leaves early: warps settle together */
    uint32_t *own = v.sites + lm_sublattice_at<OF>(v, g, pass.colour);
    const uint32_t *other = v.sites + lm_sublattice_at<OF>(v, g, !pass.colour);
    /* The thread does what needs no spins while the previous colour ends. */
    lm_rule_block<RULE, RARE> b = lm_rule_block_of(v, pass, g, &table);
    if (OF)
        lm_count_from(l.base, l.high, &b);
    const lm_patch p = lm_locate_patch<D, SHAPE, OF>(l, inside ? number : 0, pass.colour);
    lm_rule_work<RULE> w = {g, own, pass.count, 0, queues + threadIdx.x / LM_WARP, 0};
    sites<RULE, WORDS> s;
    s.valid = lm_valid_in<SHAPE>(v, p, g, inside);
    lm_await_previous();
    if (OF == LM_OF_WINDOW)
        lm_seam_await(v.seam, lm_seam_sides_here(v.seam));
    lm_load_patch<SHAPE>(l, p, own, p.first, s.spins);
    digits_of_patch<D, KIND, SHAPE, OF>(v, l, p, g, pass.colour, other, s.digits);
    LM_UNROLL
    for (int four = 0; four < WORDS / 4; four++) {
        LM_UNROLL
        for (int m = 4 * four; m < 4 * four + 4; m += 2)
            update_words<SHAPE>(v, l, p, b, m, &s, &w);
        if (inside)
            store_four<SHAPE>(l, p, four, s.spins, own);
        lm_settle_waiting<SHAPE>(v, b, 4 * four + 4 < WORDS ? LM_WARP : 1, &w);
    }
    if (OF == LM_OF_WINDOW)
        lm_hand_patch_on<SHAPE>(v, l, p, g, pass.colour, own, inside);
    lm_add_changed(l, g, pass.count, w.changed);
}

typedef void (*kernel)(lm_bits_view, lm_patches, lm_bits_pass);

/* Rare rules have one shape, which serves all lattices. */
enum {
    RAGGED = LM_WINDOW_RAGGED,
    BRICK = LM_WINDOW_BRICK,
    RARE = LM_WINDOW_RARE,
    TEXTS = LM_WINDOW_TEXTS
};
#define EACH(D, KIND, OF)                                                                          \
    {                                                                                              \
        ruled_kernel<D, KIND, LM_RAGGED, false, OF>, ruled_kernel<D, KIND, LM_BRICK, false, OF>,   \
            ruled_kernel<D, KIND, LM_RAGGED, true, OF>                                             \
    }
#define ALL(OF)                                                                                    \
    {                                                                                              \
        {EACH(2, LM_ALIKE, OF), EACH(2, LM_AXES, OF), EACH(2, LM_GAPS, OF)},                       \
            {EACH(3, LM_ALIKE, OF), EACH(3, LM_AXES, OF), EACH(3, LM_GAPS, OF)},                   \
        {                                                                                          \
            EACH(4, LM_ALIKE, OF), {NULL, NULL, NULL}, EACH(4, LM_GAPS, OF)                        \
        }                                                                                          \
    }
/* [dimensions - 2][kind][text], for whole lattices and for windows */
static const kernel kernels[3][LM_RULE_KINDS][TEXTS] = ALL(LM_OF_LATTICE);
static const kernel of_windows[3][LM_RULE_KINDS][TEXTS] = ALL(LM_OF_WINDOW);

extern "C" int lm_ising_ruled_serves(const lm_bits_view *v, int update)
{
    const int fits = v->whole ? lm_is_even(v) : v->folded && lm_windows_serve(v);
    return fits && lm_rule_serves(v, update);
}

static cudaError_t launch_window(const lm_bits_view *v, const lm_bits_pass *pass, lm_window w,
                                 cudaStream_t stream)
{
    const int text = lm_window_text(v, w, v->by_spin);
    const kernel k = of_windows[v->dims - 2][lm_kind_of(&v->shape[pass->update])][text];
    return lm_launch_window((const void *)k, v, pass, w, lm_patches_by_text(v, text), stream);
}

extern "C" cudaError_t lm_launch_ising_ruled(const lm_bits_view *v, const lm_bits_pass *pass,
                                             cudaStream_t stream)
{
    if (!v->whole)
        return lm_launch_windows(v, pass, launch_window, lm_launch_ising_update, stream);
    const int text = v->by_spin ? RARE : lm_patch_shape(v) == LM_BRICK ? BRICK : RAGGED;
    const kernel k = kernels[v->dims - 2][lm_kind_of(&v->shape[pass->update])][text];
    return lm_launch_patches((const void *)k, v, pass, lm_patches_by_text(v, text), stream);
}
