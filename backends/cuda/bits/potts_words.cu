/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the Potts model of few states, in words: rules of digits.cuh, and the heat bath of plain
 * sites, a rule of plain.cuh with weights in shared memory.
 */
#include "backends/cuda/exchange.cuh"

#include "backends/cuda/bits/plain.cuh"
#include "backends/cuda/bits/potts_words.cuh"
#include "backends/cuda/bits/small.cuh"

#define LM_REAL_BITS 32
#include "lib/physics/real_one.h"
LM_INLINE lm_word lm_load(const uint32_t *p)
{
    return *p;
}
LM_INLINE void lm_store(uint32_t *p, lm_word w)
{
    *p = w;
}
#include "lib/physics/potts_words_heatbath.h"
#include "lib/physics/potts_observe.h"

/* ---- every shape */

/* Finds what the replicas of a group draw by. */
LM_INLINE void find_baths(const lm_bits_view &v, uint32_t g, int update, lm_potts_bath *bath)
{
    const int i = (int)threadIdx.x;
    if (i < v.per_word) {
        const int64_t r = (int64_t)(v.first_group + g) * v.per_word + i - v.first_replica;
        float of[LM_POTTS_OF_SLOT] = {0.0f, 0.0f};
        if (r >= 0 && r < v.replicas) {
            const uint64_t *at = v.thresholds[update] +
                                 ((v.loose[r] != 0) * v.replicas + v.slots[r]) * LM_POTTS_OF_SLOT;
            of[0] = __uint_as_float((uint32_t)at[LM_POTTS_OF_BETA]);
            of[1] = __uint_as_float((uint32_t)at[LM_POTTS_OF_FIELD]);
        }
        bath[i] = lm_potts_bath_of(of[0], of[1], v.coupling);
    }
    __syncthreads();
}

template <int Q> struct by_classes {
    static constexpr int DIGITS = lm_digits_of<Q>;
    LM_INLINE lm_word update(const lm_bits_view &v, const lm_bits_pass &pass, uint32_t g,
                             const lm_digit_sites &at, lm_word valid, const lm_stream *stream,
                             uint64_t index, lm_word *to)
    {
        const lm_potts_way way = {
            lm_states_of<Q>(v),       DIGITS, v.dims, 0, 0, 0, pass.update == LM_POTTS_OTHER,
            lm_digit_rule(v, pass, g)};
        return lm_potts_metropolis(&way, &at, valid, stream, index, to);
    }
};

template <int Q> struct by_weights {
    static constexpr int DIGITS = lm_digits_of<Q>;
    LM_INLINE lm_word update(const lm_bits_view &v, const lm_bits_pass &pass, uint32_t g,
                             const lm_digit_sites &at, lm_word valid, const lm_stream *stream,
                             uint64_t index, lm_word *to)
    {
        __shared__ lm_potts_bath bath[32];
        __syncthreads();
        find_baths(v, g, pass.update, bath);
        const lm_potts_form form =
            lm_potts_form_of(lm_states_of<Q>(v), DIGITS, v.dims, v.shape[pass.update].sets);
        lm_potts_words_heatbath(&form, bath, v.segment, &at, stream, index, to);
        return valid & lm_potts_apart(DIGITS, at.own, to);
    }
};

#define TEXTS(RULE)                                                                                \
    {                                                                                              \
        lm_digit_any_kernel<RULE<2>>, lm_digit_any_kernel<RULE<3>>, lm_digit_any_kernel<RULE<4>>,  \
            lm_digit_any_kernel<RULE<16>>                                                          \
    }

extern "C" cudaError_t lm_launch_potts(const lm_bits_view *v, const lm_bits_pass *pass,
                                       cudaStream_t stream)
{
    static const lm_spot_kernel kernels[2][4] = {TEXTS(by_classes), TEXTS(by_weights)};
    const int text = v->states <= 4 ? v->states - 2 : 3;
    return lm_launch_spots(kernels[pass->update == LM_POTTS_HEATBATH][text], v, pass, stream);
}

/* ---- the heat bath of plain sites, which may have a field */

/* Weights of a site's states (lib/physics/potts_words_heatbath.h). The counts of neighbours in each
 * state choose them. The row is chosen by the neighbours in state 0 and those in the other state
 * that gains most. The weight is chosen by the neighbours in a state. Then follow a weight of no
 * state, and the weight of state 0. */
template <int D> struct bath_rows {
    static constexpr int COUNTS = 2 * D + 1, NONE = COUNTS, ZERO = COUNTS + 1, ROW = COUNTS + 2;
    static constexpr int ROWS = COUNTS * COUNTS, WEIGHTS = ROWS * ROW;
};

/* SHARED: replicas share words, and each has weights of its own, behind the table. In most
 * lattices all sites of a word have the same weights, and code of their own is faster by 5 %. */
template <int D, bool SHARED> struct bath_table {
    static constexpr size_t EACH = 0;
    lm_potts_bath bath[32];
    uint32_t weights[bath_rows<D>::WEIGHTS];
};

template <int D> struct bath_table<D, true> {
    static constexpr size_t EACH = bath_rows<D>::WEIGHTS * sizeof(uint32_t);
    lm_potts_bath bath[32];
    alignas(16) uint32_t first[32]; /* row of a site among the rows of all replicas */
    alignas(16) uint32_t repel;     /* sites that gain most from the fewest neighbours */
    alignas(16) uint32_t weights[0];
};

template <int D>
LM_INLINE uint32_t weight_of(const lm_potts_bath &bath, float scale, int zero, int best, int own)
{
    using rows = bath_rows<D>;
    const float at_zero = lm_real_fma(bath.coupling[0], (float)zero, bath.field);
    const float at_best = lm_real_fma(bath.coupling[0], (float)best, 0.0f);
    const float gain =
        own == rows::ZERO ? at_zero : lm_real_fma(bath.coupling[0], (float)own, 0.0f);
    const float x = lm_real_mul(bath.beta, lm_real_sub(gain, lm_real_max(at_zero, at_best)));
    return own == rows::NONE ? 0 : lm_bits_of_large(lm_real_mul(lm_boltzmann_weight(x), scale));
}

template <int Q, int D>
LM_INLINE void make_weights(const lm_potts_bath *bath, int replicas, uint32_t *weights,
                            uint32_t threads)
{
    using rows = bath_rows<D>;
    const float scale = Q > 4 ? LM_POTTS_SCALE_OF_MANY : LM_POTTS_SCALE_OF_FEW;
    for (int i = (int)threadIdx.x; i < replicas * rows::WEIGHTS; i += threads) {
        const int row = i % rows::WEIGHTS / rows::ROW;
        weights[i] = weight_of<D>(bath[i / rows::WEIGHTS], scale, row / rows::COUNTS,
                                  row % rows::COUNTS, i % rows::ROW);
    }
}

/* Finds the rows, by a warp. Bits behind the last replica are no sites. */
template <int D> LM_INLINE void find_rows(const lm_bits_view &v, bath_table<D, true> *t)
{
    const int replica = min((int)threadIdx.x / v.segment, v.per_word - 1);
    const uint32_t repel = __ballot_sync(~0u, t->bath[replica].coupling[0] < 0.0f);
    t->first[threadIdx.x] = (uint32_t)(replica * bath_rows<D>::ROWS);
    t->repel = repel;
}

/* A word's counts of neighbours, as lm_potts_pack() makes them: in each state, and in the state
 * of 1, 2, .. that gains most. */
template <int Q> struct bath_counts {
    uint32_t in[Q][4], best[4];
};

LM_INLINE void pack_counts(const lm_word *digit, uint32_t *to)
{
    lm_potts_pack(digit, (uint32_t(*)[LM_LANES])to);
}

/* Counts neighbours. Sites of `repel` gain most from the fewest neighbours: all sites or none,
 * or if SHARED some. There the complements of counts are compared. */
template <int Q, int D, bool SHARED>
LM_INLINE void count_neighbours(int states, lm_word repel, const lm_digit_sites &at,
                                bath_counts<Q> *counts)
{
    constexpr int DIGITS = D < 4 ? 3 : 4, NONE = bath_rows<D>::NONE;
    const lm_word turned = SHARED ? repel : 0;
    lm_word best[LM_LEVEL_DIGITS] = {0, 0, 0, 0, 0};
    LM_UNROLL
    for (int t = 0; t < Q; t++) {
        lm_word count[LM_LEVEL_DIGITS] = {0, 0, 0, 0, 0}, better = 0;
        LM_UNROLL
        for (int b = 0; b < 2 * D; b += 2)
            lm_count_two(count, lm_potts_in_state(lm_digits_of<Q>, at.around[b], t),
                         lm_potts_in_state(lm_digits_of<Q>, at.around[b + 1], t));
        LM_UNROLL
        for (int k = 0; k < DIGITS; k++)
            better = !SHARED && repel ? lm_below(count[k], best[k], better)
                                      : lm_below(best[k], count[k] ^ turned, better);
        better = t == 1 ? ~0u : t < states ? better : 0;
        LM_UNROLL
        for (int k = 0; k < DIGITS; k++) {
            best[k] = lm_select(better, count[k] ^ turned, best[k]);
            count[k] = t < states ? count[k] : lm_potts_all(NONE, k);
        }
        pack_counts(count, counts->in[t]);
    }
    LM_UNROLL
    for (int k = 0; k < DIGITS; k++)
        best[k] ^= turned;
    pack_counts(best, counts->best);
}

/* Returns the state that a site draws by u. Its counts are number `shift` / 4 of words k, and
 * its rows are those from `first` on. */
template <int Q, int D>
LM_INLINE uint32_t draw_state(const uint32_t *weights, uint32_t first, const bath_counts<Q> &counts,
                              int k, int shift, uint32_t u)
{
    using rows = bath_rows<D>;
    const uint32_t row = (counts.in[0][k] >> shift & 15u) * rows::COUNTS + first;
    const uint32_t *of = weights + (row + (counts.best[k] >> shift & 15u)) * rows::ROW;
    uint32_t sum[Q], state = 0;
    sum[0] = of[rows::ZERO];
    LM_UNROLL
    for (int t = 1; t < Q; t++)
        sum[t] = sum[t - 1] + of[counts.in[t][k] >> shift & 15u];
    const uint32_t at = __umulhi(u, sum[Q - 1]);
    LM_UNROLL
    for (int t = 0; t < Q - 1; t++)
        state += sum[t] <= at;
    return state;
}

/* Draws four sites. first: four numbers of rows for a block's sites, or NULL if they have all
 * the same. */
template <int Q, int D>
LM_INLINE void draw_states(const uint32_t *weights, const uint32_t *first,
                           const bath_counts<Q> &counts, const lm_stream *stream, uint64_t index,
                           lm_word *to)
{
    uint32_t made[4] = {0, 0, 0, 0};
    for (int block = 0; block < LM_POTTS_DRAWS; block++) {
        uint32_t rows[4] = {0, 0, 0, 0};
        lm_word r[4];
        if (first)
            lm_load_four(first + 4 * block, rows);
        lm_random_words(stream, index, (uint32_t)block, r);
        LM_UNROLL
        for (int k = 0; k < 4; k++)
            made[k] |= draw_state<Q, D>(weights, rows[k], counts, k, 4 * block, r[k]) << 4 * block;
    }
    lm_potts_unpack(lm_digits_of<Q>, made, to);
}

template <int Q, int DIMS, bool SHARED> struct plain_bath {
    static constexpr int D = DIMS, DIGITS = lm_digits_of<Q>, AT_ONCE = 0;
    static constexpr size_t EACH = bath_table<D, SHARED>::EACH;
    typedef bath_table<D, SHARED> table;

    LM_INLINE void load(const lm_bits_view &v, int update, uint32_t g, table *table,
                        uint32_t threads)
    {
        find_baths(v, g, update, table->bath);
        make_weights<Q, D>(table->bath, SHARED ? v.per_word : 1, table->weights, threads);
        if constexpr (SHARED)
            if (threadIdx.x < 32)
                find_rows(v, table);
        __syncthreads();
    }

    LM_INLINE lm_word update(const lm_bits_view &v, const lm_bits_pass &, const table &table,
                             const lm_digit_sites &at, lm_word valid, const lm_stream *stream,
                             uint32_t index, lm_word *to)
    {
        bath_counts<Q> counts;
        const uint32_t *first = NULL;
        lm_word repel = table.bath[0].coupling[0] < 0.0f;
        if constexpr (SHARED) {
            first = table.first;
            repel = table.repel;
        }
        count_neighbours<Q, D, SHARED>(v.states, repel, at, &counts);
        draw_states<Q, D>(table.weights, first, counts, stream, index, to);
        return valid & lm_potts_apart(DIGITS, at.own, to);
    }
};

/* Kernels of up to 2, 4, 6, .. states. */
#define BATH(Q, D) lm_plain_pair_of<plain_bath<Q, D, false>>()
#define BATHS(D)                                                                                   \
    {                                                                                              \
        BATH(2, D), BATH(4, D), BATH(6, D), BATH(8, D), BATH(10, D), BATH(12, D), BATH(14, D),     \
            BATH(16, D)                                                                            \
    }

/* Where replicas share words there are fewer kernels, and only for whole lattices. */
#define SHARED_BATH(Q, D)                                                                          \
    {                                                                                              \
        lm_plain_kernel<plain_bath<Q, D, true>, LM_OF_LATTICE>, NULL,                              \
            lm_table_size_of<plain_bath<Q, D, true>>()                                             \
    }
#define SHARED_BATHS(D)                                                                            \
    {                                                                                              \
        SHARED_BATH(2, D), SHARED_BATH(4, D), SHARED_BATH(8, D), SHARED_BATH(12, D),               \
            SHARED_BATH(16, D)                                                                     \
    }

/* Returns which of the five shared kernels serves. */
static int shared_of(const lm_bits_view *v)
{
    return v->states == 2 ? 0 : (v->states + 3) / 4;
}

static const lm_plain_pair *bath_of(const lm_bits_view *v)
{
    static const lm_plain_pair pairs[3][LM_POTTS_BORDER / 2] = {BATHS(2), BATHS(3), BATHS(4)};
    static const lm_plain_pair shared[3][5] = {SHARED_BATHS(2), SHARED_BATHS(3), SHARED_BATHS(4)};
    return v->per_word > 1 ? &shared[v->dims - 2][shared_of(v)]
                           : &pairs[v->dims - 2][(v->states - 1) / 2];
}

extern "C" int lm_potts_bath_serves(const lm_bits_view *v)
{
    return lm_plain_serves(v) && (v->whole || v->per_word == 1) &&
           lm_table_bytes(bath_of(v)->table, v->per_word) <= LM_SHARED_BYTES;
}

static cudaError_t launch_window(const lm_bits_view *v, const lm_bits_pass *pass, lm_window w,
                                 cudaStream_t stream)
{
    return lm_launch_plain_window(bath_of(v), v, pass, w, stream);
}

extern "C" cudaError_t lm_launch_potts_bath(const lm_bits_view *v, const lm_bits_pass *pass,
                                            cudaStream_t stream)
{
    return v->whole ? lm_launch_plain_whole(bath_of(v), v, pass, stream)
                    : lm_launch_windows(v, pass, launch_window, lm_launch_potts, stream);
}

#define SMALL(Q, D, SHARED)                                                                        \
    lm_small_text_of<plain_bath<Q, D, SHARED>, lm_potts_counts<lm_digits_of<Q>>>()
#define SMALLS(D)                                                                                  \
    {                                                                                              \
        SMALL(2, D, false), SMALL(4, D, false), SMALL(6, D, false), SMALL(8, D, false),            \
            SMALL(10, D, false), SMALL(12, D, false), SMALL(14, D, false), SMALL(16, D, false)     \
    }
#define SHARED_SMALLS(D)                                                                           \
    {                                                                                              \
        SMALL(2, D, true), SMALL(4, D, true), SMALL(8, D, true), SMALL(12, D, true),               \
            SMALL(16, D, true)                                                                     \
    }

static const lm_small_text *small_bath_of(const lm_bits_view *v)
{
    static const lm_small_text texts[3][LM_POTTS_BORDER / 2] = {SMALLS(2), SMALLS(3), SMALLS(4)};
    static const lm_small_text shared[3][5] = {SHARED_SMALLS(2), SHARED_SMALLS(3),
                                               SHARED_SMALLS(4)};
    return v->per_word > 1 ? &shared[v->dims - 2][shared_of(v)]
                           : &texts[v->dims - 2][(v->states - 1) / 2];
}

extern "C" int lm_potts_small_bath_serves(const lm_bits_view *v)
{
    return lm_small_serves(v) && lm_small_bytes(small_bath_of(v), v) <= LM_SHARED_BYTES;
}

extern "C" cudaError_t lm_launch_potts_small_bath(const lm_bits_view *v, const lm_walk *w,
                                                  cudaStream_t stream)
{
    return lm_launch_small(small_bath_of(v), v, w, stream);
}

/* ---- start and sums of any shape */

struct model : lm_potts_counts<LM_POTTS_DIGITS> {
    LM_INLINE void first(const lm_bits_view &v, int hot, lm_word valid, const lm_stream *stream,
                         uint64_t index, lm_word *s)
    {
        LM_UNROLL
        for (int k = 0; k < DIGITS; k++)
            s[k] = 0;
        if (hot)
            lm_potts_hot(v.states, valid, stream, index, s);
    }
};

extern "C" cudaError_t lm_launch_potts_start(const lm_bits_view *v, int hot, cudaStream_t stream)
{
    return lm_launch_digits_start<model>(v, hot, stream);
}

extern "C" cudaError_t lm_launch_potts_measure(const lm_bits_view *v, unsigned bundles,
                                               cudaStream_t stream)
{
    return lm_launch_digits_sums<model>(v, bundles, stream);
}

/* ---- exchanges */

struct weight {
    enum { PARAMS = LM_POTTS_FIELD + 1 };
    LM_INLINE double action(const lm_cuda_exchange &x, const double *params, int64_t replica)
    {
        double sums[6];
        lm_exchange_convert(lm_exchange_counts(x, replica), x.dims + 2, sums);
        return lm_potts_action(x.dims, x.coupling, params, sums);
    }
};

extern "C" cudaError_t lm_exchange_potts_words(const lm_cuda_exchange *x, int overlaps,
                                               cudaStream_t stream)
{
    return lm_exchange_by<weight>(x, overlaps, stream);
}
