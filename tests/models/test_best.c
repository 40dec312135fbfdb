/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Best sites: those of the lowest energy among all that a second lattice comes by, which goes one
 * measurement at a time on the scalar lane and is read each time. Another Hamiltonian begins the
 * comparison anew.
 */
#include "tests/models/suite.h"

#include <math.h>

enum { MOST_TERMS = 12, RECORDS = 9, BETWEEN = 2, SWEEPS = 3 };

/* What a run by hand keeps. */
typedef struct keeper {
    const test_model *m;
    int64_t n, count; /* replicas; numbers of each */
    latmc_type type;
    double *energies;
    int64_t *sweeps;
    char *sites;
    double (*terms)[MOST_TERMS]; /* [replica]: what the energy of given sites depends on */
} keeper;

static size_t bytes_of(const keeper *k)
{
    return (size_t)k->count * (k->type == LATMC_FLOAT64 ? 8 : k->type == LATMC_FLOAT32 ? 4 : 1);
}

static keeper keeper_of(const latmc_lattice *lattice, const test_model *m)
{
    const latmc_lattice_info info = info_of(lattice);
    keeper k = {.m = m,
                .n = info.replicas,
                .count = info.sites * info.components,
                .type = (latmc_type)info.type};

    k.energies = suite_room(k.n, sizeof *k.energies);
    k.sweeps = suite_room(k.n, sizeof *k.sweeps);
    k.sites = suite_room(k.n, bytes_of(&k));
    k.terms = suite_room(k.n, sizeof *k.terms);
    for (int64_t r = 0; r < k.n; r++)
        k.sweeps[r] = -1;
    return k;
}

static void keeper_end(keeper *k)
{
    free(k->energies);
    free(k->sweeps);
    free(k->sites);
    free(k->terms);
}

/* Returns the model's parameter number `i` if the energy depends on it, and otherwise 0. */
static latmc_param term_of(const test_model *m, int64_t i)
{
    latmc_description d = LATMC_INIT(latmc_description);

    ok(latmc_describe(LATMC_PARAMS, m->id, i, &d));
    return d.in_exchanges && d.id != LATMC_BETA ? (latmc_param)d.id : (latmc_param)0;
}

/* Fills [replica][term], at most MOST_TERMS: parameters of the slot, and the bonds' couplings. */
static void find_terms(const keeper *k, latmc_lattice *lattice, double (*terms)[MOST_TERMS])
{
    const test_model *m = k->m;
    const int64_t n = k->n;
    int64_t *slots = suite_room(n, sizeof *slots), count;
    double *values = suite_room(n, sizeof *values), couplings[LATMC_MAX_DIMS] = {0};
    int used = LATMC_MAX_DIMS;

    ok(latmc_get_slots(lattice, slots));
    ok(latmc_count(LATMC_PARAMS, m->id, &count));
    if (m->id != LATMC_PHI4)
        ok(latmc_get_bond_type_couplings(lattice, couplings));
    for (int64_t r = 0; r < n; r++)
        memcpy(terms[r], couplings, sizeof couplings);
    for (int64_t i = 0; i < count; i++) {
        const latmc_param param = term_of(m, i);

        if (!param)
            continue;
        ok(latmc_get_params(lattice, param, values));
        for (int64_t r = 0; r < n; r++)
            terms[r][used] = values[slots[r]];
        used++;
    }
    assert_true(used <= MOST_TERMS);
    free(slots);
    free(values);
}

static void keeper_look(keeper *k, latmc_lattice *lattice)
{
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);
    double *now = suite_room(k->n, sizeof *now);
    double(*terms)[MOST_TERMS] = suite_room(k->n, sizeof *terms);

    ok(latmc_observe(lattice, LATMC_BY_REPLICA, 1, &energy, now));
    find_terms(k, lattice, terms);
    for (int64_t r = 0; r < k->n; r++) {
        int same = 1;

        for (int i = 0; i < MOST_TERMS; i++)
            same &= terms[r][i] == k->terms[r][i];
        if (k->sweeps[r] >= 0 && same && !(now[r] < k->energies[r]))
            continue;
        memcpy(k->terms[r], terms[r], sizeof *terms);
        k->energies[r] = now[r];
        k->sweeps[r] = info_of(lattice).sweeps;
        ok(get_replica(lattice, r, k->type, k->sites + (size_t)r * bytes_of(k), k->count));
    }
    free(terms);
    free(now);
}

static void compare_best(const keeper *k, latmc_lattice *lattice, const char *when)
{
    double *energies = suite_room(k->n, sizeof *energies);
    int64_t *sweeps = suite_room(k->n, sizeof *sweeps);
    char *sites = suite_room(1, bytes_of(k));

    ok(latmc_get_best(lattice, energies, sweeps));
    for (int64_t r = 0; r < k->n; r++) {
        if (sweeps[r] != k->sweeps[r] || memcmp(&energies[r], &k->energies[r], sizeof *energies))
            fail_msg("%s: the best of replica %d is %.17g after %d sweeps, not %.17g after %d",
                     when, (int)r, energies[r], (int)sweeps[r], k->energies[r], (int)k->sweeps[r]);
        ok(get_best_replica(lattice, r, k->type, sites, k->count));
        assert_memory_equal(sites, k->sites + (size_t)r * bytes_of(k), bytes_of(k));
    }
    free(energies);
    free(sweeps);
    free(sites);
}

/* A parameter goes to another value. Energies fall and rise with the first one. */
static void ramp(latmc_lattice *lattice, latmc_param param, double to, int64_t sweeps)
{
    const int64_t n = info_of(lattice).replicas;
    double *ends = suite_room(n, sizeof *ends);

    for (int64_t s = 0; s < n; s++)
        ends[s] = to;
    ok(latmc_set_ramp(lattice, param, ends, sweeps));
    free(ends);
}

static void record(latmc_lattice *lattice, latmc_update update, keeper *k, latmc_lattice *twin)
{
    const latmc_quantity slot = LATMC_QUANTITY(LATMC_SLOT); /* which needs no energy */
    double *series = suite_room(k->n * RECORDS, sizeof *series);

    ok(record_series(lattice, update, BETWEEN, RECORDS, 1, &slot, series));
    for (int t = 0; t < RECORDS; t++) {
        ok(latmc_sweep(twin, update, BETWEEN));
        keeper_look(k, twin);
    }
    free(series);
}

/* Saved and loaded, on the same device. */
static latmc_lattice *resumed(latmc_lattice *lattice, const char *device)
{
    latmc_lattice *copy = NULL;
    size_t bytes, again;
    uint8_t *saved = save_whole(lattice, &bytes), *second;

    ok(latmc_load_memory(&copy, saved, bytes));
    second = save_whole(copy, &again);
    assert_true(bytes == again);
    assert_memory_equal(saved, second, bytes);
    ok(latmc_set_device(copy, device));
    latmc_destroy(lattice);
    free(saved);
    free(second);
    return copy;
}

/* Other fields or coefficients on the way, with a save, and other couplings. */
static void change_energies(latmc_lattice **lattice, latmc_lattice *twin, const test_case *c,
                            latmc_update update, keeper *k, const char *device)
{
    const test_model *m = c->model;
    const double couplings[LATMC_MAX_DIMS] = {2.0, 1.0, 0.5, 1.0};
    latmc_param param = term_of(m, 0);

    for (int64_t i = 1; !param; i++)
        param = term_of(m, i);
    ramp(*lattice, param, 0.5, BETWEEN * 2 * RECORDS);
    ramp(twin, param, 0.5, BETWEEN * 2 * RECORDS);
    record(*lattice, update, k, twin);
    compare_best(k, *lattice, "half a ramp of the energy");
    *lattice = resumed(*lattice, device);
    record(*lattice, update, k, twin);
    compare_best(k, *lattice, "a ramp of the energy");
    record(*lattice, update, k, twin);
    compare_best(k, *lattice, "after it");
    *lattice = resumed(*lattice, device);
    ok(latmc_set_param(*lattice, param, 0.25));
    ok(latmc_set_param(twin, param, 0.25));
    record(*lattice, update, k, twin);
    compare_best(k, *lattice, "another value");
    if (m->id == LATMC_PHI4)
        return;
    ok(latmc_set_bond_type_couplings(*lattice, couplings));
    ok(latmc_set_bond_type_couplings(twin, couplings));
    record(*lattice, update, k, twin);
    compare_best(k, *lattice, "other couplings");
}

/* Records without and with a ramp, a save in the middle of it, on the way to another device,
 * exchanges, and single calls. */
static void follow(const test_case *c, latmc_update update, const char *device)
{
    const int64_t n = c->shape->replicas;
    const latmc_param first = (latmc_param)c->model->params[0];
    latmc_lattice *lattice = suite_started(c, 0, n, device, 0),
                  *twin = suite_started(c, 0, n, "cpu:scalar", 1);
    keeper k = keeper_of(lattice, c->model);

    ok(latmc_keep_best(lattice, 1));
    lattice = resumed(lattice, device); /* when there are none */
    record(lattice, update, &k, twin);
    compare_best(&k, lattice, "a record");
    ramp(lattice, first, 0.75, 2 * BETWEEN * RECORDS);
    ramp(twin, first, 0.75, 2 * BETWEEN * RECORDS);
    record(lattice, update, &k, twin);
    compare_best(&k, lattice, "a ramp");
    lattice = resumed(lattice, device);
    compare_best(&k, lattice, "a save");
    record(lattice, update, &k, twin);
    compare_best(&k, lattice, "a ramp after a save");
    ok(latmc_set_device(lattice, "cpu:scalar"));
    compare_best(&k, lattice, "another device");
    ok(latmc_sweep(lattice, update, SWEEPS));
    ok(latmc_sweep(twin, update, SWEEPS));
    keeper_look(&k, twin);
    for (int i = 0; i < 2; i++) {
        latmc_lattice *l = i ? twin : lattice;

        ok(set_round(l, update, 1, 1));
    }
    record(lattice, LATMC_SCHEDULE, &k, twin);
    compare_best(&k, lattice, "exchanges");
    change_energies(&lattice, twin, c, update, &k, device);
    assert_true(hash_of(lattice) == hash_of(twin));
    keeper_end(&k);
    latmc_destroy(lattice);
    latmc_destroy(twin);
}

static void the_best_are_kept(void **state)
{
    const suite_stage *on = suite_stage_of(state);
    const test_model *m = on->model;
    int seen = 0;

    for (const shape *s = m->shapes; s->dims; s++) {
        const test_variant *v = &m->variants[0];
        test_case c = suite_case(m, s, v);

        while (v->name && (v - m->variants) % 3 != (s - m->shapes) % 3)
            v++;
        if (v->name)
            c = suite_case(m, s, v);
        else
            v = &m->variants[0];
        c.number = (int)(s - m->shapes);
        if (c.number % 3 || !suite_serves(&c, v->update))
            continue;
        follow(&c, v->update, on->device);
        seen++;
    }
    assert_true(seen > 0);
}

/* ---- the calls */

static void calls_check_their_arguments(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_status no = LATMC_ERROR_ARGUMENT, not_yet = LATMC_ERROR_STATE;
    latmc_lattice *lat = suite_rich(m, m->rich), *unstarted = NULL;
    const latmc_lattice_info info = info_of(lat);
    const int64_t count = info.sites * info.components;
    const latmc_type type = (latmc_type)info.type;
    double *sites = suite_room(count, sizeof *sites), energies[RICH_REPLICAS] = {77, 77};
    int64_t sweeps[RICH_REPLICAS] = {77, 77};

    ok(latmc_create(&unstarted, m->id, 1, (int64_t[]){8}));
    refused(not_yet, "no sites", latmc_keep_best(unstarted, 1));
    refused(not_yet, "latmc_keep_best", latmc_get_best(lat, energies, sweeps));
    refused(not_yet, "latmc_keep_best", get_best_replica(lat, 0, type, sites, count));
    refused(no, "keep is 2", latmc_keep_best(lat, 2));
    refused(no, "keep is -1", latmc_keep_best(lat, -1));
    assert_true(energies[0] == 77 && sweeps[0] == 77);
    ok(latmc_keep_best(lat, 1));
    ok(latmc_get_best(lat, energies, sweeps));
    assert_true(isnan(energies[0]) && isnan(energies[1]) && sweeps[0] == -1 && sweeps[1] == -1);
    refused(not_yet, "of replica 1 was compared", get_best_replica(lat, 1, type, sites, count));
    refused(no, "all arrays are NULL", latmc_get_best(lat, NULL, NULL));
    refused(no, "sites is NULL", get_best_replica(lat, 0, type, NULL, count));
    refused(no, "first is 2", get_best_replica(lat, 2, type, sites, count));
    refused(no, "first is -1", get_best_replica(lat, -1, type, sites, count));
    refused(no, "bytes is", get_best_replica(lat, 0, type, sites, count + 1));
    refused(LATMC_ERROR_UNKNOWN, "cannot be of type",
            get_best_replica(lat, 0, (latmc_type)0, sites, count));
    latmc_destroy(unstarted);
    latmc_destroy(lat);
    free(sites);
}

/* What sites can be read as, the best ones can. */
static void best_sites_have_all_types(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    latmc_lattice *lat = suite_rich(m, m->rich);
    const latmc_lattice_info info = info_of(lat);
    const int64_t count = info.sites * info.components;
    double *best = suite_room(count, sizeof *best), *now = suite_room(count, sizeof *now);

    ok(latmc_keep_best(lat, 1));
    ok(latmc_sweep(lat, m->rich->update, 0)); /* the sites as they are */
    for (int i = 0; m->types[i]; i++) {
        memset(best, 0, (size_t)count * sizeof *best);
        memset(now, 0, (size_t)count * sizeof *now);
        ok(get_best_replica(lat, 1, (latmc_type)m->types[i], best, count));
        ok(get_replica(lat, 1, (latmc_type)m->types[i], now, count));
        assert_memory_equal(best, now, (size_t)count * sizeof *best);
    }
    free(best);
    free(now);
    latmc_destroy(lat);
}

static int stop(void *user, int64_t done, int64_t total)
{
    (void)user;
    (void)done;
    (void)total;
    return 1;
}

/* A start begins anew, and so does the call; a sweep that was stopped looks at nothing. */
static void keeping_begins_anew(void **state)
{
    const test_model *m = suite_stage_of(state)->model;
    const latmc_update update = m->rich->update;
    latmc_lattice *lat = suite_rich(m, m->rich);
    int64_t sweeps[RICH_REPLICAS];

    ok(latmc_keep_best(lat, 1));
    ok(latmc_set_progress(lat, stop, NULL));
    assert_int_equal(latmc_sweep(lat, update, 4), LATMC_CANCELLED);
    ok(latmc_get_best(lat, NULL, sweeps));
    assert_int_equal(sweeps[0], -1);
    ok(latmc_set_progress(lat, NULL, NULL));
    ok(latmc_sweep(lat, update, 2));
    ok(latmc_get_best(lat, NULL, sweeps));
    assert_int_equal(sweeps[0], info_of(lat).sweeps);
    ok(latmc_keep_best(lat, 1));
    ok(latmc_get_best(lat, NULL, sweeps));
    assert_int_equal(sweeps[0], -1);
    ok(latmc_sweep(lat, update, 1));
    ok(latmc_start(lat, LATMC_START_COLD));
    ok(latmc_get_best(lat, NULL, sweeps));
    assert_int_equal(sweeps[0], -1);
    ok(latmc_keep_best(lat, 0));
    refused(LATMC_ERROR_STATE, "latmc_keep_best", latmc_get_best(lat, NULL, sweeps));
    latmc_destroy(lat);
}

int main(void)
{
    static const suite_test tests[] = {
        SUITE_ON_DEVICES(the_best_are_kept),
        SUITE_TEST(calls_check_their_arguments),
        SUITE_TEST(best_sites_have_all_types),
        SUITE_TEST(keeping_begins_anew),
    };

    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
