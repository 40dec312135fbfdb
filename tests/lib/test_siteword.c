/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of sites to and from the words that they share, against the place of each site by itself. */
#include "lib/geometry/siteword.h"
#include "tests/support.h"

enum { LONGEST = 200, REPLICAS = 33, ROW_WORDS = 1 + LONGEST / 32, GUARD = 16 };

/* Two sublattices of a row; of a natural lattice the second one is not used. */
typedef struct row {
    uint32_t words[2][ROW_WORDS];
} row;

static void fill(row *r, uint64_t *state)
{
    for (int c = 0; c < 2; c++)
        for (int j = 0; j < ROW_WORDS; j++)
            r->words[c][j] = (uint32_t)(next_random(state) >> 16);
}

/* Site x of a row. */
typedef struct place {
    int sublattice;
    int64_t k;
} place;

static place place_of(const lm_words *words, int row_parity, int64_t x)
{
    if (!words->folded)
        return (place){.sublattice = 0, .k = x};
    return (place){.sublattice = (int)(x & 1) ^ row_parity, .k = x / 2};
}

static uint32_t *word_of(row *r, place p)
{
    return &r->words[p.sublattice][p.k / 32];
}

/* Every bit but those of the row's sites keeps what it was. */
static void pack_and_look(const lm_words *w, int parity, int nth, int64_t extent, uint64_t *state)
{
    int8_t sites[LONGEST];
    row want, got;

    fill(&want, state);
    got = want;
    for (int64_t x = 0; x < extent; x++) {
        const place p = place_of(w, parity, x);
        const uint32_t bit = 1u << (p.k % 32 + nth * w->segment);
        uint32_t *word = word_of(&want, p);

        sites[x] = next_random(state) >> 40 & 1 ? 1 : -1;
        *word = sites[x] > 0 ? *word | bit : *word & ~bit;
    }
    lm_row_pack(w, parity, nth, LM_SIGN, sites, extent, (uint32_t *[]){got.words[0], got.words[1]});
    assert_memory_equal(&want, &got, sizeof want);
}

/* And nothing is written beyond the row. */
static void unpack_and_look(const lm_words *w, int parity, int nth, int64_t extent, uint64_t *state)
{
    int8_t sites[LONGEST + GUARD];
    row r;

    fill(&r, state);
    memset(sites, 7, sizeof sites);
    lm_row_unpack(w, parity, nth, LM_SIGN, sites, extent,
                  (const uint32_t *[]){r.words[0], r.words[1]});
    for (int64_t x = 0; x < extent; x++) {
        const place p = place_of(w, parity, x);

        assert_int_equal(sites[x], *word_of(&r, p) >> (p.k % 32 + nth * w->segment) & 1 ? 1 : -1);
    }
    for (int64_t x = extent; x < extent + GUARD; x++)
        assert_int_equal(sites[x], 7);
}

static void rows_are_their_sites(void **state)
{
    uint64_t random = 11;
    int folded = 0, natural = 0;

    (void)state;
    for (int64_t extent = 2; extent <= LONGEST; extent++)
        for (int64_t other = 4; other <= 5; other++) {
            const lm_spec spec = {
                .dims = 2, .extents = {extent, other, 1, 1}, .replicas = REPLICAS};
            const lm_words w = lm_words_of(&spec);

            for (int nth = 0; nth < w.per_word; nth++)
                for (int parity = 0; parity < 2; parity++) {
                    pack_and_look(&w, parity, nth, extent, &random);
                    unpack_and_look(&w, parity, nth, extent, &random);
                }
            folded += w.folded;
            natural += !w.folded;
        }
    assert_true(folded > 90 && natural > 90);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_their_sites)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
