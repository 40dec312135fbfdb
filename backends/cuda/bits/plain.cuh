/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates a colour of plain sites by a rule R, for models whose sites have digits
 * (lib/physics/digits.h). It serves whole folded lattices and windows of folded slabs (window.cuh).
 * The compiler knows all that is the same for all words; a thread has one word.
 *
 * R::D is the number of dimensions, and R::DIGITS that of a site's digits. R::AT_ONCE is the number
 * of blocks of a multiprocessor for which the compiler keeps registers, or 0. A block keeps
 * R::table in shared memory, with R::EACH more bytes behind it for each replica of a word.
 * R::load(view, update, group, table, threads) fills both, with all threads of a block.
 * R::update(view, pass, table, sites, valid, stream, index, to) writes new sites and returns the
 * sites that change.
 */
#ifndef LM_CUDA_BITS_PLAIN_CUH
#define LM_CUDA_BITS_PLAIN_CUH

#include "backends/cuda/bits/digits.cuh"
#include "backends/cuda/bits/window.cuh"

/* Loads a word's sites and the sites around it; a word's digits are `stride` words apart. */
template <int DIGITS, int D, class STRIDE>
LM_INLINE void lm_load_plain(const uint32_t *own, const uint32_t *other, STRIDE stride,
                             const lm_word_place<D> &s, int colour, lm_digit_sites *at)
{
    const int lean = s.parity ^ colour;
    LM_UNROLL
    for (int k = 0; k < DIGITS; k++) {
        const uint32_t *from = other + k * stride;
        at->own[k] = own[k * stride + s.at];
        LM_UNROLL
        for (int i = 2; i < 2 * D; i++)
            at->around[i][k] = from[s.next[i]];
        at->around[0][k] = from[s.at];
        at->around[1][k] = lm_second_x_neighbours<D>(s, lean, at->around[0][k],
                                                     from[lean ? s.carry[1] : s.carry[0]]);
    }
}

/* Loads a group's thresholds by fours, as blocks bring planes. The first R::BEFORE planes are no
 * planes of u. There are R::ROWS rows. Plane k of a row is number R::row_at(row, k) of the
 * group's R::OF_GROUP planes in the general table. R::CERTAINS planes of certain sites follow,
 * R::certain_at(i). */
template <class R> struct lm_fours {
    static constexpr int PLANES = LM_BIT_PLANES * R::ROWS;
    alignas(16) uint32_t words[PLANES + R::CERTAINS];
};

template <class R>
LM_INLINE void lm_load_fours(const lm_bits_view &v, int update, uint32_t g, lm_fours<R> *to,
                             uint32_t threads)
{
    constexpr int PLANES = lm_fours<R>::PLANES;
    const uint32_t *from = v.planes[update] + (size_t)g * R::OF_GROUP;
    for (int i = (int)threadIdx.x; i < PLANES + R::CERTAINS; i += threads) {
        const int plane = i / (4 * R::ROWS) * 4 + i % 4 - R::BEFORE;
        to->words[i] = i >= PLANES ? from[R::certain_at(i - PLANES)]
                       : plane < 0 ? 0
                                   : from[R::row_at(i / 4 % R::ROWS, plane)];
    }
    __syncthreads();
}

/* Bytes of dynamic shared memory that a block's table takes, a multiple of 16: `all`, and `each`
 * for each replica of a word. Tables of one size take none. The compiler knows where such a
 * table lies, and small lattices are faster by 3 %. */
typedef struct lm_table_size {
    size_t all, each;
} lm_table_size;

template <class R> __host__ __device__ constexpr lm_table_size lm_table_size_of()
{
    return R::EACH
               ? lm_table_size{(sizeof(typename R::table) + 15) / 16 * 16, (R::EACH + 15) / 16 * 16}
               : lm_table_size{0, 0};
}

__host__ __device__ constexpr size_t lm_table_bytes(lm_table_size size, int per_word)
{
    return size.all + size.each * (size_t)per_word;
}

/* Returns the block's table; `shared` is its dynamic memory. */
template <class R> LM_INLINE typename R::table &lm_table_in(uint4 *shared)
{
    if constexpr (R::EACH > 0) {
        return *reinterpret_cast<typename R::table *>(shared);
    } else {
        __shared__ typename R::table table;
        return table;
    }
}

/* The shared memory that a device gives every block. */
enum { LM_SHARED_BYTES = 48 << 10 };

/* Numbers words; in a window from the begin of the layer below it on. */
template <class R, int OF>
__global__ void __launch_bounds__(LM_SPOT_BLOCK, R::AT_ONCE)
    lm_plain_kernel(lm_bits_view v, lm_bits_pass pass, lm_window_numbers w)
{
    constexpr bool CUT = OF == LM_OF_WINDOW;
    constexpr int D = R::D;
    extern __shared__ uint4 shared[];
    typename R::table &table = lm_table_in<R>(shared);
    const uint32_t block = CUT ? lm_seam_block(v.seam) : blockIdx.x, g = blockIdx.y;
    const uint32_t number = block * LM_SPOT_BLOCK + threadIdx.x;
    const bool inside = number < (CUT ? w.words : (uint32_t)v.rows * v.width);
    uint32_t *own = lm_sublattice_of(v, g, pass.colour);
    const uint32_t *other = lm_sublattice_of(v, g, !pass.colour);
    /* The block does what needs no sites while the previous colour ends. */
    R::load(v, pass.update, g, &table, LM_SPOT_BLOCK);
    const lm_word_place<D> s =
        lm_word_place_of<D, OF>(v, (inside ? number : 0) + (CUT ? w.layer : 0), CUT ? w.origin : 0);
    lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
    if (CUT)
        stream.c1 |= w.high;
    const uint32_t valid = inside ? lm_valid(v, s.j) & v.replicas_mask[g] : 0;
    const uint32_t sides = CUT ? lm_seam_sides_here(v.seam) : 0;
    lm_digit_sites at;
    lm_word to[LM_MAX_DIGITS];
    lm_await_previous();
    if (CUT)
        lm_seam_await(v.seam, sides);
    lm_load_plain<R::DIGITS, D>(own, other, v.digit_stride, s, pass.colour, &at);
    const uint32_t changes =
        R::update(v, pass, table, at, valid, &stream, s.at + (CUT ? w.base : 0), to);
    LM_UNROLL
    for (int k = 0; inside && k < R::DIGITS; k++) {
        const uint32_t now = lm_select(changes, to[k], at.own[k]);
        own[k * v.digit_stride + s.at] = now;
        if (CUT && sides)
            lm_hand_word_on(v, w, g, pass.colour, k, s.at, now);
    }
    if (pass.count)
        lm_add_bits(v, g, v.sums - 1, changes);
    if (CUT)
        lm_seam_post(v.seam, sides);
}

typedef void (*lm_plain_entry)(lm_bits_view, lm_bits_pass, lm_window_numbers);

/* A rule's kernels for whole lattices and for windows. */
typedef struct lm_plain_pair {
    lm_plain_entry whole, cut;
    lm_table_size table;
} lm_plain_pair;

template <class R> constexpr lm_plain_pair lm_plain_pair_of()
{
    return {lm_plain_kernel<R, LM_OF_LATTICE>, lm_plain_kernel<R, LM_OF_WINDOW>,
            lm_table_size_of<R>()};
}

/* Says whether a kernel serves a whole lattice or a slab like this one. */
static inline int lm_plain_serves(const lm_bits_view *v)
{
    return v->whole ? lm_is_even(v) && v->groups < 65536 : v->folded && lm_windows_serve(v);
}

static inline cudaError_t lm_launch_plain(lm_plain_entry kernel, lm_table_size table,
                                          const lm_bits_view *v, const lm_bits_pass *pass,
                                          lm_window_numbers w, int64_t words, cudaStream_t stream)
{
    void *arguments[] = {(void *)v, (void *)pass, &w};
    return lm_launch_overlapping(
        (const void *)kernel,
        dim3((unsigned)((words + LM_SPOT_BLOCK - 1) / LM_SPOT_BLOCK), v->groups), LM_SPOT_BLOCK,
        arguments, v->overlaps, stream, lm_table_bytes(table, v->per_word));
}

static inline cudaError_t lm_launch_plain_whole(const lm_plain_pair *k, const lm_bits_view *v,
                                                const lm_bits_pass *pass, cudaStream_t stream)
{
    return lm_launch_plain(k->whole, k->table, v, pass, lm_window_numbers(), v->rows * v->width,
                           stream);
}

static inline cudaError_t lm_launch_plain_window(const lm_plain_pair *k, const lm_bits_view *v,
                                                 const lm_bits_pass *pass, lm_window w,
                                                 cudaStream_t stream)
{
    const uint32_t layer = (uint32_t)lm_layer_words(v);
    lm_bits_view view = lm_view_of_window(v, w);
    const lm_window_numbers n = lm_numbers_of_window(v, w);
    lm_seam_cut(&view.seam, 0, 0, w.first == 0 ? layer : 0, LM_SPOT_BLOCK);
    lm_seam_cut(&view.seam, 1, n.upper != ~0u ? n.words - layer : n.words, n.words, LM_SPOT_BLOCK);
    const cudaError_t e = lm_launch_plain(k->cut, k->table, &view, pass, n, n.words, stream);
    if (e == cudaSuccess)
        lm_seam_launched(&view.seam, v->groups);
    return e;
}

#endif
