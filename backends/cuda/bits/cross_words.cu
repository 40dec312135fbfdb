/* SPDX-License-Identifier: BSD-3-Clause */
/* Moves sites between words and arrays. If they come out, a thread makes eight bytes of the array.
 * If they go in, a thread makes a word. */
#include "backends/cuda/launch.cuh"

#include "backends/cuda/bits/cross.h"
#include "lib/physics/weave.h"

enum { BLOCK = 256, EIGHT = 8, WINDOW = 64 };

LM_INLINE uint64_t low_bits(int64_t count)
{
    return count >= WINDOW ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1u;
}

/* Returns x1 + x2 + x3 of a row of the plan, modulo 2. */
LM_INLINE uint32_t parity_of(const lm_bits_home &h, int64_t row)
{
    uint64_t rest = (uint64_t)(h.first_row + row);
    uint32_t sum = 0;
    for (int a = 1; a < h.dims; a++) {
        const uint64_t extent = (uint64_t)h.extents[a];
        const uint64_t above = a < h.dims - 1 ? lm_quotient<uint64_t>(rest, extent) : 0u;
        sum += (uint32_t)(rest - above * extent);
        rest = above;
    }
    return sum & 1u;
}

LM_INLINE uint32_t *row_of(const lm_bits_home &h, int64_t group, int sublattice, int digit,
                           int64_t row)
{
    return h.sites + group * h.group_stride + sublattice * h.sublattice_stride +
           digit * h.digit_stride + row * h.row_stride;
}

/* ---- out of words */

/* Returns 32 bits of a sublattice's row from its site number k on. */
LM_INLINE uint32_t some_bits(const lm_bits_home &h, const uint32_t *row, uint32_t nth, uint64_t k)
{
    const uint64_t j = k / 32u;
    const uint32_t high = j + 1u < h.width ? row[j + 1u] : 0u;
    return __funnelshift_r(row[j], high, (uint32_t)(k % 32u)) >> nth * (uint32_t)h.segment;
}

/* A replica's digit. */
struct digit_of {
    int64_t group;
    uint32_t nth;
    int digit;
};

/* Returns sites x, x + 1, .. of a row, and how many. */
LM_INLINE uint64_t sites_of_row(const lm_bits_home &h, const digit_of &d, int64_t row, uint64_t x,
                                int &count)
{
    const uint64_t left = (uint64_t)h.extents[0] - x;
    uint64_t bits;
    if (h.sublattices == 2) {
        const uint32_t parity = parity_of(h, row), odd = (uint32_t)x & 1u;
        const uint64_t k = x / 2u;
        const uint64_t low = some_bits(h, row_of(h, d.group, parity, d.digit, row), d.nth, k);
        const uint64_t high = some_bits(h, row_of(h, d.group, 1 - parity, d.digit, row), d.nth, k);
        bits = lm_weave(low | high << 32) >> odd;
        count = (int)(left < WINDOW - odd ? left : WINDOW - odd);
    } else {
        const uint32_t *const at = row_of(h, d.group, 0, d.digit, row);
        bits = some_bits(h, at, d.nth, x);
        if (left > 32u)
            bits |= (uint64_t)some_bits(h, at, d.nth, x + 32u) << 32;
        count = (int)(left < WINDOW ? left : WINDOW);
    }
    return bits & low_bits(count);
}

/* Returns up to 64 sites of consecutive rows from site number n on, before row `end`. */
LM_INLINE uint64_t sites_from(const lm_bits_home &h, const digit_of &d, int64_t first, int64_t end,
                              uint64_t n)
{
    const uint64_t extent = (uint64_t)h.extents[0], rows = lm_quotient<uint64_t>(n, extent);
    uint64_t bits = 0, x = n - rows * extent;
    int64_t row = first + (int64_t)rows;
    for (int have = 0, count; have < WINDOW && row < end; have += count) {
        bits |= sites_of_row(h, d, row, x, count) << have;
        x += (uint64_t)count;
        row += x == extent;
        x = x == extent ? 0u : x;
    }
    return bits;
}

/* Returns four bits as bytes of 0 or 1. */
LM_INLINE uint32_t four_bytes(uint32_t bits)
{
    return (bits & 15u) * 0x00204081u & 0x01010101u;
}

/* Returns four sites as bytes, from their digits. */
LM_INLINE uint32_t four_sites(const lm_bits_home &h, uint32_t sites, uint32_t digit, int k)
{
    const uint32_t ones = four_bytes(digit);
    if (h.numbers == LM_TWO_SPINS)
        return ~(ones * 0xfeu);
    return sites | ones * (h.numbers == LM_THREE_SPINS && k ? 0xffu : 1u << k);
}

/* Eight bytes of a span, from byte number q on. */
struct place {
    int64_t replica, first, end; /* rows */
    uint64_t q;
};

LM_INLINE uint64_t eight_numbers(const lm_bits_home &h, digit_of d, const place &p)
{
    uint32_t low = 0, high = 0;
    for (d.digit = 0; d.digit < h.digits; d.digit++) {
        const uint32_t bits = (uint32_t)sites_from(h, d, p.first, p.end, p.q);
        low = four_sites(h, low, bits, d.digit);
        high = four_sites(h, high, bits >> 4, d.digit);
    }
    return low | (uint64_t)high << 32;
}

/* Byte number q has eight sites of digit q % digits. */
LM_INLINE uint64_t eight_saved(const lm_bits_home &h, digit_of d, const place &p)
{
    const uint32_t digits = (uint32_t)h.digits;
    const uint64_t eights = lm_quotient<uint64_t>(p.q, digits);
    const uint32_t first = (uint32_t)(p.q - eights * digits);
    uint64_t bytes = 0;
    for (d.digit = 0; d.digit < h.digits; d.digit++) {
        const uint64_t bits = sites_from(h, d, p.first, p.end, EIGHT * eights);
        const uint32_t k = (uint32_t)d.digit;
        for (uint32_t b = k >= first ? k - first : k + digits - first; b < EIGHT; b += digits)
            bytes |= (bits >> EIGHT * ((first + b) / digits) & 0xffu) << EIGHT * b;
    }
    return bytes;
}

LM_INLINE void store_eight(char *to, uint64_t bytes, uint64_t count)
{
    if (count >= EIGHT && (uintptr_t)to % EIGHT == 0)
        *(uint64_t *)to = bytes;
    else
        for (uint32_t i = 0; i < EIGHT && i < count; i++)
            to[i] = (char)(bytes >> EIGHT * i);
}

static __global__ void __launch_bounds__(BLOCK)
    cross_out(const __grid_constant__ lm_bits_home h, const __grid_constant__ lm_bits_array a,
              uint64_t units, uint64_t spans)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    const uint64_t of_all = lm_quotient<uint64_t>(i, units);
    const uint64_t replica = lm_quotient<uint64_t>(of_all, spans);
    if (replica >= (uint64_t)a.replicas)
        return;
    const int64_t span = (int64_t)(of_all - replica * spans);
    const int64_t first = a.row + span * a.span_rows;
    const place p = {(int64_t)replica, first, first + a.span_rows, EIGHT * (i - of_all * units)};
    const uint64_t number = (uint64_t)(h.first_nth + a.replica) + replica;
    const uint64_t group = number / (uint32_t)h.per_word;
    const digit_of d = {(int64_t)group, (uint32_t)(number - group * (uint32_t)h.per_word), 0};
    store_eight(a.bytes + p.replica * a.pitch + span * a.span_bytes + (int64_t)p.q,
                a.saved ? eight_saved(h, d, p) : eight_numbers(h, d, p),
                (uint64_t)a.span_bytes - p.q);
}

/* ---- into words */

/* Returns 64 sites of a span from number n on as bits of a digit. Bits of sites
 * after the span are 0. */
LM_INLINE uint64_t saved_from(const lm_bits_home &h, const lm_bits_array &a, const char *span,
                              uint64_t n, int digit)
{
    const uint64_t digits = (uint64_t)h.digits, eights = (uint64_t)a.span_bytes / digits;
    const uint64_t first = n / EIGHT;
    const uint8_t *const from = (const uint8_t *)span + first * digits + digit;
    const uint32_t shift = (uint32_t)(n % EIGHT);
    uint64_t bits = 0;
    if (digits == 1 && (uintptr_t)from % EIGHT == 0 && first + EIGHT <= eights)
        bits = *(const uint64_t *)from;
    else
        for (uint32_t i = 0; i < EIGHT && first + i < eights; i++)
            bits |= (uint64_t)from[i * digits] << EIGHT * i;
    bits >>= shift;
    if (shift && first + EIGHT < eights)
        bits |= (uint64_t)from[EIGHT * digits] << (WINDOW - shift);
    return bits;
}

LM_INLINE uint32_t digit_of_number(const lm_bits_home &h, int8_t number, int digit)
{
    return h.numbers == LM_TWO_SPINS ? number > 0 : (uint32_t)number >> digit & 1u;
}

/* Returns the bits of a word: of `count` sites from number n on, every `step`-th. */
LM_INLINE uint32_t word_from(const lm_bits_home &h, const lm_bits_array &a, const char *span,
                             uint64_t n, int digit, int count)
{
    const int step = h.sublattices;
    uint32_t bits = 0;
    if (!a.saved) {
        for (int i = 0; i < count; i++)
            bits |= digit_of_number(h, span[n + (uint64_t)(i * step)], digit) << i;
        return bits;
    }
    const uint64_t some = saved_from(h, a, span, n, digit);
    return (uint32_t)((step == 2 ? lm_unweave(some) : some) & low_bits(count));
}

/* A word: where it is among those of all digits and sublattices. */
struct target {
    int64_t group, row;
    uint32_t word;
    int sublattice, digit;
};

LM_INLINE uint32_t bits_of_replica(const lm_bits_home &h, const lm_bits_array &a, const target &t,
                                   int64_t replica, int count)
{
    const uint32_t off = h.sublattices == 2 ? parity_of(h, t.row) ^ (uint32_t)t.sublattice : 0u;
    const int64_t span = lm_quotient<uint64_t>(t.row - a.row, a.span_rows);
    const uint64_t row = (uint64_t)(t.row - a.row - span * a.span_rows);
    const uint64_t n = row * (uint64_t)h.extents[0] + 32u * (uint64_t)h.sublattices * t.word + off;
    return word_from(h, a, a.bytes + (replica - a.replica) * a.pitch + span * a.span_bytes, n,
                     t.digit, count);
}

static __global__ void __launch_bounds__(BLOCK)
    cross_in(const __grid_constant__ lm_bits_home h, const __grid_constant__ lm_bits_array a,
             int64_t first_group, uint64_t words)
{
    uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= words)
        return;
    target t;
    const uint64_t line = lm_quotient<uint64_t>(i, h.width);
    const uint64_t plane = lm_quotient<uint64_t>(line, (uint64_t)a.rows);
    const uint32_t planes = (uint32_t)(h.sublattices * h.digits);
    t.word = (uint32_t)(i - line * h.width);
    t.row = a.row + (int64_t)(line - plane * (uint64_t)a.rows);
    t.group = first_group + (int64_t)(plane / planes);
    t.sublattice = (int)(plane % planes) / h.digits;
    t.digit = (int)(plane % planes) % h.digits;
    const int count = t.word + 1u == h.width ? h.bits : 32;
    uint32_t *const to = row_of(h, t.group, t.sublattice, t.digit, t.row) + t.word;
    uint32_t word = *to;
    for (int nth = 0; nth < h.per_word; nth++) {
        const int64_t replica = t.group * h.per_word + nth - h.first_nth;
        if (replica < a.replica || replica >= a.replica + a.replicas)
            continue;
        const int shift = nth * h.segment;
        const uint32_t mask = (uint32_t)low_bits(count) << shift;
        word = (word & ~mask) | bits_of_replica(h, a, t, replica, count) << shift;
    }
    *to = word;
}

/* ---- rows of whole words */

/* Returns whether 64 sites of the array are one word of each sublattice, in the same order: one bit
 * a site, rows of whole words, and an array that allows numbers of eight bytes. */
static int are_whole_words(const lm_bits_home *h, const lm_bits_array *a)
{
    return a->saved && h->sublattices == 2 && h->digits == 1 && h->per_word == 1 &&
           h->extents[0] % WINDOW == 0 && ((uintptr_t)a->bytes | (uintptr_t)a->pitch) % EIGHT == 0;
}

/* Moves 64 sites in a thread, and those of further replicas. */
template <bool IN>
static __global__ void __launch_bounds__(BLOCK)
    cross_whole_words(const __grid_constant__ lm_bits_home h,
                      const __grid_constant__ lm_bits_array a)
{
    const uint64_t i = (uint64_t)blockIdx.x * BLOCK + threadIdx.x;
    if (i >= (uint64_t)a.rows * h.width)
        return;
    const uint64_t number = lm_quotient<uint64_t>(i, (uint64_t)h.width);
    const int64_t row = a.row + (int64_t)number;
    const int64_t word = (int64_t)(i - number * h.width) + row * h.row_stride;
    const uint32_t parity = parity_of(h, row);
    const int64_t even = parity * h.sublattice_stride + word;
    const int64_t odd = (1 - (int64_t)parity) * h.sublattice_stride + word;
    for (int64_t r = blockIdx.y; r < a.replicas; r += gridDim.y) {
        uint32_t *const own = h.sites + (h.first_nth + a.replica + r) * h.group_stride;
        uint64_t *const there = (uint64_t *)(a.bytes + r * a.pitch) + i;
        if (IN) {
            const uint64_t halves = lm_unweave(*there);
            own[even] = (uint32_t)halves;
            own[odd] = (uint32_t)(halves >> 32);
        } else
            *there = lm_weave(own[even] | (uint64_t)own[odd] << 32);
    }
}

static uint64_t blocks_of(uint64_t threads)
{
    return (threads + BLOCK - 1) / BLOCK;
}

static cudaError_t launch_whole_words(const lm_bits_home *h, const lm_bits_array *a,
                                      cudaStream_t stream)
{
    const unsigned most = 32768, replicas = (unsigned)(a->replicas < most ? a->replicas : most);
    const dim3 grid((unsigned)blocks_of((uint64_t)a->rows * h->width), replicas);
    if (a->in)
        cross_whole_words<true><<<grid, BLOCK, 0, stream>>>(*h, *a);
    else
        cross_whole_words<false><<<grid, BLOCK, 0, stream>>>(*h, *a);
    return cudaGetLastError();
}

extern "C" cudaError_t lm_launch_cross(const lm_bits_home *h, const lm_bits_array *a,
                                       cudaStream_t stream)
{
    if (are_whole_words(h, a))
        return launch_whole_words(h, a, stream);
    if (!a->in) {
        const uint64_t units = (uint64_t)(a->span_bytes + EIGHT - 1) / EIGHT;
        const uint64_t spans = (uint64_t)(a->rows / a->span_rows);
        cross_out<<<(unsigned)blocks_of(units * spans * (uint64_t)a->replicas), BLOCK, 0, stream>>>(
            *h, *a, units, spans);
        return cudaGetLastError();
    }
    const int64_t first = (h->first_nth + a->replica) / h->per_word;
    const int64_t end = (h->first_nth + a->replica + a->replicas - 1) / h->per_word + 1;
    const uint64_t words =
        (uint64_t)((end - first) * h->sublattices * h->digits * a->rows) * h->width;
    cross_in<<<(unsigned)blocks_of(words), BLOCK, 0, stream>>>(*h, *a, first, words);
    return cudaGetLastError();
}
