/* SPDX-License-Identifier: BSD-3-Clause */
/* The random number generator against its authors' vectors. */
#include "lib/physics/lane_one.h"

#include "lib/physics/philox.h"
#include "tests/support.h"

/*
 * philox4x32, 10 rounds, from tests/kat_vectors of the Random123 distribution 1.14.0, (c) D. E.
 * Shaw Research, BSD licence: all zeros, all ones, digits of pi.
 */
static const struct vector {
    uint32_t counter[4], key[2], block[4];
} vectors[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static void philox(void **state)
{
    uint32_t block[4];

    (void)state;
    for (size_t i = 0; i < ALL(vectors); i++) {
        const uint32_t *c = vectors[i].counter, *k = vectors[i].key;
        const lm_keys keys = lm_keys_of((uint64_t)k[1] << 32 | k[0], 0);

        lm_philox_half(c[0], c[1], c[2], c[3], &keys, block);
        assert_memory_equal(block, vectors[i].block, sizeof block);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(philox),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
