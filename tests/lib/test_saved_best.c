/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Best sites of saved lattices, with every checksum right but one: refused where they cannot be.
 * That they are kept is test_best's. Replica 0 has some, replica 1 none yet.
 */
#include <math.h>

#include "tests/saved.h"
#include "tests/support.h"

enum { ROW = 15, ROWS = 4, SWEEPS = 5, REPLICAS = 2 };

/* Places in the section "best". */
enum { ENERGY = 0, AT_SWEEP = 8, HAMILTONIAN = 16, EACH = 24 };

static uint64_t bits_of(double value)
{
    uint64_t bits;

    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static saved_file saved_best(latmc_model model)
{
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    latmc_lattice *lat = NULL;
    double energies[REPLICAS];
    saved_file f;
    uint8_t *bytes;
    size_t size;

    ok(latmc_create(&lat, model, 2, (int64_t[]){ROW, ROWS}));
    ok(latmc_set_replicas(lat, REPLICAS));
    if (model != LATMC_ISING)
        ok(latmc_set_option(lat, LATMC_PRECISION, 64));
    ok(latmc_set_device(lat, "cpu:scalar"));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, SWEEPS - 1));
    ok(latmc_keep_best(lat, 1));
    ok(record_series(lat, LATMC_METROPOLIS, 1, 1, 1, &energy, energies));
    bytes = save_whole(lat, &size);
    f = saved_open(bytes, size);
    free(bytes);
    latmc_destroy(lat);
    /* as if nothing of replica 1 had been looked at */
    saved_put(saved_named(&f, "best")->data + EACH + ENERGY, 0, 8);
    saved_put(saved_named(&f, "best")->data + EACH + AT_SWEEP, UINT64_MAX, 8);
    saved_put(saved_named(&f, "best")->data + EACH + HAMILTONIAN, 0, 8);
    memset(saved_named(&f, "b-sites")->data + saved_named(&f, "b-sites")->length / 2, 0,
           saved_named(&f, "b-sites")->length / 2);
    return f;
}

static latmc_status load_file(const saved_file *f, latmc_lattice **lat)
{
    size_t size;
    uint8_t *bytes = saved_close(f, &size);
    const latmc_status status = latmc_load_memory(lat, bytes, size);

    free(bytes);
    return status;
}

static void refuse_file(const saved_file *f, const char *part)
{
    latmc_lattice *lat = NULL;

    refused(LATMC_ERROR_DAMAGED, part, load_file(f, &lat));
    assert_null(lat);
}

static void some_replicas_may_have_none(void **state)
{
    static const latmc_model models[] = {LATMC_ISING, LATMC_PHI4, LATMC_ONVECTOR};

    (void)state;
    for (size_t m = 0; m < ALL(models); m++) {
        saved_file f = saved_best(models[m]);
        latmc_lattice *lat = NULL;
        double energies[REPLICAS], sites[2 * ROW * ROWS], now[2 * ROW * ROWS];
        int64_t sweeps[REPLICAS];

        ok(load_file(&f, &lat));
        const latmc_lattice_info info = info_of(lat);
        const int64_t count = info.sites * info.components;
        const latmc_type type = (latmc_type)info.type;

        ok(latmc_get_best(lat, energies, sweeps));
        assert_true(sweeps[0] == SWEEPS && sweeps[1] == -1);
        assert_true(isfinite(energies[0]) && isnan(energies[1]));
        memset(sites, 0, sizeof sites);
        memset(now, 0, sizeof now);
        ok(get_best_replica(lat, 0, type, sites, count));
        ok(latmc_set_device(lat, "cpu:scalar"));
        ok(get_replica(lat, 0, type, now, count)); /* the last ones are the only ones */
        assert_memory_equal(sites, now, sizeof sites);
        refused(LATMC_ERROR_STATE, "of replica 1 was compared",
                get_best_replica(lat, 1, type, sites, count));
        latmc_destroy(lat);
        saved_free(&f);
    }
}

static void numbers_that_cannot_be_are_refused(void **state)
{
    static const char *const sweeps = "sweeps at which", *const energy = "energy of the best",
                             *const none = "best sites of a replica that has none";
    const struct {
        const char *section;
        size_t at;
        uint64_t value;
        const char *part;
    } changes[] = {
        {"best", AT_SWEEP, SWEEPS + 1, sweeps},
        {"best", AT_SWEEP, UINT64_MAX - 1, sweeps},
        {"best", AT_SWEEP, UINT64_MAX, energy}, /* there is one */
        {"best", EACH + AT_SWEEP, (uint64_t)1 << 63, sweeps},
        {"best", ENERGY, bits_of((double)NAN), energy},
        {"best", EACH + ENERGY, bits_of(1.0), energy},
        {"best", EACH + ENERGY, bits_of(-0.0), energy},
        {"best", EACH + HAMILTONIAN, 1, "Hamiltonian of the best"},
        {"b-sites", 8 * ROW * ROWS + SAVED_SUM, bits_of(1.0), none},
        {"b-sites", 2 * (8 * ROW * ROWS + SAVED_SUM) - SAVED_SUM - 8, bits_of(1.0), none},
        {"b-sites", 8, bits_of((double)INFINITY), "impossible value: site"},
    };

    (void)state;
    for (size_t i = 0; i < ALL(changes); i++) {
        saved_file f = saved_best(LATMC_PHI4);

        saved_put(saved_named(&f, changes[i].section)->data + changes[i].at, changes[i].value, 8);
        refuse_file(&f, changes[i].part);
        saved_free(&f);
    }
}

/* A bit beyond the last spin of a layer of 15; a vector that is none. */
static void sites_that_cannot_be_are_refused(void **state)
{
    saved_file f = saved_best(LATMC_ISING);

    (void)state;
    saved_named(&f, "b-sites")->data[1] |= 0x80;
    refuse_file(&f, "impossible value: site");
    saved_free(&f);
    f = saved_best(LATMC_ONVECTOR);
    saved_put(saved_named(&f, "b-sites")->data, bits_of(0.5), 8);
    refuse_file(&f, "impossible value: site");
    saved_free(&f);
}

static void sections_come_together_and_whole(void **state)
{
    static const struct {
        const char *name, *part;
    } each[] = {{"best", "the section \"b-sites\" without \"best\""},
                {"b-sites", "the section \"best\" without \"b-sites\""}};
    saved_file f;
    latmc_lattice *lat = NULL;
    int64_t sweeps[REPLICAS];

    (void)state;
    for (size_t i = 0; i < ALL(each); i++) {
        const size_t whole = i ? REPLICAS * (ROWS * 2 + SAVED_SUM) : REPLICAS * EACH;

        f = saved_best(LATMC_ISING);
        assert_int_equal(saved_named(&f, each[i].name)->length, whole);
        for (size_t length = 0; length < whole; length++) {
            saved_named(&f, each[i].name)->length = length;
            refuse_file(&f, each[i].name);
        }
        saved_remove(&f, each[i].name);
        refuse_file(&f, each[i].part);
        saved_free(&f);
    }
    f = saved_best(LATMC_ISING);
    saved_remove(&f, "best");
    saved_remove(&f, "b-sites");
    ok(load_file(&f, &lat));
    refused(LATMC_ERROR_STATE, "latmc_keep_best", latmc_get_best(lat, NULL, sweeps));
    latmc_destroy(lat);
    saved_free(&f);
}

/* As saved_close() makes no wrong sums, one is made wrong in what it made. */
static void damaged_leaves_are_named(void **state)
{
    saved_file f = saved_best(LATMC_ISING);
    size_t size, length = 0;
    uint8_t *bytes = saved_close(&f, &size), *sites = saved_find(bytes, size, "b-sites", &length);
    latmc_lattice *lat = NULL;

    (void)state;
    sites[2] ^= 1;
    refused(LATMC_ERROR_DAMAGED, "of the best sites, the checksum of leaf 0 of replica 0 is wrong",
            latmc_load_memory(&lat, bytes, size));
    sites[2] ^= 1;
    sites[length - 1] ^= 1;
    refused(LATMC_ERROR_DAMAGED, "of the best sites, the checksum of leaf 0 of replica 1 is wrong",
            latmc_load_memory(&lat, bytes, size));
    free(bytes);
    saved_free(&f);
}

/* Given couplings are loaded after the best energies, and decide how many sums a measurement has.
 * Sanitizers see whether there is room for them. */
static void given_couplings_have_best_sites(void **state)
{
    double couplings[2 * ROW * ROWS];
    latmc_lattice *lat = NULL, *loaded = NULL;
    uint8_t *saved;
    size_t size;

    (void)state;
    for (int i = 0; i < 2 * ROW * ROWS; i++)
        couplings[i] = 0.375 * i - 20.0;
    ok(latmc_create(&lat, LATMC_ISING, 2, (int64_t[]){ROW, ROWS}));
    ok(latmc_set_replicas(lat, REPLICAS));
    ok(latmc_set_bond_couplings(lat, couplings));
    ok(latmc_set_device(lat, "cpu:scalar"));
    ok(latmc_start(lat, LATMC_START_HOT));
    ok(latmc_keep_best(lat, 1));
    saved = save_whole(lat, &size);
    ok(latmc_load_memory(&loaded, saved, size));
    ok(latmc_set_device(loaded, "cpu:scalar"));
    ok(latmc_sweep(lat, LATMC_METROPOLIS, SWEEPS));
    ok(latmc_sweep(loaded, LATMC_METROPOLIS, SWEEPS));
    assert_int_equal(hash_of(loaded), hash_of(lat));
    free(saved);
    latmc_destroy(loaded);
    latmc_destroy(lat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(some_replicas_may_have_none),
        cmocka_unit_test(numbers_that_cannot_be_are_refused),
        cmocka_unit_test(sites_that_cannot_be_are_refused),
        cmocka_unit_test(sections_come_together_and_whole),
        cmocka_unit_test(damaged_leaves_are_named),
        cmocka_unit_test(given_couplings_have_best_sites),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
