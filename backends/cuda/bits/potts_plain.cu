/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates plain sites of the Potts model in words by Metropolis, with a field or without: rules
 * of plain.cuh with thresholds in shared memory. */
#include "backends/cuda/bits/plain.cuh"
#include "backends/cuda/bits/potts_words.cuh"
#include "backends/cuda/bits/small.cuh"

template <int Q, int DIMS, bool OTHER, bool FIELD> struct plain {
    static constexpr int D = DIMS, DIGITS = lm_digits_of<Q>, LEVELS = 4 * D + 1;
    static constexpr int ROWS = (FIELD ? LM_POTTS_KINDS : 1) * LEVELS, CERTAINS = ROWS;
    static constexpr int BEFORE = Q == 3 ? 1 : Q == 4 && !OTHER ? 2 : 0;
    static constexpr int OF_GROUP = LM_POTTS_KINDS * LEVELS * LM_RULE_STRIDE;
    static constexpr int AT_ONCE = !FIELD ? 0 : D > 2 ? 2 : 3;
    static constexpr size_t EACH = 0;
    typedef lm_fours<plain> table;

    LM_INLINE int row_at(int row, int k)
    {
        return lm_potts_row_at(D, FIELD, row, k);
    }
    LM_INLINE int certain_at(int i)
    {
        return lm_potts_row_at(D, FIELD, i, LM_BIT_PLANES);
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
        const lm_potts_way way = {lm_states_of<Q>(v),
                                  DIGITS,
                                  D,
                                  1,
                                  FIELD,
                                  1,
                                  Q <= 4 ? OTHER : pass.update == LM_POTTS_OTHER,
                                  {v.shape[pass.update], table.words}};
        return lm_potts_metropolis(&way, &at, valid, stream, index, to);
    }
};

/* Kernels for 2, 3, 4, up to 8 and up to 16 states, and for four states with another proposal;
 * fewer threads draw alike there. */
#define STATES(D, FIELD)                                                                           \
    {                                                                                              \
        lm_plain_pair_of<plain<2, D, false, FIELD>>(),                                             \
            lm_plain_pair_of<plain<3, D, false, FIELD>>(),                                         \
            lm_plain_pair_of<plain<4, D, false, FIELD>>(),                                         \
            lm_plain_pair_of<plain<8, D, false, FIELD>>(),                                         \
            lm_plain_pair_of<plain<16, D, false, FIELD>>(),                                        \
            lm_plain_pair_of<plain<4, D, true, FIELD>>()                                           \
    }
#define FIELDS(D)                                                                                  \
    {                                                                                              \
        STATES(D, false), STATES(D, true)                                                          \
    }

static int text_of(const lm_bits_view *v, int update)
{
    return v->states == 4 && update == LM_POTTS_OTHER ? 5
           : v->states <= 4                           ? v->states - 2
           : v->states <= 8                           ? 3
                                                      : 4;
}

static const lm_plain_pair *plain_of(const lm_bits_view *v, const lm_bits_pass *pass)
{
    static const lm_plain_pair pairs[3][2][6] = {FIELDS(2), FIELDS(3), FIELDS(4)};
    return &pairs[v->dims - 2][v->by_spin][text_of(v, pass->update)];
}

static cudaError_t launch_window(const lm_bits_view *v, const lm_bits_pass *pass, lm_window w,
                                 cudaStream_t stream)
{
    return lm_launch_plain_window(plain_of(v, pass), v, pass, w, stream);
}

extern "C" int lm_potts_plain_serves(const lm_bits_view *v)
{
    return lm_plain_serves(v);
}

extern "C" cudaError_t lm_launch_potts_plain(const lm_bits_view *v, const lm_bits_pass *pass,
                                             cudaStream_t stream)
{
    return v->whole ? lm_launch_plain_whole(plain_of(v, pass), v, pass, stream)
                    : lm_launch_windows(v, pass, launch_window, lm_launch_potts, stream);
}

/* ---- small lattices. Those of up to four states without a field are in potts_blocks.cu. */

#define SMALL(Q, D, OTHER, FIELD)                                                                  \
    lm_small_text_of<plain<Q, D, OTHER, FIELD>, lm_potts_counts<lm_digits_of<Q>>>()
#define SMALLS(D)                                                                                  \
    {                                                                                              \
        {{}, {}, {}, SMALL(8, D, false, false), SMALL(16, D, false, false), {}},                   \
        {                                                                                          \
            SMALL(2, D, false, true), SMALL(3, D, false, true), SMALL(4, D, false, true),          \
                SMALL(8, D, false, true), SMALL(16, D, false, true), SMALL(4, D, true, true)       \
        }                                                                                          \
    }

extern "C" int lm_potts_small_serves(const lm_bits_view *v, int field)
{
    return lm_small_serves(v) && (field || v->states > 4);
}

extern "C" cudaError_t lm_launch_potts_small(const lm_bits_view *v, const lm_walk *w,
                                             cudaStream_t stream)
{
    static const lm_small_text texts[3][2][6] = {SMALLS(2), SMALLS(3), SMALLS(4)};
    return lm_launch_small(&texts[v->dims - 2][v->by_spin][text_of(v, w->update)], v, w, stream);
}
