/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Updates a colour of a lattice whose planes have one colour after the other (place.cuh), with a
 * thread for each pack. A pack is SITES sites of a row that lie side by side. Their neighbours lie
 * side by side, too, in each of the neighbouring rows. All neighbours belong to the other half,
 * which does not change.
 *
 * Site k of a half row is x0 = 2 k + shift; the shift is that of its colour in its row. Along axis
 * 0 one neighbour is number k of the same row in the other half. The other neighbour is number k -
 * 1 (shift 0) or k + 1 (shift 1). So only one of a pack's neighbours along axis 0 lies outside the
 * other half's sites at the pack's place: its edge.
 */
#ifndef LM_CUDA_FIELD_CHECKERBOARD_CUH
#define LM_CUDA_FIELD_CHECKERBOARD_CUH

#include "backends/cuda/field/site.cuh"
#include "backends/cuda/field/tree.cuh"

enum { LM_PACK_BLOCK = 128, LM_PACK_MOST = 16 / sizeof(lm_scalar) };

template <int SITES> struct alignas(SITES * sizeof(lm_scalar)) lm_pack_numbers {
    lm_scalar at[SITES];
};

/* Policies of the L2 cache for lines that are read and written (createpolicy), for sites and for
 * static values. */
typedef struct lm_pack_policies {
    uint64_t sites, fixed;
} lm_pack_policies;

#if __CUDA_ARCH__ >= 800
#define LM_BY_POLICY(how)  how ".L2::cache_hint"
#define LM_POLICY(operand) ", " operand
LM_INLINE lm_pack_policies lm_pack_policies_of(int keeps)
{
    uint64_t first, normal, last;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(normal));
    asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(last));
    return {keeps == LM_KEEPS_SITES   ? last
            : keeps == LM_KEEPS_FIXED ? first
                                      : normal,
            keeps == LM_KEEPS_SITES   ? first
            : keeps == LM_KEEPS_FIXED ? last
                                      : normal};
}
#else
#define LM_BY_POLICY(how) how
#define LM_POLICY(operand)
LM_INLINE lm_pack_policies lm_pack_policies_of(int)
{
    return {0, 0};
}
#endif

/* Each function is one instruction, in asm since compilers split a load that they see. The asm
 * does not say that it reads memory: p must have been made after lm_await_previous(). It does
 * say that it writes memory, since slabs read it again. */
#if LM_REAL_BITS == 32
LM_INLINE void lm_load_numbers(const lm_scalar *p, uint64_t policy, lm_pack_numbers<4> *n)
{
    asm(LM_BY_POLICY("ld.global") ".v4.f32 {%0, %1, %2, %3}, [%4]" LM_POLICY("%5") ";"
        : "=f"(n->at[0]), "=f"(n->at[1]), "=f"(n->at[2]), "=f"(n->at[3])
        : "l"(__cvta_generic_to_global(p)), "l"(policy));
}
LM_INLINE void lm_load_numbers(const lm_scalar *p, uint64_t policy, lm_pack_numbers<2> *n)
{
    asm(LM_BY_POLICY("ld.global") ".v2.f32 {%0, %1}, [%2]" LM_POLICY("%3") ";"
        : "=f"(n->at[0]), "=f"(n->at[1])
        : "l"(__cvta_generic_to_global(p)), "l"(policy));
}
LM_INLINE void lm_load_numbers(const lm_scalar *p, uint64_t policy, lm_pack_numbers<1> *n)
{
    asm(LM_BY_POLICY("ld.global") ".f32 %0, [%1]" LM_POLICY("%2") ";"
        : "=f"(n->at[0])
        : "l"(__cvta_generic_to_global(p)), "l"(policy));
}
LM_INLINE void lm_store_numbers(lm_scalar *p, uint64_t policy, const lm_pack_numbers<4> &n)
{
    asm volatile(LM_BY_POLICY("st.global") ".v4.f32 [%0], {%1, %2, %3, %4}" LM_POLICY(
                     "%5") ";" ::"l"(__cvta_generic_to_global(p)),
                 "f"(n.at[0]), "f"(n.at[1]), "f"(n.at[2]), "f"(n.at[3]), "l"(policy)
                 : "memory");
}
LM_INLINE void lm_store_numbers(lm_scalar *p, uint64_t policy, const lm_pack_numbers<2> &n)
{
    asm volatile(LM_BY_POLICY("st.global") ".v2.f32 [%0], {%1, %2}" LM_POLICY("%3") ";" ::"l"(
                     __cvta_generic_to_global(p)),
                 "f"(n.at[0]), "f"(n.at[1]), "l"(policy)
                 : "memory");
}
#else
LM_INLINE void lm_load_numbers(const lm_scalar *p, uint64_t policy, lm_pack_numbers<2> *n)
{
    asm(LM_BY_POLICY("ld.global") ".v2.f64 {%0, %1}, [%2]" LM_POLICY("%3") ";"
        : "=d"(n->at[0]), "=d"(n->at[1])
        : "l"(__cvta_generic_to_global(p)), "l"(policy));
}
LM_INLINE void lm_load_numbers(const lm_scalar *p, uint64_t policy, lm_pack_numbers<1> *n)
{
    asm(LM_BY_POLICY("ld.global") ".f64 %0, [%1]" LM_POLICY("%2") ";"
        : "=d"(n->at[0])
        : "l"(__cvta_generic_to_global(p)), "l"(policy));
}
LM_INLINE void lm_store_numbers(lm_scalar *p, uint64_t policy, const lm_pack_numbers<2> &n)
{
    asm volatile(LM_BY_POLICY("st.global") ".v2.f64 [%0], {%1, %2}" LM_POLICY("%3") ";" ::"l"(
                     __cvta_generic_to_global(p)),
                 "d"(n.at[0]), "d"(n.at[1]), "l"(policy)
                 : "memory");
}
#endif
LM_INLINE void lm_store_numbers(lm_scalar *p, uint64_t, const lm_pack_numbers<1> &n)
{
    *p = n.at[0];
}

/* The place of a pack. ENDS: some axis is open or antiperiodic. */
template <int D> struct lm_pack_place {
    uint32_t place;                /* place in memory of the first site in its half */
    uint32_t shift;                /* 0, 1 */
    uint32_t edge, delta[D][2];    /* to add to the place, modulo 2^32 */
    int edge_factor, factor[D][2]; /* factor of the boundary: -1, 0 for no bond, 1 */
};

/* What surrounds a pack in the other half of a plane: number k of the same row, the edge, and
 * the rows below and above along axes 1 .. */
template <int D, int SITES> struct lm_pack_around {
    lm_pack_numbers<SITES> beside, rows[D][2];
    lm_pack_numbers<1> edge;
};

template <int D, int SITES>
LM_INLINE void lm_load_around(const lm_scalar *half, uint64_t policy, const lm_pack_place<D> &p,
                              lm_pack_around<D, SITES> *around)
{
    lm_load_numbers(half + p.place, policy, &around->beside);
    lm_load_numbers(half + (p.place + p.edge), policy, &around->edge);
    LM_UNROLL
    for (int a = 1; a < D; a++)
        LM_UNROLL
    for (int up = 0; up < 2; up++)
        lm_load_numbers(half + (p.place + p.delta[a][up]), policy, &around->rows[a][up]);
}

/* Returns the neighbour of site j one step along axis a. */
template <int D, int SITES, bool ENDS>
LM_INLINE lm_real lm_pack_step(const lm_pack_place<D> &p, const lm_pack_around<D, SITES> &around,
                               int signs, int j, int a, int s)
{
    int f = p.factor[a][s > 0];
    lm_real value;
    if (a > 0) {
        value = around.rows[a][s > 0].at[j];
    } else {
        const bool outside = j + s < 0 || j + s == SITES, far = (p.shift != 0) == (s > 0);
        const lm_real next = outside ? around.edge.at[0] : around.beside.at[outside ? 0 : j + s];
        value = far ? next : around.beside.at[j];
        f = far && outside ? p.edge_factor : 1;
    }
    return !ENDS || f > 0 ? value : f == 0 ? (lm_real)0 : signs ? -value : value;
}

/* All that the update of a pack reads. It is the reader of site j. */
template <int D, int SITES, int FIXED, bool ENDS> struct lm_field_pack {
    lm_pack_place<D> at;
    lm_pack_around<D, SITES> sites[LM_HOOK_COMPONENTS], fixed[FIXED + 1];
    lm_pack_numbers<SITES> own_fixed[FIXED + 1];
};

template <int D, int SITES, int FIXED, bool ENDS> struct lm_pack_reader {
    const lm_field_pack<D, SITES, FIXED, ENDS> *pack;
    int j;
};

template <int D, int SITES, int FIXED, bool ENDS>
LM_INLINE lm_real lm_reader_one(const lm_pack_reader<D, SITES, FIXED, ENDS> *read, int c, int a,
                                int s)
{
    return lm_pack_step<D, SITES, ENDS>(read->pack->at, read->pack->sites[c], 1, read->j, a, s);
}

#if LM_HOOK_FIXED(1, 1)
template <int D, int SITES, int FIXED, bool ENDS>
LM_INLINE lm_real lm_reader_fixed(const lm_pack_reader<D, SITES, FIXED, ENDS> *read, int k, int a,
                                  int s)
{
    return s == 0 ? read->pack->own_fixed[k].at[read->j]
                  : lm_pack_step<D, SITES, ENDS>(read->pack->at, read->pack->fixed[k], 0, read->j,
                                                 a, s);
}
#endif

/* Finds the pack of thread number n of a launch. Returns false if there is none. */
template <int D, int SITES>
LM_INLINE bool lm_field_find_pack(const lm_field_view &v, const lm_cuda_field_pass &pass,
                                  uint64_t n, lm_pack_place<D> *p)
{
    const uint32_t width = (v.last[0] + 1u) / 2u;
    uint32_t x[D], above = pass.row * width + (uint32_t)(n * SITES);
    if (n * SITES >= (uint64_t)pass.rows * width)
        return false;
    p->place = above;
    p->shift = (uint32_t)pass.phase;
    LM_UNROLL
    for (int a = 0; a < D; a++) {
        const uint32_t extent = a == 0 ? width : v.last[a] + 1u;
        const uint32_t rest = a < D - 1 ? lm_field_divide_by(above, v.by[a]) : 0u;
        x[a] = above - rest * extent + (a > 0 && a == D - 1 ? v.origin[a] : 0u);
        above = rest;
        p->shift += a == 0 ? 0u : x[a];
    }
    p->shift &= 1u;
    const uint32_t from = p->shift ? width - SITES : 0u; /* the pack at an end has another edge */
    p->edge = p->shift ? (x[0] == from ? SITES - width : SITES) : (x[0] == 0 ? width - 1u : ~0u);
    p->edge_factor = x[0] == from ? (v.open[0] ? 0 : v.negative[0] ? -1 : 1) : 1;
    LM_UNROLL
    for (int a = 1; a < D; a++) {
        const int outside = v.open[a] ? 0 : v.negative[a] ? -1 : 1;
        const uint32_t by = v.stride[a] / 2u, turn = v.around[a] * by;
        const bool below = x[a] == 0, beyond = x[a] == v.last[a];
        p->delta[a][0] = (below ? turn : 0u) - by;
        p->delta[a][1] = by - (beyond ? turn : 0u);
        p->factor[a][0] = below ? outside : 1;
        p->factor[a][1] = beyond ? outside : 1;
    }
    p->factor[0][0] = p->factor[0][1] = 1;
    return true;
}

/* Loads a pack. sites, fixed: the first planes. A colour's half begins at own, the other half at
 * others. */
template <int D, int SITES, int FIXED, bool ENDS>
LM_INLINE void lm_pack_load(const lm_scalar *sites, const lm_scalar *fixed, size_t plane,
                            size_t own, size_t others, const lm_pack_policies &by,
                            lm_field_pack<D, SITES, FIXED, ENDS> *p)
{
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        lm_load_around(sites + (size_t)c * plane + others, by.sites, p->at, &p->sites[c]);
    LM_UNROLL
    for (int k = 0; k < FIXED; k++) {
        lm_load_numbers(fixed + (size_t)k * plane + own + p->at.place, by.fixed, &p->own_fixed[k]);
        lm_load_around(fixed + (size_t)k * plane + others, by.fixed, p->at, &p->fixed[k]);
    }
}

/* Loads what the update of a pack's sites needs, by site. LEAVES: the sites' bonds, too. */
template <int D, int KIND, int SITES, bool ENDS, bool LEAVES, class PACK>
LM_INLINE void lm_pack_look(const lm_hook_rule &rule, const PACK &pack, lm_hook_site *site,
                            lm_real (*bonds)[LM_HOOK_COMPONENTS])
{
    LM_UNROLL
    for (int j = 0; j < SITES; j++) {
        const lm_pack_reader<D, SITES, LM_HOOK_FIXED(D, KIND), ENDS> read = {&pack, j};
        site[j] = lm_site_load<D, 1>(rule, &read, KIND);
#ifdef LM_HOOK_BONDS
        if constexpr (LEAVES)
            lm_hook_find_bonds<D>(rule, &read, KIND, 0, bonds[j]);
#endif
    }
}

/* Returns the draws of a pack's first site. */
LM_INLINE lm_draws lm_pack_draws(const lm_field_view &v, const lm_cuda_field_pass &pass,
                                 uint32_t replica)
{
    return {lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_replica + replica, 0),
            lm_field_range(v),
            {0},
            {0},
            0,
            0,
            0};
}

/* Updates a pack. own: the pack's own sites, of component 0. LEAVES: *left becomes the sum of
 * the sites' bonds. */
template <int D, int KIND, int SITES, bool ENDS, bool LEAVES, class PACK>
LM_INLINE void lm_pack_update(const lm_field_view &v, const lm_cuda_field_pass &pass,
                              uint32_t replica, const PACK &pack, lm_scalar *own, uint64_t policy,
                              lm_hook_tally *accepted, double *left)
{
    const lm_hook_rule &rule = ((const lm_hook_rule *)v.rules)[replica];
    lm_pack_numbers<SITES> s[LM_HOOK_COMPONENTS];
    lm_hook_site site[SITES];
    lm_real bonds[LEAVES ? SITES : 1][LM_HOOK_COMPONENTS];
    double add[SITES];
    lm_bits pair[4];
    lm_draws draws = lm_pack_draws(v, pass, replica);
#ifdef LM_DRAWS_PAIRS
    draws.pair = pair;
#endif
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        lm_load_numbers(own + (size_t)c * (size_t)v.count, policy, &s[c]);
    lm_pack_look<D, KIND, SITES, ENDS, LEAVES>(rule, pack, site, bonds);
    LM_UNROLL
    for (int j = 0; j < SITES; j++) {
        lm_real one[LM_HOOK_COMPONENTS];
        draws.site.low = draws.index.low =
            v.base + 2u * (pack.at.place + (uint32_t)j) + pack.at.shift;
        LM_UNROLL
        for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
            one[c] = s[c].at[j];
        if (!LEAVES || !pass.still) {
            /* Rows of packs of several sites have a multiple of four sites, so j and j + 1 are a
             * pair. */
            if (LM_HOOK_PAIRS(pass.variant) && j % 2 == 0)
                lm_draw_block_of_pair(&draws, draws.index, 0, pair);
            lm_site_update(rule, site[j], one, pass.variant, draws, accepted);
        }
#ifdef LM_HOOK_BONDS
        if constexpr (LEAVES)
            add[j] = (double)lm_vector_dot(LM_HOOK_COMPONENTS, one, bonds[j]);
#endif
        LM_UNROLL
        for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
            s[c].at[j] = one[c];
    }
    if (LEAVES)
        *left = lm_sums_pairs<SITES>(add);
    if (LEAVES && pass.still)
        return;
    LM_UNROLL
    for (int c = 0; c < LM_HOOK_COMPONENTS; c++)
        lm_store_numbers(own + (size_t)c * (size_t)v.count, policy, s[c]);
}

/* Adds up leaves. Every other site of a leaf has the last colour. `sum` is the sum of the
 * thread, whose pack is number n of the launch. All threads of the block must call it. */
template <int SITES>
LM_INLINE void lm_pack_leave(const lm_cuda_field_pass &pass, uint64_t leaves, uint32_t replica,
                             uint64_t n, double sum)
{
    constexpr int WARPS = LM_SUMS_LEAF / 2 / (32 * SITES);
    const uint64_t leaf = n * SITES / (LM_SUMS_LEAF / 2);
    double *const to = pass.leaves + replica * leaves + leaf;
    sum = lm_warp_pairs(sum);
    if constexpr (WARPS == 1) {
        if (threadIdx.x % 32 == 0 && leaf < leaves)
            *to = sum + 0.0;
    } else {
        __shared__ double of_warp[LM_PACK_BLOCK / 32];
        if (threadIdx.x % 32 == 0)
            of_warp[threadIdx.x / 32] = sum;
        __syncthreads();
        if (threadIdx.x % (32 * WARPS) == 0 && leaf < leaves)
            *to = lm_sums_pairs<WARPS>(of_warp + threadIdx.x / 32) + 0.0;
    }
}

/* Stores the thread's pack, which has just been updated, in the neighbouring slabs' halos, as in
 * colours.cuh. It stores whole packs, since stores to another device go by 32 bytes or more.
 * Blocks at the sides keep their places until the stores have arrived. */
template <int D, int SITES>
static __device__ __noinline__ void lm_pack_hand_on(const lm_field_view &v,
                                                    const lm_cuda_field_pass &pass)
{
    const uint32_t replica = pass.replica + blockIdx.y;
    const uint64_t n = (uint64_t)lm_seam_block(v.seam) * LM_PACK_BLOCK + threadIdx.x;
    lm_pack_place<D> p;
    if (!lm_field_find_pack<D, SITES>(v, pass, n, &p))
        return;
    const lm_scalar *const own = lm_field_sites(v, replica) + (pass.phase ? v.half : 0u) + p.place;
    for (int side = 0; side < 2; side++) {
        const lm_field_far_halo &h = v.beyond[side];
        lm_scalar *const to = lm_field_beyond(v, side, replica, pass.phase, p.place);
        for (int c = 0; to && c < LM_HOOK_COMPONENTS; c++) {
            lm_pack_numbers<SITES> s =
                *(const lm_pack_numbers<SITES> *)(own + (size_t)c * (size_t)v.count);
            LM_UNROLL
            for (int j = 0; j < SITES; j++)
                s.at[j] = h.negative ? -s.at[j] : s.at[j];
            *(lm_pack_numbers<SITES> *)(to + (size_t)c * (size_t)h.count) = s;
        }
    }
}

/* Returns the blocks of a multiprocessor for which the compiler must leave registers. For packs
 * of four sites in three dimensions it would use a few more than are worth it. With three or
 * four components the sites and their local fields take 24 and 32 numbers, beside the rows that
 * are on their way. Five blocks have 102 registers a thread, four have 128. The loads of 500
 * threads with such packs are more than the memory's latency needs. */
__host__ __device__ constexpr int lm_packs_at_once(int dims, int kind, int sites)
{
    return dims != 3 || sites != 4  ? 1
           : LM_HOOK_COMPONENTS > 2 ? 8 - LM_HOOK_COMPONENTS
           : kind                   ? 7
                                    : 8;
}

template <int D, int KIND, int SITES, bool ENDS, bool LEAVES>
static __global__ void __launch_bounds__(LM_PACK_BLOCK, lm_packs_at_once(D, KIND, SITES))
    field_checkerboard(const __grid_constant__ lm_field_view v,
                       const __grid_constant__ lm_cuda_field_pass pass)
{
    const uint32_t replica = pass.replica + blockIdx.y;
    const uint32_t block = v.slab ? lm_seam_block(v.seam, pass.backward) : lm_field_block(pass);
    const uint64_t n = (uint64_t)block * LM_PACK_BLOCK + threadIdx.x;
    const size_t own = pass.phase ? v.half : 0u, others = pass.phase ? 0u : v.half;
    lm_scalar *sites = lm_field_sites(v, replica);
    const lm_scalar *fixed = lm_field_fixed(v, replica);
    lm_field_pack<D, SITES, LM_HOOK_FIXED(D, KIND), ENDS> pack;
    lm_hook_tally accepted = 0;
    double left = 0.0;
    const bool active = lm_field_find_pack<D, SITES>(v, pass, n, &pack.at);
    lm_await_previous();
    if (v.connected)
        lm_seam_await(v.seam, lm_seam_sides_here(v.seam));
    asm volatile("" : "+l"(sites), "+l"(fixed)); /* pointers must be made after this */
    if (active) {
        const lm_pack_policies by = lm_pack_policies_of(v.keeps);
        lm_pack_load(sites, fixed, (size_t)v.count, own, others, by, &pack);
        lm_pack_update<D, KIND, SITES, ENDS, LEAVES>(
            v, pass, replica, pack, sites + own + pack.at.place, by.sites, &accepted, &left);
    }
    if constexpr (LEAVES)
        lm_pack_leave<SITES>(pass, (uint64_t)pass.rows * (v.last[0] + 1u) / LM_SUMS_LEAF, replica,
                             n, left);
    if (pass.count)
        lm_field_count(v, replica, lm_count_of_tally(accepted));
    const uint32_t sides = lm_seam_sides_here(v.seam);
    if (sides) {
        lm_pack_hand_on<D, SITES>(v, pass);
        lm_seam_post(v.seam, sides);
    }
}

/* ---- launching */

/* Says which kernels there are. Kernels of four dimensions and kernels that leave sums are
 * seldom used. They have only the largest packs and single sites. In four dimensions the kernel
 * with ends serves lattices without ends, too. */
template <int D, int KIND, int SITES, bool ENDS, bool LEAVES>
static const void *checkerboard_kernel(void)
{
    constexpr bool ANY_ENDS = D == 4 || ENDS, FEW = D == 4 || LEAVES;
#ifdef LM_HOOK_BONDS
    constexpr bool HAS = !LEAVES || LM_PACKS_LEAVE(D, KIND);
#else
    constexpr bool HAS = !LEAVES;
#endif
    if constexpr (HAS && LM_HOOK_HAS(1, KIND) && (!FEW || SITES == LM_PACK_MOST || SITES == 1))
        return (const void *)field_checkerboard<D, KIND, SITES, ANY_ENDS, LEAVES>;
    return NULL;
}

/* The fewest packs for each multiprocessor. Packs are as large as a row allows, but smaller if
 * there would be fewer: a thread with a large pack takes longer than it takes to keep all
 * threads at work. Only the largest packs have kernels without ends. Chains have no halves
 * (place.cuh). */
enum { LM_PACKS_ENOUGH = 800 };

#define LM_PACK_KERNELS(D, KIND, LEAVES)                                                           \
    {                                                                                              \
        checkerboard_kernel<D, KIND, LM_PACK_MOST, false, LEAVES>(),                               \
            checkerboard_kernel<D, KIND, LM_PACK_MOST, true, LEAVES>(),                            \
            checkerboard_kernel<D, KIND, LM_PACK_MOST / 2, true, LEAVES>(),                        \
            checkerboard_kernel<D, KIND, 1, true, LEAVES>()                                        \
    }
#define LM_PACK_KERNELS_OF(D, LEAVES)                                                              \
    {                                                                                              \
        LM_PACK_KERNELS(D, 0, LEAVES), LM_PACK_KERNELS(D, 1, LEAVES),                              \
            LM_PACK_KERNELS(D, 2, LEAVES)                                                          \
    }
#define LM_PACK_KERNELS_THAT(LEAVES)                                                               \
    {                                                                                              \
        LM_PACK_KERNELS_OF(2, LEAVES), LM_PACK_KERNELS_OF(3, LEAVES),                              \
            LM_PACK_KERNELS_OF(4, LEAVES)                                                          \
    }

static cudaError_t launch_checkerboard(const lm_field_view *v, const lm_cuda_field_pass *pass,
                                       cudaStream_t stream)
{
    const void *const kernels[2][3][LM_FIELD_KINDS][4] = {LM_PACK_KERNELS_THAT(false),
                                                          LM_PACK_KERNELS_THAT(true)};
    static const uint32_t sites[4] = {LM_PACK_MOST, LM_PACK_MOST, LM_PACK_MOST / 2, 1};
    const uint32_t width = (v->last[0] + 1u) / 2u;
    const uint64_t all = (uint64_t)pass->rows * width * v->replicas;
    const uint64_t enough = pass->packs ? 0 : LM_PACKS_ENOUGH * (uint64_t)v->processors;
    const void *const *const own = kernels[pass->leaves != NULL][v->dims - 2][v->kind];
    int which = lm_field_has_ends(v);
    while (which < 3 && (!own[which] || width % sites[which] || all / sites[which] < enough))
        which++;
    const uint64_t packs = (uint64_t)pass->rows * (width / sites[which]);
    const lm_field_view view =
        lm_field_with_seam(v, pass, width / sites[which], (unsigned)LM_PACK_BLOCK);
    return lm_field_launch(&view, own[which],
                           dim3((unsigned)((packs + LM_PACK_BLOCK - 1) / LM_PACK_BLOCK)),
                           LM_PACK_BLOCK, pass, stream);
}

#endif
