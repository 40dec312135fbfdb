/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Potts model kept in words once more, after doc/trajectory-potts.md, "Sites in words", one
 * site at a time and without a line of the library: u put together bit by bit, probabilities from
 * the C library's exp.
 */
#ifndef LM_TESTS_POTTS_NAIVE_WORDS_H
#define LM_TESTS_POTTS_NAIVE_WORDS_H

#include "tests/models/potts_naive.h"

enum { POTTS_WORD_STATES = 16, POTTS_PAIR_BLOCK = 8, POTTS_PAIRS = 16, POTTS_NUMBERS = 32 };

/* Which word has a site's bits, and which bit of it they are. */
static inline int naive_potts_place(const naive_potts *n, int site, request *r)
{
    const naive_field *f = &n->v.f;
    const int length = (int)f->m.extents[0], row = site / length, x = site % length;
    int folded = 1, size = 1;

    for (int a = 0; a < f->m.dims; a++)
        folded &= f->m.extents[a] % 2 == 0;
    const int half = folded ? length / 2 : length, k = folded ? x / 2 : x;
    while (size < half && size < 32)
        size *= 2;
    r->seed = f->seed;
    r->index = (uint64_t)row * (uint64_t)((half + 31) / 32) + (uint64_t)(k / 32);
    r->group = (uint32_t)(f->replica / (unsigned)(32 / size));
    if (r->domain == NAIVE_UPDATE) {
        r->step = f->step;
        r->stage = (uint32_t)f->colour[site];
    } else if (folded)
        r->stage = (uint32_t)f->colour[site];
    return k % 32 + (int)(f->replica % (unsigned)(32 / size)) * size;
}

/* Word number w of the site's, counted through its blocks; and the site's bit in it. */
static inline uint32_t naive_potts_word_of(const naive_potts *n, int site, int domain, int w,
                                           int *bit)
{
    request r = {.domain = (uint32_t)domain, .draw = (uint32_t)(w / 4)};
    uint32_t x[4];

    *bit = naive_potts_place(n, site, &r);
    naive_block(&r, x);
    return x[w % 4];
}

static inline int naive_potts_bit(const naive_potts *n, int site, int domain, int w)
{
    int bit;
    const uint32_t word = naive_potts_word_of(n, site, domain, w, &bit);

    return (int)(word >> bit & 1);
}

/* 0 .. 3, the first pair of bits from block `draw` on that is not the one refused. */
static inline int naive_potts_pair(const naive_potts *n, int i, int domain, int draw, int refused)
{
    for (int k = 0; k < POTTS_PAIRS; k++) {
        const int w = 4 * draw + 2 * k;
        const int pair =
            naive_potts_bit(n, i, domain, w) + 2 * naive_potts_bit(n, i, domain, w + 1);
        if (pair != refused)
            return pair;
    }
    return 0;
}

/* 0 .. below - 1, the first number that is below, one of each block from `draw` on, of so many; -1
 * if there is none. */
static inline int naive_potts_number(const naive_potts *n, int i, int domain, int draw, int below,
                                     int among)
{
    int digits = 0;

    while (1 << digits < below)
        digits++;
    for (int block = draw; block < draw + among; block++) {
        int number = 0;
        for (int k = digits - 1; k >= 0; k--)
            number = 2 * number + naive_potts_bit(n, i, domain, 4 * block + k);
        if (number < below)
            return number;
    }
    return -1;
}

/* How many numbers any state's update draws: as the page lists them. */
static inline int naive_potts_among(int q)
{
    switch (q) {
    case 5:
    case 8:
    case 9:
    case 16:
        return 1;
    case 10:
    case 11:
    case 12:
        return 3;
    default:
        return 2;
    }
}

/* The sum of K over the site's bonds along an axis that lead to sites in a state. */
static inline int naive_potts_along(const naive_potts *n, int i, int axis, int state)
{
    const naive_vectors *v = &n->v;
    int sum = 0;

    for (int by = -1; by <= 1; by += 2) {
        double sign = 1.0;
        const int j = field_step(&v->f.m, i, axis, by, &sign);
        if (j >= 0 && naive_potts_state(n, j) == state)
            sum += (int)v->bonds[axis * v->f.sites + (by < 0 ? j : i)];
    }
    return sum;
}

/* What the site loses by going from state s to t, in doubles. */
static inline double naive_potts_cost(const naive_potts *n, int i, int s, int t)
{
    const double *axis = n->v.axis;
    const int dims = n->v.f.m.dims;
    int equal = 1, all = 0;
    double cost = 0.0;

    for (int a = 0; a < dims; a++) {
        const int lost = naive_potts_along(n, i, a, s) - naive_potts_along(n, i, a, t);
        equal &= axis[a] == axis[0];
        all += lost;
        cost = cost + axis[a] * lost;
    }
    if (equal)
        cost = axis[0] * all;
    return cost + n->v.field * ((s == 0) - (t == 0));
}

static inline int naive_potts_offer(const naive_potts *n, int i, int s, int other)
{
    if (n->q == 2)
        return 1 - s;
    if (n->q > 4) {
        const int j = naive_potts_number(n, i, NAIVE_UPDATE, POTTS_PAIR_BLOCK, n->q - 1,
                                         other ? POTTS_NUMBERS : naive_potts_among(n->q));
        return j < 0 ? s : (s + 1 + j) % n->q;
    }
    if (n->q == 3)
        return (s + (naive_potts_bit(n, i, NAIVE_UPDATE, 0) ? 2 : 1)) % 3;
    if (other)
        return s ^ naive_potts_pair(n, i, NAIVE_UPDATE, POTTS_PAIR_BLOCK, 0);
    return s ^
           (naive_potts_bit(n, i, NAIVE_UPDATE, 0) + 2 * naive_potts_bit(n, i, NAIVE_UPDATE, 1));
}

/* The factor of acceptance. */
static inline double naive_potts_share(int q, int other)
{
    int numbers = 1;
    double none = 1.0;

    if (other)
        return q == 2 ? 0.9375 : 1.0;
    if (q == 4)
        return 1.0;
    if (q < 4)
        return (q - 1.0) / q;
    while (numbers < q - 1)
        numbers *= 2;
    for (int k = 0; k < naive_potts_among(q); k++)
        none *= 1.0 - (q - 1.0) / numbers;
    return (q - 1.0) / q / (1.0 - none);
}

static inline int naive_potts_word_metropolis(const naive_potts *n, int i, latmc_update update)
{
    const int other = update == LATMC_METROPOLIS_OTHER, s = naive_potts_state(n, i);
    const int before = n->q == 3 ? 1 : n->q == 4 && !other ? 2 : 0;
    const int t = naive_potts_offer(n, i, s, other);
    const double share = naive_potts_share(n->q, other);
    const double x = 0.0 - n->v.beta * naive_potts_cost(n, i, s, t);
    double threshold = naive_threshold(share);
    uint32_t u = 0;

    if (x < 0.0)
        threshold = fmin(naive_threshold(share * exp(x)), 4294967295.0);
    for (int k = before; k < 32; k++)
        u = u << 1 | (uint32_t)naive_potts_bit(n, i, NAIVE_UPDATE, k);
    return u < floor(ldexp(threshold, -before)) ? t : s;
}

static inline double naive_potts_word_gain(const naive_potts *n, int i, double sign, int state)
{
    const naive_field *f = &n->v.f;
    double gain = state == 0 ? sign * naive_t(f, n->v.field) : 0.0;
    int together = n->q > 4, all = 0;

    for (int a = 0; a < f->m.dims; a++) {
        together &= n->v.axis[a] == n->v.axis[0];
        all += naive_potts_along(n, i, a, state);
    }
    if (together)
        return naive_fma(f, sign * naive_t(f, n->v.axis[0]), all, gain);
    for (int a = 0; a < f->m.dims; a++)
        gain =
            naive_fma(f, sign * naive_t(f, n->v.axis[a]), naive_potts_along(n, i, a, state), gain);
    return gain;
}

static inline int naive_potts_word_heatbath(const naive_potts *n, int i)
{
    const naive_field *f = &n->v.f;
    const double sign = n->v.beta < 0.0 ? -1.0 : 1.0, beta = sign * naive_t(f, n->v.beta);
    double gain[POTTS_WORD_STATES], most = -INFINITY, sum[POTTS_WORD_STATES], all = 0.0;
    int site_bit, t = 0;

    for (int state = 0; state < n->q; state++) {
        gain[state] = naive_potts_word_gain(n, i, sign, state);
        most = fmax(most, gain[state]);
    }
    for (int state = 0; state < n->q; state++) {
        const double x = naive_mul(f, beta, naive_add(f, gain[state], -most));
        all += floor((n->q > 4 ? 2048.0 : 8192.0) * naive_potts_weight(f, x));
        sum[state] = all;
    }
    naive_potts_word_of(n, i, NAIVE_UPDATE, 0, &site_bit);
    const uint64_t u = naive_potts_word_of(n, i, NAIVE_UPDATE, site_bit, &site_bit);
    const double at = (double)(u * (uint64_t)all >> 32);
    while (t < n->q - 1 && sum[t] <= at)
        t++;
    return t;
}

static inline int naive_potts_word(naive_potts *n, int i, latmc_update update)
{
    return update == LATMC_HEATBATH ? naive_potts_word_heatbath(n, i)
                                    : naive_potts_word_metropolis(n, i, update);
}

static inline int naive_potts_word_start(const naive_potts *n, int i)
{
    if (n->q > 4) {
        const int number = naive_potts_number(n, i, NAIVE_START, 0, n->q, POTTS_NUMBERS);
        return number < 0 ? 0 : number;
    }
    if (n->q == 3)
        return naive_potts_pair(n, i, NAIVE_START, 0, 3);
    const int low = naive_potts_bit(n, i, NAIVE_START, 0);
    return n->q == 2 ? low : low + 2 * naive_potts_bit(n, i, NAIVE_START, 1);
}

#endif
