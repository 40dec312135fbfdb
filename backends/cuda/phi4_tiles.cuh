/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Block Metropolis: a thread block takes a tile and what lies around it into shared memory, sweeps
 * it there as often as it is told, and writes it back.
 */
#ifndef LM_CUDA_PHI4_TILES_CUH
#define LM_CUDA_PHI4_TILES_CUH

#include "backends/cuda/phi4_shape.cuh"
#include "backends/cuda/phi4_site.cuh"

typedef struct lm_phi4_tile {
    uint32_t begin[4], extent[4];
    uint32_t index; /* of its first site */
} lm_phi4_tile;

/* The tiles of one parity along each axis: how many there are along it. */
static inline __host__ __device__ uint32_t lm_phi4_tiles_along(const lm_phi4_view &v, int parity,
                                                               int a)
{
    return (v.tiles[a] + 1u - (parity >> a & 1)) / 2u;
}

/* Tile number n of a sub-grid: of the parity, then of its complement. lib/tiles.c, lm_tile_phase */
template <int D>
LM_INLINE lm_phi4_tile lm_phi4_locate(const lm_phi4_view &v, int parity, uint32_t n)
{
    uint32_t first = 1;
    LM_UNROLL
    for (int a = 0; a < D; a++)
        first *= lm_phi4_tiles_along(v, parity, a);
    if (n >= first) {
        n -= first;
        parity ^= (1 << D) - 1;
    }
    lm_phi4_tile t;
    t.index = 0;
    LM_UNROLL
    for (int a = 0; a < D; a++) {
        const uint32_t along = lm_phi4_tiles_along(v, parity, a);
        const uint32_t above = a < D - 1 ? n / along : 0u;
        const uint32_t k = 2u * (n - above * along) + (uint32_t)(parity >> a & 1);
        n = above;
        t.begin[a] = v.tile_begin[a][k];
        t.extent[a] = v.tile_begin[a][k + 1] - t.begin[a];
        t.index += t.begin[a] * v.stride[a];
    }
    return t;
}

/* A coordinate of the box along an axis. Those of a site are added up. */
typedef struct lm_phi4_edge {
    uint32_t offset; /* its part of a site's number */
    uint32_t what;   /* bits 0 .. 7: steps from the tile; 8 ..: MISSING; 31: NEGATIVE */
} lm_phi4_edge;

#define LM_PHI4_STEPS    0xFFu
#define LM_PHI4_MISSING  0x100u
#define LM_PHI4_NEGATIVE 0x80000000u
#define LM_PHI4_BEYOND   50u /* steps: the box of this tile ends before it */

LM_INLINE lm_phi4_edge lm_phi4_both(const lm_phi4_edge &a, const lm_phi4_edge &b)
{
    lm_phi4_edge e = {a.offset + b.offset, a.what + b.what};
    return e;
}

/* Coordinate i of the box, which is begin - REACH + i of the lattice. */
template <int REACH>
LM_INLINE lm_phi4_edge lm_phi4_edge_of(const lm_phi4_view &v, uint32_t begin, uint32_t extent,
                                       int a, int i)
{
    const uint32_t last = v.last[a];
    const int from_low = REACH - i, from_high = i - (int)extent - REACH + 1;
    lm_phi4_edge e = {0, 0};
    e.what = from_low > 0 ? (uint32_t)from_low : from_high > 0 ? (uint32_t)from_high : 0u;
    if (from_high > REACH) {
        e.what = LM_PHI4_BEYOND;
        return e;
    }
    /* Modulo 2^32, and so also for a chain of 2^32 sites. */
    uint32_t x = begin + (uint32_t)(i - REACH);
    const bool below = from_low > 0 && begin < (uint32_t)from_low;
    const bool above = from_high > 0 && last - (begin + extent - 1u) < (uint32_t)from_high;
    if (below || above) {
        x += below ? last + 1u : 0u - (last + 1u);
        e.what |= v.open[a] ? LM_PHI4_MISSING : v.negative[a] ? LM_PHI4_NEGATIVE : 0u;
    }
    e.offset = x * v.stride[a];
    return e;
}

LM_INLINE lm_scalar lm_phi4_signed(lm_scalar phi, uint32_t what)
{
#if LM_REAL_BITS == 32
    return __uint_as_float(__float_as_uint(phi) ^ (what & LM_PHI4_NEGATIVE));
#else
    return what & LM_PHI4_NEGATIVE ? -phi : phi;
#endif
}

/* The tile and what is within REACH steps of it. A thread takes lines along the last axis. Places
 * further away are read, since that costs less than asking, and not kept: they may be
 * another block's to change. */
template <int D, int REACH, bool OPEN>
LM_INLINE void lm_phi4_fetch(const lm_scalar *sites,
                             const lm_phi4_edge (*edges)[lm_phi4_shape<D, REACH>::width],
                             lm_scalar *box)
{
    typedef lm_phi4_shape<D, REACH> shape;
    constexpr int last = D - 1, length = D > 1 ? shape::width : 1, lines = shape::rows() / length;
    constexpr int lanes = D > 1 ? shape::lanes : shape::threads, teams = shape::threads / lanes;
    constexpr int batch = length % 6 == 0 ? 6 : length > 8 ? length / 2 : length;
    for (int i = (int)threadIdx.x % lanes; i < shape::width; i += lanes)
        for (int line = (int)threadIdx.x / lanes; line < lines; line += teams) {
            lm_phi4_edge begin = edges[0][i];
            int to = i, rest = line;
            LM_UNROLL
            for (int a = 1; a < last; a++) {
                const int y = a < last - 1 ? rest % shape::width : rest;
                rest /= shape::width;
                begin = lm_phi4_both(begin, edges[a][y]);
                to += y * shape::stride(a);
            }
            LM_UNROLL
            for (int first = 0; first < length; first += batch) {
                lm_scalar phi[batch]; /* all under way at once */
                LM_UNROLL
                for (int z = 0; z < batch; z++)
                    phi[z] = sites[begin.offset + (D > 1 ? edges[last][first + z].offset : 0u)];
                LM_UNROLL
                for (int z = 0; z < batch; z++) {
                    const uint32_t what = begin.what + (D > 1 ? edges[last][first + z].what : 0u);
                    const bool missing = OPEN && (what & ~LM_PHI4_NEGATIVE) >= LM_PHI4_MISSING;
                    if ((what & LM_PHI4_STEPS) <= (uint32_t)REACH)
                        box[to + (D > 1 ? (first + z) * shape::stride(last) : 0)] =
                            missing ? (lm_scalar)0 : lm_phi4_signed(phi[z], what);
                }
            }
        }
}

template <int D, int REACH> struct lm_phi4_in_box {
    typedef lm_phi4_shape<D, REACH> shape;
    const lm_scalar *centre;
    const uint8_t (*along)[shape::width]; /* bonds by the coordinate in the box */
    const int *x;                         /* in the tile */

    __device__ __forceinline__ lm_real one(int a, int s) const
    {
        return centre[s * shape::stride(a)];
    }
    __device__ __forceinline__ lm_real two(int a, int s, int b, int t) const
    {
        return centre[s * shape::stride(a) + t * shape::stride(b)];
    }
    __device__ __forceinline__ int bonds(int a, int s) const
    {
        return along[a][x[a] + REACH + s];
    }
};

/* A thread's place: the row of the tile where it has a site in every colour. */
typedef struct lm_phi4_seat {
    int x[4];       /* x[1 ..]; x[0] is the least that it may be, 0 or a multiple of the modulus */
    int shift;      /* x[0] + (colour - shift) % modulus is its site */
    int extent;     /* of the row; 0 if the tile has no such row */
    int at;         /* of the row in the box */
    uint32_t index; /* of the row's first site */
} lm_phi4_seat;

template <int D, int REACH>
LM_INLINE lm_phi4_seat lm_phi4_seat_of(const lm_phi4_view &v, const lm_phi4_tile &t)
{
    typedef lm_phi4_shape<D, REACH> shape;
    int rest = (int)threadIdx.x / shape::per_row;
    lm_phi4_seat s;
    s.x[0] = (int)threadIdx.x % shape::per_row * shape::modulus;
    s.shift = 0;
    s.extent = (int)t.extent[0];
    s.at = REACH;
    s.index = t.index;
    LM_UNROLL
    for (int a = 1; a < D; a++) {
        s.x[a] = rest & (shape::most - 1);
        rest >>= shape::log;
        s.shift += (REACH == 1 ? 1 : a + 1) * s.x[a];
        s.at += (s.x[a] + REACH) * shape::stride(a);
        s.index += (uint32_t)s.x[a] * v.stride[a];
        if (s.x[a] >= (int)t.extent[a])
            s.extent = 0;
    }
    s.shift %= shape::modulus;
    return s;
}

/* The thread's site of a colour along axis 0. */
template <int D, int REACH> LM_INLINE int lm_phi4_x_of(const lm_phi4_seat &s, int colour)
{
    constexpr int modulus = lm_phi4_shape<D, REACH>::modulus;
    int x = colour - s.shift;
    if constexpr ((modulus & (modulus - 1)) == 0)
        x &= modulus - 1;
    else
        x += x < 0 ? modulus : 0;
    return x + s.x[0];
}

template <int D, int REACH>
LM_INLINE void lm_phi4_put_back(const lm_phi4_view &v, const lm_phi4_tile &t, const lm_scalar *box,
                                lm_scalar *sites)
{
    typedef lm_phi4_shape<D, REACH> shape;
#pragma unroll 4
    for (int i = (int)threadIdx.x; i < 1 << D * shape::log; i += shape::threads) {
        uint32_t offset = t.index;
        int at = 0, inside = 1;
        LM_UNROLL
        for (int a = 0; a < D; a++) {
            const int x = i >> a * shape::log & (shape::most - 1);
            inside &= x < (int)t.extent[a];
            offset += (uint32_t)x * v.stride[a];
            at += (x + REACH) * shape::stride(a);
        }
        if (inside)
            sites[offset] = box[at];
    }
}

/* The local sweeps. Returns the accepted proposals of the thread. */
template <int D, int REACH, bool OPEN, class BOARD>
LM_INLINE int lm_phi4_sweep_tile(const lm_phi4_view &v, const lm_cuda_phi4_pass &pass,
                                 const lm_phi4_rule_of_real &all, uint32_t replica,
                                 const lm_phi4_seat &seat, BOARD *board)
{
    const lm_real epsilon = all.epsilon;
    const int hits = all.hits, local_sweeps = all.local_sweeps;
    /* Where all sites have one degree a few registers hold what there is to know. */
    lm_phi4_rule_of_real few;
    few.kappa = all.kappa;
    few.field = all.field;
    few.g4 = all.g4;
    few.a2[2 * D] = all.a2[2 * D];
    few.s1[2 * D] = all.s1[2 * D];
    const lm_phi4_rule_of_real &rule = OPEN ? all : few;
    lm_phi4_draws draws = {
        lm_stream_of(&v.keys, LM_DOMAIN_UPDATE, pass.step, v.first_replica + replica, 0), 0, 0, 0};
    int accepted = 0, degree, place[4] = {0, seat.x[1], seat.x[2], seat.x[3]};
    for (int l = 0; l < local_sweeps; l++) {
        for (int colour = 0; colour < lm_phi4_shape<D, REACH>::modulus; colour++) {
            const int x = lm_phi4_x_of<D, REACH>(seat, colour);
            if (x < seat.extent) {
                lm_scalar *const centre = board->box + seat.at + x;
                place[0] = x;
                const lm_phi4_in_box<D, REACH> read = {centre, board->bonds, place};
                const lm_phi4_site site = lm_phi4_site_of<D, REACH == 2, OPEN>(rule, read, &degree);
                draws.index = seat.index + (uint32_t)x;
                *centre = lm_phi4_propose(v, site, *centre, epsilon, hits, draws, &accepted);
            }
            __syncthreads();
        }
        draws.block += (uint32_t)(hits + 3) / 4u;
        draws.tie += (uint32_t)hits;
    }
    return accepted;
}

/* What a block keeps in shared memory. */
template <int D, int REACH, bool OPEN> struct lm_phi4_board {
    lm_scalar box[lm_phi4_shape<D, REACH>::size()];
    lm_phi4_edge edges[D][lm_phi4_shape<D, REACH>::width];
    uint8_t bonds[OPEN ? D : 1][lm_phi4_shape<D, REACH>::width];
};

template <int D, int REACH, bool OPEN>
static __global__ void __launch_bounds__((lm_phi4_shape<D, REACH>::threads),
                                         (lm_phi4_shape<D, REACH>::at_once))
    phi4_tiles(const __grid_constant__ lm_phi4_view v,
               const __grid_constant__ lm_cuda_phi4_pass pass)
{
    typedef lm_phi4_shape<D, REACH> shape;
    __shared__ lm_phi4_board<D, REACH, OPEN> board;
    const uint32_t replica = pass.replica + blockIdx.y;
    const lm_phi4_rule_of_real &rule = ((const lm_phi4_rule_of_real *)v.rules)[replica];
    lm_scalar *const sites = (lm_scalar *)v.sites + (size_t)replica * (size_t)v.count;
    if (rule.reach != REACH) {
        lm_await_previous(); /* or this kernel might end before, and the next one begin */
        return;
    }
    const lm_phi4_tile tile = lm_phi4_locate<D>(v, pass.part, blockIdx.x);
    for (int e = (int)threadIdx.x; e < D * shape::width; e += shape::threads) {
        const int a = e / shape::width, i = e % shape::width;
        uint32_t begin = tile.begin[0], extent = tile.extent[0];
        LM_UNROLL
        for (int b = 1; b < D; b++) {
            begin = a == b ? tile.begin[b] : begin;
            extent = a == b ? tile.extent[b] : extent;
        }
        board.edges[a][i] = lm_phi4_edge_of<REACH>(v, begin, extent, a, i);
        if constexpr (OPEN)
            board.bonds[a][i] = (uint8_t)lm_phi4_bonds(v, a, begin + (uint32_t)(i - REACH));
    }
    const lm_phi4_seat seat = lm_phi4_seat_of<D, REACH>(v, tile);
    __syncthreads();
    lm_await_previous();
    lm_phi4_fetch<D, REACH, OPEN>(sites, board.edges, board.box);
    __syncthreads();
    const int accepted = lm_phi4_sweep_tile<D, REACH, OPEN>(v, pass, rule, replica, seat, &board);
    lm_phi4_put_back<D, REACH>(v, tile, board.box, sites);
    if (pass.count)
        lm_phi4_count(v, replica, accepted);
}

#define LM_PHI4_TILES(D)                                                                           \
    {                                                                                              \
        {(const void *)phi4_tiles<D, 1, false>, (const void *)phi4_tiles<D, 1, true>},             \
        {                                                                                          \
            (const void *)phi4_tiles<D, 2, false>, (const void *)phi4_tiles<D, 2, true>            \
        }                                                                                          \
    }

template <int D> static unsigned lm_phi4_tile_threads(int reach)
{
    return reach == 1 ? (unsigned)lm_phi4_shape<D, 1>::threads
                      : (unsigned)lm_phi4_shape<D, 2>::threads;
}

static cudaError_t launch_tiles(const lm_phi4_view *v, const lm_cuda_phi4_pass *pass,
                                cudaStream_t stream)
{
    static const void *const kernels[4][2][2] = {LM_PHI4_TILES(1), LM_PHI4_TILES(2),
                                                 LM_PHI4_TILES(3), LM_PHI4_TILES(4)};
    const int d = v->dims, r = pass->reach;
    const unsigned threads = d == 1   ? lm_phi4_tile_threads<1>(r)
                             : d == 2 ? lm_phi4_tile_threads<2>(r)
                             : d == 3 ? lm_phi4_tile_threads<3>(r)
                                      : lm_phi4_tile_threads<4>(r);
    uint32_t tiles[2] = {1, d >= 3 ? 1u : 0u};
    for (int a = 0; a < d; a++) {
        tiles[0] *= lm_phi4_tiles_along(*v, pass->part, a);
        tiles[1] *= lm_phi4_tiles_along(*v, ~pass->part, a);
    }
    if (tiles[0] + tiles[1] == 0)
        return cudaSuccess;
    return lm_phi4_launch(v, kernels[d - 1][r - 1][v->any_open != 0], dim3(tiles[0] + tiles[1]),
                          threads, pass, stream);
}

#endif
