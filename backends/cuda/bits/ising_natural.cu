/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates one colour of a large lattice in natural order, by any rule (ising_rule.cuh) or by the
 * uniform one. A thread takes a column of rows of one word, two rows of the same parity at a time.
 * Of three colours most rows have sites of only two. A warp skips rows in which it has no site.
 *
 * All colours are in one array. A thread that reads a neighbour's word needs only bits of other
 * colours, which nobody changes, and words are written whole.
 */
#include "backends/cuda/bits/ising_rule.cuh"
#include "backends/cuda/bits/window.cuh"

/* ---- the uniform rule (lib/physics/ising_words.h). Its classes are the same for both spins, half
 * as many as those of any rule. A thread has the first planes of their thresholds in registers. */

enum { UNIFORM = LM_RULE_KINDS, KINDS };

template <int D> struct uniform_form {
    static constexpr int digits = 4; /* of lm_ising_class */
    static constexpr int kept = 2;   /* tied sites are neither free nor certain */
};

template <int D> struct uniform_block {
    lm_head<D> head;
    const uint32_t *planes;
    uint32_t flip, base;
    lm_stream stream;
};

template <int D>
LM_INLINE void lm_update_two(const uniform_block<D> &b, const uint32_t digits[2][4],
                             const uint32_t *at, const uint32_t *valid, uint32_t *s,
                             uint32_t *queued, lm_queue<uniform_form<D>> *waiting,
                             uint32_t *changes)
{
    LM_UNROLL
    for (int m = 0; m < 2; m++) {
        const lm_ising_class c = {digits[m][0], digits[m][1], digits[m][2], digits[m][3]};
        uint32_t r[4 * LM_ISING_HEAD];
        lm_draw_head(b.stream, b.base + at[m], r);
        const lm_ballot ballot = lm_ising_head(D, &c, b.head.planes, r, valid[m]);
        changes[m] = ballot.yes;
        s[m] ^= changes[m];
        lm_queue_word(digits[m], at[m], ballot.tied, queued, waiting);
    }
}

template <int D>
LM_INLINE uint32_t lm_settle_word(const uniform_block<D> &b,
                                  const lm_queue<uniform_form<D>> &waiting, uint32_t i,
                                  uint32_t *own)
{
    const uint32_t at = waiting.at[i];
    const lm_ising_class c = {waiting.digits[0][i], waiting.digits[1][i], 0, 0};
    lm_ballot ballot = {0, waiting.tied[i]};
    for (int draw = LM_ISING_HEAD; draw < LM_ISING_DRAWS && ballot.tied; draw++)
        lm_ising_more(D, &ballot, &c, b.planes, &b.stream, b.base + at, draw);
    own[at] ^= ballot.yes;
    return ballot.yes;
}

/* ---- what a sweep needs of a rule. `find` makes the digits of a word from its neighbours. */

template <int D, int KIND, bool RARE> struct way {
    typedef lm_rule<D, KIND> rule;
    typedef lm_tables<rule, RARE> table;
    typedef lm_rule_block<rule, RARE> block;
    LM_INLINE block of(const lm_bits_view &v, const lm_bits_pass &pass, uint32_t g, table *t)
    {
        return lm_rule_block_of(v, pass, g, t);
    }
    LM_INLINE void find(const block &, const uint32_t *up, const uint32_t *gone, uint32_t,
                        uint32_t *digits)
    {
        lm_digits_of<rule>(up, gone, digits);
    }
};

template <int D, bool RARE> struct way<D, UNIFORM, RARE> {
    typedef uniform_form<D> rule;
    struct table {
    };
    typedef uniform_block<D> block;
    LM_INLINE block of(const lm_bits_view &v, const lm_bits_pass &pass, uint32_t g, table *)
    {
        const uint32_t *planes = v.uniform_planes + g * 32 * D;
        return {lm_load_head<D>(planes), planes, v.flip[g], 0,
                lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_group + g, pass.colour)};
    }
    LM_INLINE void find(const block &b, const uint32_t *up, const uint32_t *, uint32_t s,
                        uint32_t *digits)
    {
        const lm_ising_class c = lm_ising_classify(D, up, s ^ b.flip);
        digits[0] = c.n0;
        digits[1] = c.n1;
        digits[2] = c.free;
        digits[3] = c.certain;
    }
};

/* ---- columns */

/* A column of words in natural order. */
template <int D> struct column {
    uint32_t first;    /* the column's word in row 0 of the plane */
    uint32_t j, y;     /* word of the row; first row */
    uint32_t aside[4]; /* steps to the words below and above along axes 2 and 3 */
    uint32_t bits;     /* bits that are sites of replicas that exist */
    int sum;           /* what the coordinates along axes 2 and 3 add to colours */
};

template <int D, int OF>
LM_INLINE column<D> column_of(const lm_bits_view &v, const lm_patches &l, uint32_t number)
{
    column<D> c;
    constexpr bool WINDOW = OF == LM_OF_WINDOW;
    const uint32_t line = lm_divide_by(number, l.across);
    const uint32_t above = WINDOW && D == 2 ? 0 : lm_divide_by(line, l.stacks);
    const uint32_t plane = WINDOW && D > 2 ? l.first + above : above;
    const uint32_t x3 = D == 4 ? lm_divide_by(plane, l.x2) : 0, x2 = plane - x3 * l.x2.d;
    const uint32_t size = l.height * l.width, size2 = size * l.x2.d;
    c.j = number - line * l.width;
    c.y = (line - above * l.stacks.d) * l.rows + (WINDOW && D == 2 ? l.first : 0);
    c.first = plane * size + c.j;
    c.sum = 0;
    if (D >= 3) {
        const bool ends = !WINDOW || D > 3;
        c.aside[0] = ends && x2 == 0 ? size2 - size : 0u - size;
        c.aside[1] = ends && x2 + 1 == l.x2.d ? size - size2 : size;
        c.sum += lm_colour_at(v, 2, ends ? x2 : x2 + l.origin);
    }
    if (D == 4) {
        c.aside[2] = !WINDOW && x3 == 0 ? size2 * (l.x3 - 1) : 0u - size2;
        c.aside[3] = !WINDOW && x3 + 1 == l.x3 ? 0u - size2 * (l.x3 - 1) : size2;
        c.sum += lm_colour_at(v, 3, WINDOW ? x3 + l.origin : x3);
    }
    return c;
}

/* Finds the neighbours of word `at`, in row y of the plane. up[]: J s is +1. */
template <int D, int KIND, int OF, class WORK>
LM_INLINE void neighbours_at(const lm_bits_view &v, const lm_patches &l, const column<D> &c,
                             const WORK *w, uint32_t at, uint32_t y, uint32_t *up, uint32_t *gone)
{
    const uint32_t *const sites = w->own;
    const bool first = c.j == 0, last = c.j + 1 == l.width;
    constexpr bool ENDS = OF != LM_OF_WINDOW || D > 2; /* of axis 1 */
    const uint32_t word = sites[at], wrap = l.width * (l.height - 1);
    up[0] = lm_from_below(v, word, sites[first ? at + l.width - 1 : at - 1], first);
    up[1] = lm_from_above(v, word, sites[last ? at + 1 - l.width : at + 1], last);
    up[2] = sites[ENDS && y == 0 ? at + wrap : at - l.width];
    up[3] = sites[ENDS && y + 1 == l.height ? at - wrap : at + l.width];
    LM_UNROLL
    for (int i = 4; i < 2 * D; i++)
        up[i] = sites[at + c.aside[i - 4]];
    /* One test serves all bonds. With a test for each bond, lattices without signs would compute
     * the places of signs, too. */
    LM_UNROLL
    for (int i = 0; v.sign && i < 2 * D; i++)
        up[i] ^= lm_bonds_of<LM_OWN_SIGNS>(v, v.sign, w->g, 0, i)[at];
    LM_UNROLL
    for (int i = 0; i < 2 * D; i++)
        gone[i] = KIND == LM_GAPS ? lm_bonds_of<LM_OWN_SIGNS>(v, v.gone, w->g, 0, i)[at] : 0;
}

/* Updates rows y and y + 2 of a column. All threads of a warp must call it. */
template <int D, int KIND, bool RARE, int OF>
LM_INLINE void update_rows(const lm_bits_view &v, const lm_patches &l, const column<D> &c,
                           const typename way<D, KIND, RARE>::block &b, int colour, uint32_t y,
                           lm_rule_work<typename way<D, KIND, RARE>::rule> *w)
{
    typedef way<D, KIND, RARE> way;
    uint32_t digits[2][way::rule::digits], at[2], row[2], valid[2], s[2], changes[2];
    constexpr bool CUT = OF == LM_OF_WINDOW && D == 2; /* along axis 1 */
    LM_UNROLL
    for (int m = 0; m < 2; m++) {
        const bool exists = y + 2 * m < l.height;
        row[m] = exists ? y + 2 * m : CUT ? l.first : 0;
        at[m] = c.first + row[m] * l.width;
        valid[m] = exists
                       ? c.bits & lm_colour_bits(
                                      v, c.j, colour,
                                      c.sum + lm_colour_at(v, 1, CUT ? row[m] + l.origin : row[m]))
                       : 0;
    }
    if (!__any_sync(~0u, valid[0] | valid[1]))
        return;
    LM_UNROLL
    for (int m = 0; m < 2; m++) {
        s[m] = w->own[at[m]];
        uint32_t up[2 * D], gone[2 * D];
        neighbours_at<D, KIND, OF>(v, l, c, w, at[m], row[m], up, gone);
        way::find(b, up, gone, s[m], digits[m]);
    }
    lm_update_two(b, digits, at, valid, s, &w->queued, w->waiting, changes);
    LM_UNROLL
    for (int m = 0; m < 2; m++) {
        if (valid[m])
            w->own[at[m]] = s[m];
        lm_count_changed<LM_RAGGED>(v, w->g, w->count, changes[m], &w->changed);
    }
}

/* Stores the column's words of boundary layers in the neighbours' halos, and tells who waits
 * there. */
template <int D>
LM_INLINE void hand_column_on(const lm_bits_view &v, const lm_patches &l, const column<D> &c,
                              uint32_t g, const uint32_t *sites, bool inside)
{
    const uint32_t sides = lm_seam_sides_here(v.seam);
    if (!sides)
        return;
    __syncthreads(); /* other threads may have settled this thread's words */
    for (uint32_t y = c.y; inside && y < c.y + l.rows && y < l.height; y++) {
        const uint32_t at = c.first + y * l.width;
        lm_hand_word_on(v, l, g, 0, 0, at, sites[at]);
    }
    lm_seam_post(v.seam, sides);
}

template <int D, int KIND, bool RARE, int OF>
__global__ void __launch_bounds__(LM_PATCH_BLOCK, 3)
    natural_kernel(lm_bits_view v, lm_patches l, lm_bits_pass pass)
{
    typedef way<D, KIND, RARE> way;
    __shared__ typename way::table table;
    __shared__ lm_queue<typename way::rule> queues[LM_PATCH_BLOCK / LM_WARP];
    const uint32_t block = OF == LM_OF_WINDOW ? lm_seam_block(v.seam) : blockIdx.x;
    const uint32_t number = block * LM_PATCH_BLOCK + threadIdx.x, g = blockIdx.y;
    const bool inside = number < l.patches; /* no thread leaves early: warps settle together */
    uint32_t *sites = v.sites + lm_sublattice_at<OF>(v, g, 0);
    lm_rule_work<typename way::rule> w = {g, sites, pass.count, 0, queues + threadIdx.x / LM_WARP,
                                          0};
    typename way::block b = way::of(v, pass, g, &table);
    if (OF)
        lm_count_from(l.base, l.high, &b);
    column<D> c = column_of<D, OF>(v, l, inside ? number : 0);
    c.bits = inside ? lm_valid(v, c.j) & v.replicas_mask[g] : 0;
    lm_await_previous();
    if (OF == LM_OF_WINDOW)
        lm_seam_await(v.seam, lm_seam_sides_here(v.seam));
    _Pragma("unroll 1") for (uint32_t i = 0; i < l.rows / 2; i++)
    {
        const uint32_t y = c.y + i / 2 * 4 + i % 2;
        update_rows<D, KIND, RARE, OF>(v, l, c, b, pass.colour, y, &w);
        lm_settle_waiting<LM_RAGGED>(v, b, i + 1 < l.rows / 2 ? LM_WARP : 1, &w);
    }
    if (OF == LM_OF_WINDOW)
        hand_column_on<D>(v, l, c, g, sites, inside);
    lm_add_changed(l, g, pass.count, w.changed);
}

typedef void (*kernel)(lm_bits_view, lm_patches, lm_bits_pass);

#define EACH(D, KIND, OF)                                                                          \
    {                                                                                              \
        natural_kernel<D, KIND, false, OF>, natural_kernel<D, KIND, true, OF>                      \
    }
#define PLAIN(D, OF)                                                                               \
    {                                                                                              \
        natural_kernel<D, UNIFORM, false, OF>, NULL                                                \
    }
#define ALL(OF)                                                                                    \
    {                                                                                              \
        {EACH(2, LM_ALIKE, OF), EACH(2, LM_AXES, OF), EACH(2, LM_GAPS, OF), PLAIN(2, OF)},         \
            {EACH(3, LM_ALIKE, OF), EACH(3, LM_AXES, OF), EACH(3, LM_GAPS, OF), PLAIN(3, OF)},     \
        {                                                                                          \
            EACH(4, LM_ALIKE, OF), {NULL, NULL}, EACH(4, LM_GAPS, OF), PLAIN(4, OF)                \
        }                                                                                          \
    }
/* [dimensions - 2][kind][1: rare], for whole lattices and for windows */
static const kernel kernels[3][KINDS][2] = ALL(LM_OF_LATTICE);
static const kernel of_windows[3][KINDS][2] = ALL(LM_OF_WINDOW);

static int fits(const lm_bits_view *v)
{
    return !v->folded && (v->whole ? lm_is_counted(v) : lm_windows_serve(v));
}

extern "C" int lm_ising_natural_serves(const lm_bits_view *v, int update)
{
    return fits(v) && lm_rule_serves(v, update);
}

extern "C" int lm_ising_natural_uniform_serves(const lm_bits_view *v)
{
    return fits(v) && v->uniform_planes && v->groups < 65536;
}

/* Returns the rows of a column. Columns are longer where there are enough of them for a device. */
static uint32_t rows_of(const lm_bits_view *v)
{
    const int64_t enough = 8 * 3 * (int64_t)lm_cuda_processors() * LM_PATCH_BLOCK;
    return v->rows * v->width * (int64_t)v->groups >= enough ? 8 : 4;
}

/* The uniform rule is never rare. */
static kernel kernel_of(const kernel table[3][KINDS][2], int kind, const lm_bits_view *v)
{
    return table[v->dims - 2][kind][kind != UNIFORM && v->by_spin];
}

static cudaError_t launch_window_by(int kind, const lm_bits_view *v, const lm_bits_pass *pass,
                                    lm_window w, cudaStream_t stream)
{
    const kernel k = kernel_of(of_windows, kind, v);
    return lm_launch_window((const void *)k, v, pass, w, lm_patches_by(v, 1, rows_of(v)), stream);
}

static cudaError_t launch_window(const lm_bits_view *v, const lm_bits_pass *pass, lm_window w,
                                 cudaStream_t stream)
{
    return launch_window_by(lm_kind_of(&v->shape[pass->update]), v, pass, w, stream);
}

static cudaError_t launch_uniform_window(const lm_bits_view *v, const lm_bits_pass *pass,
                                         lm_window w, cudaStream_t stream)
{
    return launch_window_by(UNIFORM, v, pass, w, stream);
}

static cudaError_t launch_whole(int kind, const lm_bits_view *v, const lm_bits_pass *pass,
                                cudaStream_t stream)
{
    return lm_launch_patches((const void *)kernel_of(kernels, kind, v), v, pass,
                             lm_patches_by(v, 1, rows_of(v)), stream);
}

extern "C" cudaError_t lm_launch_ising_natural(const lm_bits_view *v, const lm_bits_pass *pass,
                                               cudaStream_t stream)
{
    return v->whole ? launch_whole(lm_kind_of(&v->shape[pass->update]), v, pass, stream)
                    : lm_launch_windows(v, pass, launch_window, lm_launch_ising_update, stream);
}

extern "C" cudaError_t lm_launch_ising_natural_uniform(const lm_bits_view *v,
                                                       const lm_bits_pass *pass,
                                                       cudaStream_t stream)
{
    return v->whole
               ? launch_whole(UNIFORM, v, pass, stream)
               : lm_launch_windows(v, pass, launch_uniform_window, lm_launch_ising_update, stream);
}
