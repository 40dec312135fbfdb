/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates one colour of a large lattice by the uniform rule. A thread takes a patch of words
 * (patch.cuh).
 *
 * After the head of 8 planes one word in ten still has a tied site. So nearly every warp would draw
 * again for every word, for the sake of three threads. Instead the block queues its tied words, and
 * as many threads as there are tied words settle one each.
 */
#include "backends/cuda/bits/ising_uniform.cuh"
#include "backends/cuda/bits/window.cuh"

enum { BLOCKS_AT_ONCE = 3 };

/* A word with tied sites, as the block's queue keeps it. */
typedef uint4 tied_word; /* the word's number, by which it draws, tied sites, and their class */

/* What a block's words are updated by: the group and its planes, random numbers, whether changes
 * are counted. `own` is the word that draws by number `base`. */
struct block_of {
    uint32_t g;
    const uint32_t *planes;
    const lm_stream &stream;
    uint32_t base;
    uint32_t *own;
    int count;
};

/* Settles the queued words, one for each thread of the block. */
template <int D, int SHAPE>
LM_INLINE void settle_queued(const lm_bits_view &v, const block_of &by, const tied_word *queue,
                             uint32_t queued, int *changed)
{
    for (uint32_t from = 0; from < queued; from += LM_PATCH_BLOCK) {
        const uint32_t i = from + threadIdx.x;
        lm_ballot b = {0, 0};
        if (i < queued) {
            const tied_word e = queue[i];
            const lm_ising_class c = {e.z, e.w, 0, 0};
            b.tied = e.y;
            for (int draw = LM_ISING_HEAD; draw < LM_ISING_DRAWS && b.tied; draw++)
                lm_ising_more(D, &b, &c, by.planes, &by.stream, e.x, draw);
            by.own[e.x - by.base] ^= b.yes;
        }
        lm_count_changed<SHAPE>(v, by.g, by.count, b.yes, changed);
    }
}

/* Updates the patches of a block. OF: the patches are of a lattice or of a window. SIDE: some
 * patches may be at a slab's sides. */
template <int D, int SIGNS, int SHAPE, int OF, bool SIDE>
LM_INLINE void update_block(const lm_bits_view &v, const lm_patches &l, const lm_bits_pass &pass,
                            uint32_t block, tied_word *queue, uint32_t *queued)
{
    constexpr int WORDS = lm_patch_words(SHAPE);
    /* The first word draws while the previous colour ends. LATE: it draws while the words that
     * the thread reads are on their way. Windows are large where they have patches, so they draw
     * late. */
    constexpr bool LATE = OF == LM_OF_WINDOW && SHAPE != LM_LINE;
    const uint32_t number = block * LM_PATCH_BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < l.patches; /* no thread leaves early: they settle together */
    uint32_t *own = v.sites + lm_sublattice_at<OF>(v, g, pass.colour);
    const uint32_t *other = v.sites + lm_sublattice_at<OF>(v, g, !pass.colour);
    const uint32_t *planes = v.uniform_planes + g * 32 * D;
    lm_stream stream =
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour);
    if (OF)
        stream.c1 |= l.high;
    const uint32_t base = OF == LM_OF_WINDOW ? l.base : 0;
    const lm_patch p = lm_locate_patch<D, SHAPE, OF>(l, inside ? number : 0, pass.colour);
    uint32_t spins[WORDS], up[2 * D][WORDS];
    int changed = 0;
    if (threadIdx.x == 0)
        *queued = 0;
    /* The thread does what needs no spins while the previous colour ends. */
    const lm_head<D> head = lm_load_head<D>(planes);
    const uint32_t valid = lm_valid_in<SHAPE>(v, p, g, inside), flip = v.flip[g];
    uint32_t r[4 * LM_ISING_HEAD];
    if (!LATE)
        lm_draw_head_now(stream, base + p.first, r);
    lm_await_previous();
    if (SIDE)
        lm_seam_await(v.seam, lm_seam_sides_here(v.seam));
    lm_load_patch<SHAPE>(l, p, own, p.first, spins);
    lm_around_patch<D, SIGNS, SHAPE, OF>(v, l, p, g, pass.colour, other, up);
    if (LATE)
        lm_draw_head_now(stream, base + p.first, r);
    __syncthreads();
    LM_UNROLL
    for (int m = 0; m < WORDS; m++) {
        const uint32_t at = base + p.first + lm_patch_offset<SHAPE>(l, m);
        uint32_t of[2 * D];
        LM_UNROLL
        for (int i = 0; i < 2 * D; i++)
            of[i] = up[i][m];
        if (m > 0)
            lm_draw_head(stream, at, r);
        const lm_ising_class c = lm_ising_classify(D, of, spins[m] ^ flip);
        const lm_ballot b =
            lm_ising_head(D, &c, head.planes, r, lm_in_patch<SHAPE>(l, p, m) ? valid : 0);
        spins[m] ^= b.yes;
        if (b.tied)
            queue[atomicAdd(queued, 1)] = make_uint4(at, b.tied, c.n0, c.n1);
        lm_count_changed<SHAPE>(v, g, pass.count, b.yes, &changed);
    }
    if (inside)
        lm_store_patch<SHAPE>(l, p, spins, own);
    __syncthreads();
    settle_queued<D, SHAPE>(v, {g, planes, stream, base, own, pass.count}, queue, *queued,
                            &changed);
    if (SIDE)
        lm_hand_patch_on<SHAPE>(v, l, p, g, pass.colour, own, inside);
    lm_add_changed(l, g, pass.count, changed);
}

/*
 * Updates a colour. Blocks of a window that are at no side have code of their own if patches have
 * rows of four words: with the waiting and the stores of the sides in it their code takes 2 %
 * longer. Odd colours go backwards, and begin with what the cache still has.
 */
template <int D, int SIGNS, int SHAPE, int OF>
__global__ void __launch_bounds__(LM_PATCH_BLOCK, BLOCKS_AT_ONCE)
    large_kernel(lm_bits_view v, lm_patches l, lm_bits_pass pass)
{
    constexpr bool SIDE = OF == LM_OF_WINDOW, APART = SIDE && lm_by_fours(SHAPE);
    __shared__ tied_word queue[LM_PATCH_BLOCK * lm_patch_words(SHAPE)];
    __shared__ uint32_t queued;
    const uint32_t block = SIDE ? lm_seam_block(v.seam, pass.colour & 1) : blockIdx.x;
    if (APART && blockIdx.x >= v.seam.ahead)
        update_block<D, SIGNS, SHAPE, OF, false>(v, l, pass, block, queue, &queued);
    else
        update_block<D, SIGNS, SHAPE, OF, SIDE>(v, l, pass, block, queue, &queued);
}

typedef void (*kernel)(lm_bits_view, lm_patches, lm_bits_pass);

/* Returns a kernel, or NULL. Lines serve lattices without signs. Windows have no columns, and
 * treat signs as if each group had its own. */
template <int D, int SIGNS, int SHAPE, int OF> constexpr kernel kernel_of()
{
    constexpr bool LINE = SHAPE == LM_LINE, CUT = OF == LM_OF_WINDOW;
    if constexpr ((LINE && SIGNS) || (CUT && (SHAPE == LM_COLUMN || SIGNS == LM_SHARED_SIGNS)))
        return NULL;
    else
        return large_kernel<D, SIGNS, SHAPE, OF>;
}

#define SHAPES(D, S, OF)                                                                           \
    kernel_of<D, S, LM_RAGGED, OF>(), kernel_of<D, S, LM_COLUMN, OF>(),                            \
        kernel_of<D, S, LM_BRICK, OF>(), kernel_of<D, S, LM_LINE, OF>()
#define WHOLE(D, S)  SHAPES(D, S, LM_OF_LATTICE)
#define WINDOW(D, S) SHAPES(D, S, LM_OF_WINDOW)

/* [of what][dimensions - 2][signs][shape] */
static const kernel kernels[2][3][LM_SIGN_KINDS][4] = {LM_PATCH_TABLE(WHOLE),
                                                       LM_PATCH_TABLE(WINDOW)};

template <bool LINES>
static cudaError_t launch_window(const lm_bits_view *v, const lm_bits_pass *pass, lm_window w,
                                 cudaStream_t stream)
{
    const int brick = lm_window_text(v, w, 0) == LM_WINDOW_BRICK;
    const int shape = LINES ? LM_LINE : brick ? LM_BRICK : LM_RAGGED;
    const int signs = v->sign ? LM_OWN_SIGNS : LM_NO_SIGNS;
    return lm_launch_window((const void *)kernels[LM_OF_WINDOW][v->dims - 2][signs][shape], v, pass,
                            w, lm_patches_of(v, shape), stream);
}

template <bool LINES>
static cudaError_t launch_colour(const lm_bits_view *v, const lm_bits_pass *pass,
                                 cudaStream_t stream)
{
    const int shape = LINES ? LM_LINE : lm_patch_shape(v);
    if (!v->whole)
        return lm_launch_windows(v, pass, launch_window<LINES>, lm_launch_ising_update, stream);
    return lm_launch_patches(
        (const void *)kernels[LM_OF_LATTICE][v->dims - 2][lm_signs_of(v)][shape], v, pass,
        lm_patches_of(v, shape), stream);
}

extern "C" int lm_ising_large_serves(const lm_bits_view *v)
{
    if (!v->whole)
        return v->uniform_planes && v->folded && lm_windows_serve(v);
    return lm_is_uniform(v) && v->groups < 65536;
}

extern "C" cudaError_t lm_launch_ising_large(const lm_bits_view *v, const lm_bits_pass *pass,
                                             cudaStream_t stream)
{
    return launch_colour<false>(v, pass, stream);
}

extern "C" int lm_ising_lines_serve(const lm_bits_view *v)
{
    return lm_ising_large_serves(v) && lm_patch_shape(v) == LM_BRICK && !v->sign;
}

extern "C" cudaError_t lm_launch_ising_lines(const lm_bits_view *v, const lm_bits_pass *pass,
                                             cudaStream_t stream)
{
    return launch_colour<true>(v, pass, stream);
}
