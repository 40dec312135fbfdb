/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the Blume-Capel model: rules of digits.cuh, rules of plain.cuh with thresholds in shared
 * memory, and sums.
 */
#include "backends/cuda/exchange.cuh"

#include "backends/cuda/bits/blume_capel.h"
#include "backends/cuda/bits/plain.cuh"
#include "backends/cuda/bits/small.cuh"
#include "backends/cuda/bits/tally.cuh"
#include "lib/physics/blume_capel.h"
#include "lib/physics/blume_capel_observe.h"

/* ---- every shape */

template <bool BATH> struct by_classes {
    static constexpr int DIGITS = LM_BLUME_CAPEL_DIGITS;
    LM_INLINE lm_word update(const lm_bits_view &v, const lm_bits_pass &pass, uint32_t g,
                             const lm_digit_sites &at, lm_word valid, const lm_stream *stream,
                             uint64_t index, lm_word *to)
    {
        const lm_blume_capel_way way = {v.dims, 0, 0, 0, lm_digit_rule(v, pass, g)};
        return BATH ? lm_blume_capel_heatbath(&way.rule, &at, valid, stream, index, to)
                    : lm_blume_capel_metropolis(&way, &at, valid, stream, index, to);
    }
};

extern "C" cudaError_t lm_launch_blume_capel(const lm_bits_view *v, const lm_bits_pass *pass,
                                             cudaStream_t stream)
{
    static const lm_spot_kernel kernels[LM_BLUME_CAPEL_UPDATES] = {
        lm_digit_any_kernel<by_classes<false>>, lm_digit_any_kernel<by_classes<true>>};
    return lm_launch_spots(kernels[pass->update], v, pass, stream);
}

/* ---- plain sites, by Metropolis */

template <int DIMS, bool FIELD> struct plain {
    static constexpr int D = DIMS, DIGITS = LM_BLUME_CAPEL_DIGITS, LEVELS = 4 * D + 1, BEFORE = 1;
    static constexpr int ROWS = FIELD ? 3 * LEVELS : 6 * D + 1;
    static constexpr int CERTAINS = FIELD ? LM_BLUME_CAPEL_MOVES * LEVELS : 2 * LEVELS + 2;
    static constexpr int OF_GROUP = LM_BLUME_CAPEL_KINDS * LEVELS * LM_RULE_STRIDE, AT_ONCE = 0;
    static constexpr size_t EACH = 0;
    typedef lm_fours<plain> table;

    LM_INLINE int row_at(int row, int k)
    {
        return lm_blume_capel_row_at(D, FIELD, row, k);
    }
    LM_INLINE int certain_at(int i)
    {
        return lm_blume_capel_certain_at(D, FIELD, i);
    }
    LM_INLINE void load(const lm_bits_view &v, int update, uint32_t g, table *table,
                        uint32_t threads)
    {
        lm_load_fours<plain>(v, update, g, table, threads);
    }

    LM_INLINE lm_word update(const lm_bits_view &v, const lm_bits_pass &pass, const table &table,
                             const lm_digit_sites &at, lm_word valid, const lm_stream *stream,
                             uint32_t index, lm_word *to)
    {
        const lm_blume_capel_way way = {D, 1, FIELD, 1, {v.shape[pass.update], table.words}};
        return lm_blume_capel_metropolis(&way, &at, valid, stream, index, to);
    }
};

static const lm_plain_pair *plain_of(const lm_bits_view *v)
{
    static const lm_plain_pair pairs[3][2] = {
        {lm_plain_pair_of<plain<2, false>>(), lm_plain_pair_of<plain<2, true>>()},
        {lm_plain_pair_of<plain<3, false>>(), lm_plain_pair_of<plain<3, true>>()},
        {lm_plain_pair_of<plain<4, false>>(), lm_plain_pair_of<plain<4, true>>()}};
    return &pairs[v->dims - 2][v->by_spin];
}

static cudaError_t launch_window(const lm_bits_view *v, const lm_bits_pass *pass, lm_window w,
                                 cudaStream_t stream)
{
    return lm_launch_plain_window(plain_of(v), v, pass, w, stream);
}

extern "C" int lm_blume_capel_plain_serves(const lm_bits_view *v)
{
    return lm_plain_serves(v);
}

extern "C" cudaError_t lm_launch_blume_capel_plain(const lm_bits_view *v, const lm_bits_pass *pass,
                                                   cudaStream_t stream)
{
    return v->whole ? lm_launch_plain_whole(plain_of(v), v, pass, stream)
                    : lm_launch_windows(v, pass, launch_window, lm_launch_blume_capel, stream);
}

/* ---- start and sums */

/* The sums after those of bonds: of spins, and of their squares. */
struct model {
    static constexpr int DIGITS = LM_BLUME_CAPEL_DIGITS, COUNTS = 2;

    LM_INLINE void meet(int digit, lm_word s, lm_word t, lm_digit_count *bond)
    {
        lm_blume_capel_meet(digit, s, t, bond);
    }
    LM_INLINE bool wants_bonds(unsigned bundles)
    {
        return bundles >> LM_BLUME_CAPEL_BONDS & 1;
    }
    LM_INLINE bool wants(const lm_bits_view &, unsigned bundles, int)
    {
        return bundles >> LM_BLUME_CAPEL_SPINS & 1;
    }
    LM_INLINE lm_digit_count count(int k, const lm_word *s)
    {
        return lm_blume_capel_sum(k, s);
    }
    LM_INLINE void first(const lm_bits_view &, int hot, lm_word valid, const lm_stream *stream,
                         uint64_t index, lm_word *s)
    {
        s[0] = valid;
        s[1] = 0;
        if (hot)
            lm_blume_capel_hot(valid, stream, index, s);
    }
};

extern "C" cudaError_t lm_launch_blume_capel_start(const lm_bits_view *v, int hot,
                                                   cudaStream_t stream)
{
    return lm_launch_digits_start<model>(v, hot, stream);
}

extern "C" cudaError_t lm_launch_blume_capel_measure(const lm_bits_view *v, unsigned bundles,
                                                     cudaStream_t stream)
{
    static const lm_tallier talliers[3][LM_TALLY_SHAPES] = {
        LM_TALLY_OF(2, model), LM_TALLY_OF(3, model), LM_TALLY_OF(4, model)};
    return lm_tally_serves(v) ? lm_launch_tally(talliers[v->dims - 2], v, bundles, stream)
                              : lm_launch_digits_sums<model>(v, bundles, stream);
}

/* ---- small lattices, by Metropolis */

extern "C" int lm_blume_capel_small_serves(const lm_bits_view *v)
{
    return lm_small_serves(v);
}

extern "C" cudaError_t lm_launch_blume_capel_small(const lm_bits_view *v, const lm_walk *w,
                                                   cudaStream_t stream)
{
    static const lm_small_text texts[3][2] = {
        {lm_small_text_of<plain<2, false>, model>(), lm_small_text_of<plain<2, true>, model>()},
        {lm_small_text_of<plain<3, false>, model>(), lm_small_text_of<plain<3, true>, model>()},
        {lm_small_text_of<plain<4, false>, model>(), lm_small_text_of<plain<4, true>, model>()}};
    return lm_launch_small(&texts[v->dims - 2][v->by_spin], v, w, stream);
}

/* ---- exchanges */

struct weight {
    enum { PARAMS = LM_BLUME_CAPEL_PARAMS };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        double sums[6];
        lm_exchange_convert(lm_exchange_counts(x, replica), x.dims + 2, sums);
        return lm_blume_capel_action(x.dims, x.coupling, params, sums);
    }
};

extern "C" cudaError_t lm_exchange_blume_capel(const lm_cuda_exchange *x, int overlaps,
                                               cudaStream_t stream)
{
    return lm_exchange_by<weight>(x, overlaps, stream);
}
