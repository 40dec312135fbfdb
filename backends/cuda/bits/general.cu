/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Ising model by the kernels that serve every shape, rule and slab (digits.cuh), as sites of
 * one digit. Simple first; whole lattices have kernels of their own for most rules, those of the
 * uniform rule for each size.
 */
#include "backends/cuda/bits/digits.cuh"

namespace
{

struct by_classes {
    static constexpr int DIGITS = 1;
    LM_INLINE lm_word update(const lm_bits_view &v, const lm_bits_pass &pass, uint32_t g,
                             const lm_digit_sites &at, lm_word valid, const lm_stream *stream,
                             uint64_t index, lm_word *to)
    {
        const lm_word_rule rule = lm_digit_rule(v, pass, g);
        lm_word up[LM_DIGIT_SLOTS];
        for (int i = 0; i < 2 * v.dims; i++)
            up[i] = at.around[i][0] ^ at.sign[i]; /* J s is +1 */
        to[0] = lm_ising_general(&rule, at.own[0], up, at.gone, valid, stream, index);
        return at.own[0] ^ to[0];
    }
};

struct sums {
    static constexpr int DIGITS = 1, COUNTS = 1;
    LM_INLINE void meet(int, lm_word s, lm_word t, lm_digit_count *bond)
    {
        *bond = {~0u, s ^ t};
    }
    LM_INLINE bool wants_bonds(unsigned groups)
    {
        return groups & LM_SUMS_BONDS;
    }
    LM_INLINE bool wants(const lm_bits_view &, unsigned groups, int)
    {
        return groups & LM_SUMS_SPINS;
    }
    LM_INLINE lm_digit_count count(int, const lm_word *s)
    {
        return {s[0], 0};
    }
    LM_INLINE void first(const lm_bits_view &, int hot, lm_word valid, const lm_stream *stream,
                         uint64_t index, lm_word *s)
    {
        uint32_t r[4] = {~0u};
        if (hot)
            lm_random_words(stream, index, 0, r);
        s[0] = r[0] & valid;
    }
};

} // namespace

extern "C" cudaError_t lm_launch_update(const lm_bits_view *v, const lm_bits_pass *pass,
                                        cudaStream_t stream)
{
    return lm_launch_spots(lm_digit_any_kernel<by_classes>, v, pass, stream);
}

extern "C" cudaError_t lm_launch_start(const lm_bits_view *v, int hot, cudaStream_t stream)
{
    return lm_launch_digits_start<sums>(v, hot, stream);
}

extern "C" cudaError_t lm_launch_measure(const lm_bits_view *v, unsigned groups,
                                         cudaStream_t stream)
{
    return lm_launch_digits_sums<sums>(v, groups, stream);
}
