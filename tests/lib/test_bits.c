/* SPDX-License-Identifier: BSD-3-Clause */
/* Sites as bits (LATMC_BITS): of every model that has them, in lattices of awkward sizes, against
 * bits that are made here from the sites' numbers. */
#include "tests/inside.h"
#include "tests/support.h"

enum { REPLICAS = 9, MOST_SITES = 5000 };

typedef struct bits_case {
    const char *name;
    latmc_model model;
    int dims;
    int64_t extents[4];
    int digits;
    int64_t q;      /* Potts, clock: states */
    int site_field; /* 1: sites have fields, so that the lattice is kept as bytes */
    int64_t chunk;
    const char *device;
} bits_case;

static const bits_case cases[] = {
    {"short rows", LATMC_ISING, 2, {6, 4}, 1, 0, 0, 0, "cpu"},
    {"the shortest", LATMC_ISING, 3, {2, 2, 2}, 1, 0, 0, 0, "cpu"},
    {"one word", LATMC_ISING, 2, {64, 6}, 1, 0, 0, 0, "cpu"},
    {"words and a half", LATMC_ISING, 2, {150, 8}, 1, 0, 0, 0, "cpu"},
    {"odd rows", LATMC_ISING, 2, {5, 7}, 1, 0, 0, 0, "cpu"},
    {"odd rows of words", LATMC_ISING, 2, {71, 6}, 1, 0, 0, 0, "cpu"},
    {"two words and more", LATMC_ISING, 2, {97, 4}, 1, 0, 0, 0, "cpu"},
    {"layers of whole bytes", LATMC_ISING, 3, {6, 4, 5}, 1, 0, 0, 0, "cpu"},
    {"folded layers", LATMC_ISING, 3, {6, 4, 6}, 1, 0, 0, 0, "cpu"},
    {"layers that are padded", LATMC_ISING, 3, {5, 3, 4}, 1, 0, 0, 0, "cpu"},
    {"four dimensions", LATMC_ISING, 4, {6, 4, 2, 4}, 1, 0, 0, 0, "cpu"},
    {"many rows", LATMC_ISING, 3, {10, 20, 22}, 1, 0, 0, 0, "cpu"},
    {"a chain", LATMC_ISING, 1, {131}, 1, 0, 0, 0, "cpu"},
    {"an even chain", LATMC_ISING, 1, {36}, 1, 0, 0, 0, "cpu"},
    {"the scalar lane", LATMC_ISING, 2, {150, 8}, 1, 0, 0, 0, "cpu:scalar"},
    {"slabs", LATMC_ISING, 3, {6, 5, 7}, 1, 0, 0, 0, "cpu:scalar,scalar,scalar"},
    {"bytes", LATMC_ISING, 2, {7, 5}, 1, 0, 1, 0, "cpu"},
    {"bytes in chunks", LATMC_ISING, 3, {10, 3, 4}, 1, 0, 1, 16, "cpu"},
    {"three states", LATMC_POTTS, 2, {7, 5}, 2, 3, 0, 0, "cpu"},
    {"two states", LATMC_POTTS, 2, {66, 4}, 1, 2, 0, 0, "cpu"},
    {"seven states", LATMC_POTTS, 3, {6, 4, 4}, 3, 7, 0, 0, "cpu"},
    {"sixteen states", LATMC_POTTS, 2, {130, 4}, 4, 16, 0, 0, "cpu:scalar"},
    {"states as bytes", LATMC_POTTS, 2, {7, 5}, 2, 4, 1, 0, "cpu"},
    {"three spins", LATMC_BLUME_CAPEL, 2, {70, 6}, 2, 0, 0, 0, "cpu"},
    {"three spins, odd", LATMC_BLUME_CAPEL, 3, {5, 4, 3}, 2, 0, 0, 0, "cpu:scalar,scalar"},
    {"cells", LATMC_AUTOMATON, 2, {70, 5}, 1, 0, 0, 0, "cpu"},
    {"cells of a word", LATMC_AUTOMATON, 2, {32, 7}, 1, 0, 0, 0, "cpu:scalar,scalar"},
};

static int is_unsigned(const bits_case *c)
{
    return c->model == LATMC_POTTS;
}

static latmc_type own_type(const bits_case *c)
{
    return is_unsigned(c) ? LATMC_UINT8 : LATMC_INT8;
}

static latmc_lattice *make(const bits_case *c, latmc_division division)
{
    const double field[MOST_SITES] = {0};
    latmc_lattice *lattice = NULL;

    ok(latmc_create(&lattice, c->model, c->dims, c->extents));
    ok(latmc_set_replicas(lattice, REPLICAS));
    if (c->q)
        ok(latmc_set_option(lattice, LATMC_Q, c->q));
    if (c->site_field)
        ok(latmc_set_site_fields(lattice, field));
    ok(latmc_set_division(lattice, division));
    ok(latmc_set_device(lattice, c->device));
    ok(latmc_set_seed(lattice, 57));
    inside_chunk(lattice, c->chunk);
    ok(latmc_start(lattice, LATMC_START_HOT));
    return lattice;
}

static int64_t sites_of(const bits_case *c)
{
    int64_t sites = 1;

    for (int a = 0; a < c->dims; a++)
        sites *= c->extents[a];
    return sites;
}

static size_t bytes_of(const latmc_lattice *lattice, int64_t replicas, latmc_type type)
{
    size_t bytes = 0;

    ok(latmc_sites_bytes(lattice, replicas, type, &bytes));
    return bytes;
}

/* Digit k of a number. Of two spins, +1 is 1. */
static int digit_of(const bits_case *c, int8_t number, int k)
{
    return c->model == LATMC_ISING ? number > 0 : number >> k & 1;
}

/* The bits of one replica, layer by layer; returns their number of bytes. */
static size_t packed(const bits_case *c, const int8_t *sites, uint8_t *bits)
{
    const int64_t all = sites_of(c), layer = c->dims > 1 ? all / c->extents[c->dims - 1] : all;
    size_t at = 0;

    for (int64_t first = 0; first < all; first += layer)
        for (int64_t i = 0; i < layer; i += 8)
            for (int k = 0; k < c->digits; k++, at++) {
                bits[at] = 0;
                for (int64_t j = i; j < i + 8 && j < layer; j++)
                    bits[at] |= (uint8_t)(digit_of(c, sites[first + j], k) << (j - i));
            }
    return at;
}

static int8_t numbers[REPLICAS * MOST_SITES];
static uint8_t bits[REPLICAS * MOST_SITES], want[REPLICAS * MOST_SITES];

/* All bits of some replicas, as they should be. */
static size_t want_of(const bits_case *c, latmc_lattice *lattice, int64_t first, int64_t count)
{
    const size_t sites = (size_t)sites_of(c);
    size_t at = 0;

    ok(latmc_get_sites(lattice, first, count, own_type(c), numbers, (size_t)count * sites));
    for (int64_t r = 0; r < count; r++)
        at += packed(c, numbers + (size_t)r * sites, want + at);
    return at;
}

static const latmc_division divisions[] = {LATMC_DIVIDE_SLABS, LATMC_DIVIDE_REPLICAS};

/* Chains are not cut. */
static int is_possible(const bits_case *c, latmc_division division)
{
    return division == LATMC_DIVIDE_REPLICAS || c->dims > 1;
}

static void bits_are_the_sites(void **state)
{
    (void)state;
    for (size_t k = 0; k < ALL(cases); k++)
        for (size_t d = 0; d < ALL(divisions); d++) {
            const bits_case *c = &cases[k];
            latmc_lattice *lattice;
            size_t bytes;

            if (!is_possible(c, divisions[d]))
                continue;
            lattice = make(c, divisions[d]);
            bytes = want_of(c, lattice, 1, 7);
            assert_int_equal(bytes_of(lattice, 7, LATMC_BITS), bytes);
            memset(bits, 0xee, sizeof bits);
            ok(latmc_get_sites(lattice, 1, 7, LATMC_BITS, bits, bytes));
            if (memcmp(bits, want, bytes) != 0 || bits[bytes] != 0xee)
                fail_msg("%s: the bits differ", c->name);
            latmc_destroy(lattice);
        }
}

/* Given bits are the sites of those replicas, and of no others, after sweeps too. */
static void bits_are_given(void **state)
{
    (void)state;
    for (size_t k = 0; k < ALL(cases); k++)
        for (size_t d = 0; d < ALL(divisions); d++) {
            const bits_case *c = &cases[k];
            const size_t sites = (size_t)sites_of(c);
            latmc_lattice *by_bits, *by_numbers;
            size_t bytes;

            if (!is_possible(c, divisions[d]))
                continue;
            by_bits = make(c, divisions[d]);
            by_numbers = make(c, divisions[d]);
            bytes = want_of(c, by_numbers, 0, 5);
            ok(latmc_set_sites(by_bits, 3, 5, LATMC_BITS, want, bytes));
            ok(latmc_set_sites(by_numbers, 3, 5, own_type(c), numbers, 5 * sites));
            assert_true(hash_of(by_bits) == hash_of(by_numbers));
            ok(latmc_sweep(by_bits,
                           c->model == LATMC_AUTOMATON ? LATMC_SYNCHRONOUS : LATMC_METROPOLIS, 2));
            ok(latmc_sweep(by_numbers,
                           c->model == LATMC_AUTOMATON ? LATMC_SYNCHRONOUS : LATMC_METROPOLIS, 2));
            if (hash_of(by_bits) != hash_of(by_numbers))
                fail_msg("%s: given bits are other sites", c->name);
            latmc_destroy(by_bits);
            latmc_destroy(by_numbers);
        }
}

/* A loaded lattice gives the bits that it holds, and best sites are given as bits. */
static void held_and_best_bits(void **state)
{
    const bits_case *c = &cases[9];
    latmc_lattice *lattice = make(c, LATMC_DIVIDE_AUTO), *loaded = NULL;
    size_t bytes = want_of(c, lattice, 2, 5), saved_bytes;
    uint8_t *saved = save_whole(lattice, &saved_bytes);

    (void)state;
    ok(latmc_load_memory(&loaded, saved, saved_bytes));
    ok(latmc_get_sites(loaded, 2, 5, LATMC_BITS, bits, bytes));
    assert_memory_equal(bits, want, bytes);
    ok(latmc_keep_best(lattice, 1));
    ok(latmc_sweep(lattice, LATMC_METROPOLIS, 1));
    bytes = want_of(c, lattice, 2, 5);
    ok(latmc_get_best_sites(lattice, 2, 5, LATMC_BITS, bits, bytes));
    assert_memory_equal(bits, want, bytes);
    free(saved);
    latmc_destroy(loaded);
    latmc_destroy(lattice);
}

static void strange_bits_are_refused(void **state)
{
    static const struct {
        int case_number;
        size_t byte; /* of replica 4 */
        uint8_t add;
        const char *part;
    } strange[] = {
        {9, 3, 0x80, "after the last site of a layer"}, /* 15 sites a layer */
        {18, 0, 0x01, "replica 4"},                     /* both digits of a state: 3 of q = 3 */
        {24, 1, 0x10, "replica 4"},                     /* a sign without a spin */
    };

    (void)state;
    for (size_t i = 0; i < ALL(strange); i++) {
        const bits_case *c = &cases[strange[i].case_number];
        latmc_lattice *lattice = make(c, LATMC_DIVIDE_AUTO);
        const size_t bytes = bytes_of(lattice, 7, LATMC_BITS);
        const uint64_t hash = hash_of(lattice);
        uint8_t *at = bits + 3 * bytes / 7 + strange[i].byte;

        memset(bits, 0, bytes);
        *at |= strange[i].add;
        if (strange[i].case_number == 18)
            at[1] |= 1;
        refused(LATMC_ERROR_ARGUMENT, strange[i].part,
                latmc_set_sites(lattice, 1, 7, LATMC_BITS, bits, bytes));
        assert_true(hash_of(lattice) == hash);
        latmc_destroy(lattice);
    }
}

/* States that are saved as bytes have no bits. */
static void bytes_have_no_bits(void **state)
{
    static const bits_case many = {"", LATMC_POTTS, 2, {7, 5}, 0, 20, 0, 0, "cpu"},
                           angles = {"", LATMC_CLOCK, 2, {7, 5}, 0, 6, 0, 0, "cpu"};
    latmc_lattice *potts = make(&many, LATMC_DIVIDE_AUTO),
                  *clock = make(&angles, LATMC_DIVIDE_AUTO);
    size_t bytes;

    (void)state;
    refused(LATMC_ERROR_UNKNOWN, "cannot be of type bits; they can be uint8",
            latmc_sites_bytes(potts, 1, LATMC_BITS, &bytes));
    refused(LATMC_ERROR_UNKNOWN, "cannot be of type bits",
            latmc_sites_bytes(clock, 1, LATMC_BITS, &bytes));
    latmc_destroy(potts);
    latmc_destroy(clock);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_the_sites), cmocka_unit_test(bits_are_given),
        cmocka_unit_test(held_and_best_bits), cmocka_unit_test(strange_bits_are_refused),
        cmocka_unit_test(bytes_have_no_bits),
    };

    inside_share_all(0);
    return cmocka_run_group_tests_name("bits", tests, NULL, NULL);
}
