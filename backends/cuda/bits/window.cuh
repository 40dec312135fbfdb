/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Cuts slabs into windows: layers of a slab that the kernels of patches update in one launch. A
 * kernel also reads the layer below the window and the layer above it, which are other layers of
 * the slab or its halo. It numbers words from the begin of the layer below. So the axis that is cut
 * has no ends for the kernel, and the numbers have 32 bits whatever the slab's own have.
 *
 * The words of a window have numbers in the whole lattice, and all these numbers have the same high
 * half. So a launch needs one high half only. A slab may have more than 2^32 words, or its numbers
 * may pass a multiple of 2^32. Then the general kernel updates each layer that has both halves.
 */
#ifndef LM_CUDA_BITS_WINDOW_CUH
#define LM_CUDA_BITS_WINDOW_CUH

#include "backends/cuda/bits/patch.cuh"
#include "backends/cuda/seam.cuh"

typedef struct lm_window {
    int64_t first, last; /* layers of the slab */
} lm_window;

/* Shapes of a window's patches. LM_WINDOW_RARE is for rare rules, in the one shape that serves
 * all windows. */
enum { LM_WINDOW_RAGGED, LM_WINDOW_BRICK, LM_WINDOW_RARE, LM_WINDOW_TEXTS };

static inline int lm_window_text(const lm_bits_view *v, lm_window w, int rare)
{
    const int whole_bricks = v->dims > 2 || (w.last - w.first) % 2 == 0;
    if (rare)
        return LM_WINDOW_RARE;
    return lm_patch_shape(v) == LM_BRICK && whole_bricks ? LM_WINDOW_BRICK : LM_WINDOW_RAGGED;
}

/* Stores a digit's new word of a boundary layer in the neighbouring slabs' halos. L says which
 * words are of boundary layers. */
template <class L>
LM_INLINE void lm_hand_word_on(const lm_bits_view &v, const L &l, uint32_t g, int sublattice,
                               int digit, uint32_t at, uint32_t word)
{
    LM_UNROLL
    for (int side = 0; side < 2; side++) {
        const lm_bits_far_halo &h = v.beyond[side];
        if (h.sites && (side ? at >= l.upper : at < l.lower))
            h.sites[g * h.group_stride + sublattice * h.sublattice_stride + digit * h.digit_stride +
                    at] = word;
    }
}

/* Stores the patch's words of boundary layers in the neighbours' halos, and tells who waits
 * there. All threads of the block must call it. */
template <int SHAPE>
LM_INLINE void lm_hand_patch_on(const lm_bits_view &v, const lm_patches &l, const lm_patch &p,
                                uint32_t g, int colour, const uint32_t *own, bool inside)
{
    const uint32_t sides = lm_seam_sides_here(v.seam);
    if (!sides)
        return;
    __syncthreads(); /* other threads may have settled this thread's words */
    LM_UNROLL
    for (int m = 0; m < lm_patch_words(SHAPE); m++) {
        const uint32_t at = p.first + lm_patch_offset<SHAPE>(l, m);
        if (inside && lm_in_patch<SHAPE>(l, p, m))
            lm_hand_word_on(v, l, g, colour, 0, at, own[at]);
    }
    lm_seam_post(v.seam, sides);
}

/* ---- launches */

#define LM_WINDOW_WORDS ((int64_t)1 << 31)

static inline int64_t lm_layer_words(const lm_bits_view *v)
{
    return v->layer_rows * v->width;
}

/* Says whether windows serve the slab: three layers must fit, and coordinates must have 32 bits. */
static inline int lm_windows_serve(const lm_bits_view *v)
{
    return !v->whole && v->dims > 1 && v->groups < 65536 &&
           3 * lm_layer_words(v) <= LM_WINDOW_WORDS && v->extents[v->dims - 1] >> 32 == 0;
}

/* Returns the next window, from layer `at` on, at most to `last`. It is empty if layer `at` has
 * words with both of two high halves. In two dimensions layers are rows, and bricks have two
 * rows. Then the last row of an odd number is left for a window of its own. Otherwise it would
 * make all patches of the window ragged, which takes a third longer. */
static inline lm_window lm_next_window(const lm_bits_view *v, int64_t at, int64_t last)
{
    const int64_t layer = lm_layer_words(v), most = LM_WINDOW_WORDS / layer - 2;
    const int64_t from = v->first_row * v->width + at * layer;
    const int64_t page = ((from >> 32) + 1) << 32; /* where the next high half begins */
    const int64_t fit = (page - from) / layer, some = fit < most ? fit : most;
    const int64_t end = at + some < last ? at + some : last;
    const int odd = v->dims == 2 && lm_patch_shape(v) == LM_BRICK && (end - at) % 2 != 0;
    return (lm_window){at, odd && end - at > 1 ? end - 1 : end};
}

/* Numbers of a window's words, from the begin of the layer below it on. */
typedef struct lm_window_numbers {
    uint32_t layer, words; /* words of a layer, of the window */
    uint32_t high;   /* the high half of all words' numbers in the lattice, as counters have it
                        (philox.h) */
    uint32_t base;   /* a word's number in the lattice less its number here, modulo 2^32 */
    uint32_t origin; /* the number of the layer below the window, modulo 2^32 */
    uint32_t lower,
        upper; /* the slab's first layer ends, and its last layer begins, at these words */
} lm_window_numbers;

static inline lm_window_numbers lm_numbers_of_window(const lm_bits_view *v, lm_window w)
{
    const int64_t layer = lm_layer_words(v), layers = w.last - w.first;
    const int64_t row =
        v->first_row + (w.first - 1) * v->layer_rows; /* the first row of the layer below */
    return {.layer = (uint32_t)layer,
            .words = (uint32_t)(layers * layer),
            .high = (uint32_t)((v->first_row * v->width + w.first * layer) >> 32) << 24,
            .base = (uint32_t)(row * v->width),
            .origin = (uint32_t)(v->first_row / v->layer_rows + w.first - 1),
            .lower = w.first == 0 ? (uint32_t)(2 * layer) : 0,
            .upper = w.last * v->layer_rows == v->rows ? (uint32_t)(layers * layer) : ~0u};
}

static inline lm_patches lm_patches_of_window(const lm_bits_view *v, lm_window w, lm_patches l)
{
    const lm_window_numbers n = lm_numbers_of_window(v, w);
    const uint32_t layers = (uint32_t)(w.last - w.first);
    const uint32_t planes = v->dims > 2 ? (uint32_t)(v->layer_rows / v->extents[1]) : 0;
    l.first = planes ? planes : 1;
    l.high = n.high;
    l.base = n.base;
    l.origin = n.origin;
    l.lower = n.lower;
    l.upper = n.upper;
    if (planes) {
        l.patches = l.across.d * l.stacks.d * planes * layers;
        return l;
    }
    l.height = 1 + layers;
    l.stacks = lm_divisor_of((layers + l.rows - 1) / l.rows);
    l.patches = l.across.d * l.stacks.d;
    return l;
}

/* Sets the blocks that have words of the boundary layers. Patches lie layer by layer; in two
 * dimensions a patch has several layers. */
static inline void lm_cut_window(const lm_bits_view *v, lm_window w, const lm_patches *l,
                                 lm_seam *seam)
{
    const uint64_t patches = l->patches, layers = (uint64_t)(w.last - w.first);
    const uint64_t each = v->dims > 2 ? patches / layers : l->across.d;
    lm_seam_cut(seam, 0, 0, w.first == 0 ? each : 0, LM_PATCH_BLOCK);
    lm_seam_cut(seam, 1, l->upper != ~0u ? patches - each : patches, patches, LM_PATCH_BLOCK);
}

/* Moves the view's pointers, so that word 0 is the first word of the layer below the window. */
static inline lm_bits_view lm_view_of_window(const lm_bits_view *v, lm_window w)
{
    const int64_t from = (w.first - 1) * lm_layer_words(v);
    lm_bits_view view = *v;
    view.sites += from;
    view.sign = v->sign ? v->sign + from : NULL;
    view.gone = v->gone ? v->gone + from : NULL;
    for (int side = 0; side < 2; side++)
        if (view.beyond[side].sites)
            view.beyond[side].sites += from + view.beyond[side].shift * v->width;
    return view;
}

static inline cudaError_t lm_launch_window(const void *kernel, const lm_bits_view *v,
                                           const lm_bits_pass *pass, lm_window w,
                                           lm_patches patches, cudaStream_t stream)
{
    lm_bits_view view = lm_view_of_window(v, w);
    lm_patches l = lm_patches_of_window(v, w, patches);
    const dim3 grid((l.patches + LM_PATCH_BLOCK - 1) / LM_PATCH_BLOCK, v->groups);
    void *arguments[] = {&view, &l, (void *)pass};
    lm_cut_window(v, w, &l, &view.seam);
    const cudaError_t e =
        lm_launch_overlapping(kernel, grid, LM_PATCH_BLOCK, arguments, v->overlaps, stream);
    if (e == cudaSuccess)
        lm_seam_launched(&view.seam, grid.y);
    return e;
}

/* Returns the patches of one of the shapes above. */
static inline lm_patches lm_patches_by_text(const lm_bits_view *v, int text)
{
    return lm_patches_of(v, text == LM_WINDOW_BRICK ? LM_BRICK : LM_RAGGED);
}

typedef cudaError_t lm_window_launch(const lm_bits_view *, const lm_bits_pass *, lm_window,
                                     cudaStream_t);
typedef cudaError_t lm_rows_launch(const lm_bits_view *, const lm_bits_pass *, cudaStream_t);

/* Updates the pass's rows, which are whole layers. `rest` updates the layers that no window has. */
static inline cudaError_t lm_launch_windows(const lm_bits_view *v, const lm_bits_pass *pass,
                                            lm_window_launch *launch, lm_rows_launch *rest,
                                            cudaStream_t stream)
{
    const int64_t last = pass->last / v->layer_rows;
    cudaError_t e = cudaSuccess;
    for (int64_t at = pass->first / v->layer_rows; e == cudaSuccess && at < last;) {
        const lm_window w = lm_next_window(v, at, last);
        lm_bits_pass one = *pass;
        one.first = at * v->layer_rows;
        one.last = one.first + v->layer_rows;
        e = w.first < w.last ? launch(v, pass, w, stream) : rest(v, &one, stream);
        at = w.first < w.last ? w.last : at + 1;
    }
    return e;
}

#endif
