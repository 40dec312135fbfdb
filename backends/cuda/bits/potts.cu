/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Potts model of few states, in words: one thread a word. Kernels that serve every shape, rule
 * and slab, and those of plain sites (lib/physics/potts_bits.h) of whole folded lattices, for which
 * all that is the same for all words is known to the compiler, with thresholds in shared memory.
 */
#include "backends/cuda/bits/spots.cuh"
#include "backends/cuda/bits/uniform.cuh"

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
#include "lib/physics/potts_heatbath.h"

/* ---- every shape */

/* In `digits`, which may be more than sites have. */
LM_INLINE void load_states(const lm_bits_view &v, int digits, const uint32_t *own, lm_word *s)
{
    LM_UNROLL
    for (int k = 0; k < digits; k++)
        s[k] = k < v.digits ? own[k * v.digit_stride] : 0;
}

LM_INLINE void load_sites(const lm_bits_view &v, int digits, uint32_t g, int c, const lm_spot &p,
                          const uint32_t *own, lm_potts_sites *at)
{
    load_states(v, digits, own, at->own);
    LM_UNROLL
    for (int k = 0; k < digits; k++) {
        uint32_t around[LM_POTTS_SLOTS];
        if (k < v.digits)
            lm_words_around(v, v.dims, g, c, k, p, around);
        for (int i = 0; i < 2 * v.dims; i++)
            at->around[i][k] = k < v.digits ? around[i] : 0;
    }
    for (int i = 0; i < 2 * v.dims; i++) {
        at->sign[i] = v.sign ? v.sign[lm_bond_at(v, v.dims, g, c, i, p)] : 0;
        at->gone[i] = v.gone ? v.gone[lm_bond_at(v, v.dims, g, c, i, p)] : 0;
    }
}

/* What the replicas of a group draw by. */
LM_INLINE void find_baths(const lm_bits_view &v, uint32_t g, int update, lm_potts_bath *bath)
{
    const int i = (int)threadIdx.x;
    if (i < v.pack) {
        const int64_t r = (int64_t)(v.first_group + g) * v.pack + i - v.first_replica;
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

/* Kernels know the number of states up to four, and of more how many digits they have at most: they
 * are those of up to Q states. */
template <int Q> struct known {
    static constexpr int DIGITS = Q > 8 ? 4 : Q > 4 ? 3 : Q > 2 ? 2 : 1;
};
template <int Q> LM_INLINE int states_of(const lm_bits_view &v)
{
    return Q <= 4 ? Q : v.states;
}

/* Which of kernels for 2, 3, 4, up to 8 and up to 16 states. */
static int text_of(int states)
{
    return states <= 4 ? states - 2 : states <= 8 ? 3 : 4;
}

/* What all words of a launch have alike. */
template <int Q>
LM_INLINE lm_potts_way way_of(const lm_bits_view &v, const lm_bits_pass &pass, uint32_t g)
{
    const lm_rule_shape &shape = v.shape[pass.update];
    const size_t table = (size_t)shape.kinds * shape.classes * LM_RULE_STRIDE;
    return {states_of<Q>(v),
            known<Q>::DIGITS,
            v.dims,
            0,
            pass.update == LM_POTTS_OTHER,
            {shape, v.planes[pass.update] + g * table}};
}

template <int Q, bool BATH>
__global__ void __launch_bounds__(LM_SPOT_BLOCK) any_kernel(lm_bits_view v, lm_bits_pass pass)
{
    __shared__ lm_potts_bath bath[32];
    const uint32_t block = lm_seam_block(v.seam), sides = lm_seam_sides_here(v.seam);
    const int64_t number = (int64_t)block * LM_SPOT_BLOCK + threadIdx.x;
    const bool inside = number < (pass.last - pass.first) * v.width;
    lm_disturb(LM_AT_START);
    lm_seam_await(v.seam, sides);
    const lm_spot p = lm_spot_of(v, v.dims, (inside ? number : 0) + pass.first * v.width);
    constexpr int DIGITS = known<Q>::DIGITS;
    const int c = v.folded ? pass.colour : 0;
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y) {
        uint32_t valid = inside ? lm_valid(v, p.j) & v.lanes[g] : 0;
        if (!v.folded)
            valid &= lm_colour_bits(v, p.j, pass.colour, lm_spot_colour(v, p));
        uint32_t *own = lm_sublattice_of(v, g, c) + p.row * v.width + p.j;
        const lm_stream stream =
            lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
        const uint64_t index = (uint64_t)(p.row + v.first_row) * v.width + p.j;
        lm_potts_sites at;
        lm_word to[LM_POTTS_DIGITS], changes;
        load_sites(v, DIGITS, g, c, p, own, &at);
        if constexpr (BATH) {
            __syncthreads();
            find_baths(v, g, pass.update, bath);
            const lm_potts_form form =
                lm_potts_form_of(states_of<Q>(v), DIGITS, v.dims, v.shape[pass.update].sets);
            lm_potts_heatbath(&form, bath, v.segment, &at, &stream, index, to);
            changes = valid & lm_potts_apart(DIGITS, at.own, to);
        } else {
            const lm_potts_way way = way_of<Q>(v, pass, g);
            changes = lm_potts_metropolis(&way, &at, valid, &stream, index, to);
        }
        LM_UNROLL
        for (int k = 0; k < DIGITS; k++) {
            const uint32_t now = lm_select(changes, to[k], at.own[k]);
            if (!inside || k >= v.digits)
                continue;
            own[k * v.digit_stride] = now; /* whole, as others may be reading other colours */
            if (sides)
                lm_hand_on(v, g, c, k, p, now);
        }
        if (pass.count)
            lm_add_bits(v, g, v.sums - 1, changes);
    }
    lm_seam_post(v.seam, sides);
}

typedef void (*kernel)(lm_bits_view, lm_bits_pass);

extern "C" cudaError_t lm_launch_potts(const lm_bits_view *v, const lm_bits_pass *pass,
                                       cudaStream_t stream)
{
    static const kernel kernels[2][5] = {
        {any_kernel<2, false>, any_kernel<3, false>, any_kernel<4, false>, any_kernel<16, false>,
         any_kernel<16, false>},
        {any_kernel<2, true>, any_kernel<3, true>, any_kernel<4, true>, any_kernel<16, true>,
         any_kernel<16, true>}};
    if (pass->first >= pass->last)
        return cudaSuccess;
    const dim3 grid = lm_spot_grid(v, (pass->last - pass->first) * v->width);
    lm_bits_view view = *v;
    lm_spot_cut_seam(v, pass, &view.seam);
    kernels[pass->update == LM_POTTS_HEATBATH]
           [text_of(v->states)]<<<grid, LM_SPOT_BLOCK, 0, stream>>>(view, *pass);
    const cudaError_t e = cudaGetLastError();
    if (e == cudaSuccess)
        lm_seam_launched(&view.seam, grid.y);
    return e;
}

/* ---- plain sites of whole folded lattices */

/* The group's thresholds of moves that know no field. */
template <int D> struct plain_table {
    static constexpr int WORDS = (4 * D + 1) * LM_RULE_STRIDE;
    uint32_t words[LM_POTTS_NO_FIELD * WORDS + WORDS]; /* the first ones are not used */
};

template <int D>
LM_INLINE void load_table(const lm_bits_view &v, int update, uint32_t g, plain_table<D> *table)
{
    constexpr int WORDS = plain_table<D>::WORDS;
    const uint32_t *from = v.planes[update] + (size_t)g * LM_POTTS_KINDS * WORDS;
    for (int i = LM_POTTS_NO_FIELD * WORDS + (int)threadIdx.x; i < (LM_POTTS_NO_FIELD + 1) * WORDS;
         i += LM_SPOT_BLOCK)
        table->words[i] = from[i];
    __syncthreads();
}

/* A word's states and those around it. */
template <int Q, int D>
LM_INLINE void load_plain(const lm_bits_view &v, const uint32_t *own, const uint32_t *other,
                          const lm_word_place<D> &s, int colour, lm_potts_sites *at)
{
    const int lean = s.parity ^ colour;
    LM_UNROLL
    for (int k = 0; k < known<Q>::DIGITS; k++) {
        const uint32_t *from = other + k * v.digit_stride;
        at->own[k] = own[k * v.digit_stride + s.at];
        LM_UNROLL
        for (int i = 2; i < 2 * D; i++)
            at->around[i][k] = from[s.next[i]];
        at->around[0][k] = from[s.at];
        at->around[1][k] =
            lm_second<D>(s, lean, at->around[0][k], from[lean ? s.carry[1] : s.carry[0]]);
    }
}

template <int Q, int D, bool OTHER>
__global__ void __launch_bounds__(LM_SPOT_BLOCK) plain_kernel(lm_bits_view v, lm_bits_pass pass)
{
    __shared__ plain_table<D> table;
    const uint32_t number = blockIdx.x * LM_SPOT_BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < (uint32_t)v.rows * v.width;
    uint32_t *own = lm_sublattice_of(v, g, pass.colour);
    const uint32_t *other = lm_sublattice_of(v, g, !pass.colour);
    /* What needs no states is done while the previous colour ends. */
    load_table<D>(v, pass.update, g, &table);
    const lm_word_place<D> s = lm_word_place_of<D>(v, inside ? number : 0);
    const lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
    const uint32_t valid = inside ? lm_valid(v, s.j) & v.lanes[g] : 0;
    const lm_potts_way way = {states_of<Q>(v),
                              known<Q>::DIGITS,
                              D,
                              1,
                              Q <= 4 ? OTHER : pass.update == LM_POTTS_OTHER,
                              {v.shape[pass.update], table.words}};
    lm_potts_sites at;
    lm_word to[LM_POTTS_DIGITS];
    lm_await_previous();
    load_plain<Q, D>(v, own, other, s, pass.colour, &at);
    const uint32_t changes = lm_potts_metropolis(&way, &at, valid, &stream, s.at, to);
    LM_UNROLL
    for (int k = 0; inside && k < known<Q>::DIGITS; k++)
        own[k * v.digit_stride + s.at] = lm_select(changes, to[k], at.own[k]);
    if (pass.count)
        lm_add_bits(v, g, v.sums - 1, changes);
}

extern "C" int lm_potts_plain_serves(const lm_bits_view *v)
{
    return lm_is_even(v) && v->groups < 65536;
}

#define STATES(D, OTHER)                                                                           \
    plain_kernel<2, D, OTHER>, plain_kernel<3, D, OTHER>, plain_kernel<4, D, OTHER>,               \
        plain_kernel<8, D, false>, plain_kernel<16, D, false>
#define WAYS(D)                                                                                    \
    {                                                                                              \
        {STATES(D, false)},                                                                        \
        {                                                                                          \
            STATES(D, true)                                                                        \
        }                                                                                          \
    }

extern "C" cudaError_t lm_launch_potts_plain(const lm_bits_view *v, const lm_bits_pass *pass,
                                             cudaStream_t stream)
{
    static const kernel kernels[3][2][5] = {WAYS(2), WAYS(3), WAYS(4)};
    void *arguments[] = {(void *)v, (void *)pass};
    dim3 grid = lm_spot_grid(v, v->rows * v->width);
    return lm_launch_overlapping(
        (const void *)kernels[v->dims - 2][pass->update == LM_POTTS_OTHER][text_of(v->states)],
        grid, LM_SPOT_BLOCK, arguments, v->overlaps, stream);
}

/* ---- the heat bath of plain sites, which may have a field */

/* Weights of a site's states (lib/physics/potts_heatbath.h), which its neighbours in each make out:
 * those in state 0 and those in the other state that gains most say which row, those in a state
 * which weight; then a weight of no state, and that of state 0. */
template <int D> struct bath_table {
    static constexpr int COUNTS = 2 * D + 1, NONE = COUNTS, ZERO = COUNTS + 1, ROW = COUNTS + 2;
    uint32_t weights[COUNTS * COUNTS * ROW];
};

template <int D>
LM_INLINE uint32_t weight_of(const lm_potts_bath &bath, float scale, int zero, int best, int own)
{
    using table = bath_table<D>;
    const float at_zero = lm_real_fma(bath.coupling[0], (float)zero, bath.field);
    const float at_best = lm_real_fma(bath.coupling[0], (float)best, 0.0f);
    const float gain =
        own == table::ZERO ? at_zero : lm_real_fma(bath.coupling[0], (float)own, 0.0f);
    const float x = lm_real_mul(bath.beta, lm_real_sub(gain, lm_real_max(at_zero, at_best)));
    return own == table::NONE ? 0 : lm_bits_of_large(lm_real_mul(lm_weight(x), scale));
}

template <int Q, int D> LM_INLINE void make_weights(const lm_potts_bath &bath, uint32_t *weights)
{
    using table = bath_table<D>;
    const float scale = Q > 4 ? LM_POTTS_SCALE_OF_MANY : LM_POTTS_SCALE_OF_FEW;
    for (int i = (int)threadIdx.x; i < table::COUNTS * table::COUNTS * table::ROW;
         i += LM_SPOT_BLOCK) {
        const int row = i / table::ROW;
        weights[i] =
            weight_of<D>(bath, scale, row / table::COUNTS, row % table::COUNTS, i % table::ROW);
    }
    __syncthreads();
}

/* A word's counts of neighbours, as lm_potts_pack() makes them: in each state, and in the one of
 * states 1, 2, .. that gains most. */
template <int Q> struct bath_counts {
    uint32_t in[Q][4], best[4];
};

LM_INLINE void pack_counts(const lm_word *digit, uint32_t *to)
{
    lm_potts_pack(digit, (uint32_t(*)[LM_LANES])to);
}

/* repel: the fewest neighbours gain most. */
template <int Q, int D>
LM_INLINE void count_neighbours(int states, bool repel, const lm_potts_sites &at,
                                bath_counts<Q> *counts)
{
    constexpr int DIGITS = D < 4 ? 3 : 4, NONE = bath_table<D>::NONE;
    lm_word best[LM_LEVEL_DIGITS] = {0, 0, 0, 0, 0};
    LM_UNROLL
    for (int t = 0; t < Q; t++) {
        lm_word count[LM_LEVEL_DIGITS] = {0, 0, 0, 0, 0}, better = 0;
        LM_UNROLL
        for (int b = 0; b < 2 * D; b += 2)
            lm_count_two(count, lm_potts_in_state(known<Q>::DIGITS, at.around[b], t),
                         lm_potts_in_state(known<Q>::DIGITS, at.around[b + 1], t));
        LM_UNROLL
        for (int k = 0; k < DIGITS; k++)
            better =
                repel ? lm_below(count[k], best[k], better) : lm_below(best[k], count[k], better);
        better = t == 1 ? ~0u : t < states ? better : 0;
        LM_UNROLL
        for (int k = 0; k < DIGITS; k++) {
            best[k] = lm_select(better, count[k], best[k]);
            count[k] = t < states ? count[k] : lm_potts_all(NONE, k);
        }
        pack_counts(count, counts->in[t]);
    }
    pack_counts(best, counts->best);
}

/* The state that a site draws by u, whose counts are number `shift` / 4 of words k. */
template <int Q, int D>
LM_INLINE uint32_t draw_state(const uint32_t *weights, const bath_counts<Q> &counts, int k,
                              int shift, uint32_t u)
{
    using table = bath_table<D>;
    const uint32_t row = (counts.in[0][k] >> shift & 15u) * table::COUNTS;
    const uint32_t *of = weights + (row + (counts.best[k] >> shift & 15u)) * table::ROW;
    uint32_t sum[Q], state = 0;
    sum[0] = of[table::ZERO];
    LM_UNROLL
    for (int t = 1; t < Q; t++)
        sum[t] = sum[t - 1] + of[counts.in[t][k] >> shift & 15u];
    const uint32_t at = __umulhi(u, sum[Q - 1]);
    LM_UNROLL
    for (int t = 0; t < Q - 1; t++)
        state += sum[t] <= at;
    return state;
}

template <int Q, int D>
LM_INLINE void draw_states(const uint32_t *weights, const bath_counts<Q> &counts,
                           const lm_stream *stream, uint64_t index, lm_word *to)
{
    uint32_t made[4] = {0, 0, 0, 0};
    for (int block = 0; block < LM_POTTS_DRAWS; block++) {
        lm_word r[4];
        lm_random_words(stream, index, (uint32_t)block, r);
        LM_UNROLL
        for (int k = 0; k < 4; k++)
            made[k] |= draw_state<Q, D>(weights, counts, k, 4 * block, r[k]) << 4 * block;
    }
    lm_potts_unpack(known<Q>::DIGITS, made, to);
}

template <int Q, int D>
__global__ void __launch_bounds__(LM_SPOT_BLOCK) bath_kernel(lm_bits_view v, lm_bits_pass pass)
{
    __shared__ lm_potts_bath bath[32];
    __shared__ bath_table<D> table;
    const uint32_t number = blockIdx.x * LM_SPOT_BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < (uint32_t)v.rows * v.width;
    uint32_t *own = lm_sublattice_of(v, g, pass.colour);
    find_baths(v, g, pass.update, bath);
    make_weights<Q, D>(bath[0], table.weights);
    const lm_word_place<D> s = lm_word_place_of<D>(v, inside ? number : 0);
    const lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
    const uint32_t valid = inside ? lm_valid(v, s.j) & v.lanes[g] : 0;
    bath_counts<Q> counts;
    lm_potts_sites at;
    lm_word to[LM_POTTS_DIGITS];
    lm_await_previous();
    load_plain<Q, D>(v, own, lm_sublattice_of(v, g, !pass.colour), s, pass.colour, &at);
    count_neighbours<Q, D>(v.states, bath[0].coupling[0] < 0.0f, at, &counts);
    draw_states<Q, D>(table.weights, counts, &stream, s.at, to);
    const uint32_t changes = valid & lm_potts_apart(known<Q>::DIGITS, at.own, to);
    LM_UNROLL
    for (int k = 0; inside && k < known<Q>::DIGITS; k++)
        own[k * v.digit_stride + s.at] = lm_select(changes, to[k], at.own[k]);
    if (pass.count)
        lm_add_bits(v, g, v.sums - 1, changes);
}

extern "C" int lm_potts_bath_serves(const lm_bits_view *v)
{
    return lm_potts_plain_serves(v) && v->pack == 1;
}

/* Of up to 2, 4, 6, .. states. */
#define BATHS(D)                                                                                   \
    {                                                                                              \
        bath_kernel<2, D>, bath_kernel<4, D>, bath_kernel<6, D>, bath_kernel<8, D>,                \
            bath_kernel<10, D>, bath_kernel<12, D>, bath_kernel<14, D>, bath_kernel<16, D>         \
    }

extern "C" cudaError_t lm_launch_potts_bath(const lm_bits_view *v, const lm_bits_pass *pass,
                                            cudaStream_t stream)
{
    static const kernel kernels[3][LM_POTTS_BORDER / 2] = {BATHS(2), BATHS(3), BATHS(4)};
    void *arguments[] = {(void *)v, (void *)pass};
    return lm_launch_overlapping((const void *)kernels[v->dims - 2][(v->states - 1) / 2],
                                 lm_spot_grid(v, v->rows * v->width), LM_SPOT_BLOCK, arguments,
                                 v->overlaps, stream);
}

/* ---- start and measurement of any shape */

static __global__ void __launch_bounds__(LM_SPOT_BLOCK) start_kernel(lm_bits_view v, int hot)
{
    const int64_t number = (int64_t)blockIdx.x * LM_SPOT_BLOCK + threadIdx.x;
    if (number >= v.rows * v.width)
        return;
    const lm_spot p = lm_spot_of(v, v.dims, number);
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y)
        for (int c = 0; c < v.sublattices; c++) {
            const lm_stream stream =
                lm_stream_of(&v.keys, LM_DOMAIN_START, 0, v.first_group + g, c);
            const uint64_t index = (uint64_t)(p.row + v.first_row) * v.width + p.j;
            lm_word s[LM_POTTS_DIGITS] = {0, 0, 0, 0};
            if (hot)
                lm_potts_hot(v.states, lm_valid(v, p.j) & v.lanes[g], &stream, index, s);
            LM_UNROLL
            for (int k = 0; k < LM_POTTS_DIGITS; k++)
                if (k < v.digits)
                    lm_sublattice_of(v, g, c)[k * v.digit_stride + number] = s[k];
        }
}

/* The most sums: of bonds and of states. */
enum { MOST_SUMS = 4 + 2 + LM_POTTS_BORDER };

/* Adds the one-bits of a word: those of several replicas at once. */
LM_INLINE void add_word(const lm_bits_view &v, uint32_t g, int k, uint32_t word, int *sums)
{
    if (v.pack == 1)
        sums[k] += __popc(word);
    else
        lm_add_bits(v, g, k, word);
}

/* The bonds of sublattice 0 if it is folded, otherwise those upward. Counts of turned bonds are
 * less than 0, and modulo 2^64. */
LM_INLINE void measure_bonds(const lm_bits_view &v, uint32_t g, const lm_spot &p, uint32_t valid,
                             int *sums)
{
    const int step = v.folded ? 1 : 2;
    const uint32_t *own = lm_sublattice_of(v, g, 0) + p.row * v.width + p.j;
    lm_potts_sites at;
    load_sites(v, LM_POTTS_DIGITS, g, 0, p, own, &at);
    LM_UNROLL
    for (int a = 0; a < 4; a++)
        for (int i = 2 * a + step - 1; a < v.dims && i < 2 * a + 2; i += step) {
            const uint32_t alike =
                valid & ~at.gone[i] & ~lm_potts_apart(LM_POTTS_DIGITS, at.own, at.around[i]);
            if (v.pack == 1)
                sums[a] += __popc(alike) - 2 * __popc(alike & at.sign[i]);
            else
                lm_add_signed_bits(v, g, a, alike, alike & at.sign[i]);
        }
}

LM_INLINE void measure_word(const lm_bits_view &v, unsigned wanted, uint32_t g, int64_t number,
                            int *sums)
{
    const bool inside = number < v.rows * v.width;
    const lm_spot p = lm_spot_of(v, v.dims, inside ? number : 0);
    const uint32_t valid = inside ? lm_valid(v, p.j) & v.lanes[g] : 0;
    if (wanted >> LM_POTTS_BONDS & 1)
        measure_bonds(v, g, p, valid, sums);
    for (int c = 0; c < v.sublattices; c++) {
        lm_word s[LM_POTTS_DIGITS];
        load_states(v, LM_POTTS_DIGITS, lm_sublattice_of(v, g, c) + p.row * v.width + p.j, s);
        if (wanted >> LM_POTTS_BONDS & 1)
            add_word(v, g, v.dims + 1, valid & lm_potts_in_state(LM_POTTS_DIGITS, s, 0), sums);
        for (int t = 0; t < v.states && wanted >> LM_POTTS_STATES & 1; t++)
            add_word(v, g, v.dims + 2 + t, valid & lm_potts_in_state(LM_POTTS_DIGITS, s, t), sums);
    }
}

static __global__ void __launch_bounds__(LM_SPOT_BLOCK)
    measure_kernel(lm_bits_view v, unsigned wanted)
{
    const int64_t words = v.rows * v.width, stride = (int64_t)gridDim.x * LM_SPOT_BLOCK;
    for (uint32_t g = blockIdx.y; g < v.groups; g += gridDim.y) {
        int sums[MOST_SUMS] = {0};
        for (int64_t first = (int64_t)blockIdx.x * LM_SPOT_BLOCK; first < words; first += stride)
            measure_word(v, wanted, g, first + threadIdx.x, sums);
        for (int k = 0; k < v.sums - 1 && v.pack == 1; k++) {
            const int n = lm_warp_sum(sums[k]);
            if ((threadIdx.x & 31u) == 0 && n)
                lm_add_to_count(v.counts + (size_t)g * v.sums + k, n);
        }
    }
}

extern "C" cudaError_t lm_launch_potts_start(const lm_bits_view *v, int hot, cudaStream_t stream)
{
    start_kernel<<<lm_spot_grid(v, v->rows * v->width), LM_SPOT_BLOCK, 0, stream>>>(*v, hot);
    return cudaGetLastError();
}

extern "C" cudaError_t lm_launch_potts_measure(const lm_bits_view *v, unsigned groups,
                                               cudaStream_t stream)
{
    enum { MOST_BLOCKS = 1056 };
    dim3 grid = lm_spot_grid(v, v->rows * v->width);
    if (grid.x > MOST_BLOCKS)
        grid.x = MOST_BLOCKS;
    measure_kernel<<<grid, LM_SPOT_BLOCK, 0, stream>>>(*v, groups);
    return cudaGetLastError();
}
