/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * From device to device in mid-run, by a move and by way of memory: the lattice is as one that
 * stayed, in sites, measurements and parameters.
 */
#include "tests/inside.h"
#include "tests/models/suite.h"

/* Saved to memory and loaded: *lattice goes on as another. */
static void resume(latmc_lattice **lattice, const char *device)
{
    size_t bytes;
    void *saved = save_whole(*lattice, &bytes);

    latmc_destroy(*lattice);
    ok(latmc_load_memory(lattice, saved, bytes));
    ok(latmc_set_device(*lattice, device));
    free(saved);
}

/* Also with a parameter that was tuned. */
static void advance(latmc_lattice *lattice, const test_model *m, latmc_update update)
{
    ok(latmc_sweep(lattice, update, 2));
    if (m->tuned && suite_has(m->tuning_updates, (int)update))
        ok(latmc_tune(lattice, update, 1, 0.5));
}

static void compare(const test_case *c, const test_variant *v, latmc_lattice *stays,
                    latmc_lattice *moves, const char *when)
{
    const char *what = suite_difference(stays, moves, c->model);
    char device[32];

    ok(latmc_get_device(moves, device, sizeof device));
    if (what)
        fail_msg("%s, %s, shape %d, %s on %s: other %s", c->model->name, v->name, c->number, when,
                 device, what);
}

static void moved_is_stayed(const test_case *c, const test_variant *v)
{
    latmc_lattice *stays = suite_started(c, 0, c->shape->replicas, "cpu:scalar", 1);
    latmc_lattice *moves = suite_started(c, 0, c->shape->replicas, "cpu:scalar", 1);

    for (int64_t d = 0; d < 2 * known_devices(); d++) {
        latmc_device_info info = {.size = sizeof info};
        ok(latmc_describe_device(d / 2, &info));
        if (!info.usable || !has_model(info.name, (int)c->model->id))
            continue;
        if (d % 2)
            resume(&moves, info.name);
        else
            ok(latmc_set_device(moves, info.name));
        compare(c, v, stays, moves, d % 2 ? "loaded" : "moved");
        advance(stays, c->model, v->update);
        advance(moves, c->model, v->update);
        compare(c, v, stays, moves, "swept");
    }
    latmc_destroy(stays);
    latmc_destroy(moves);
}

static void moving_and_resuming(void **state)
{
    const test_model *m = suite_stage_of(state)->model;

    for (int i = 0; m->shapes[i].dims; i++)
        for (int j = 0; m->variants[j].name; j++) {
            test_case c = suite_case(m, &m->shapes[i], &m->variants[j]);
            c.number = i;
            if ((i + j) % m->moves_one_of == 0 && suite_serves(&c, m->variants[j].update))
                moved_is_stayed(&c, &m->variants[j]);
        }
}

/* To a device and back, one replica at a time, some that begin in the middle of a word, and all
 * that go at once. */
static void move_in_blocks(latmc_lattice *lattice, const char *device)
{
    const latmc_lattice_info info = info_of(lattice);
    const int64_t each = info.sites * info.components;
    const int64_t blocks[] = {1, 5 * each + 1, 33 * each, 0};
    const uint64_t hash = hash_of(lattice);

    for (size_t i = 0; i < ALL(blocks); i++) {
        inside_chunk(lattice, blocks[i]);
        ok(latmc_set_device(lattice, device));
        assert_true(hash_of(lattice) == hash);
        inside_chunk(lattice, blocks[(i + 1) % ALL(blocks)]);
        assert_true(hash_of(lattice) == hash);
        ok(latmc_set_device(lattice, "cpu:scalar"));
        assert_true(hash_of(lattice) == hash);
    }
}

static void ensembles_move_in_blocks(void **state)
{
    const suite_stage *on = suite_stage_of(state);

    for (int i = 0; on->model->large[i].dims; i++) {
        latmc_lattice *lattice = suite_ensemble(on, i, "cpu:scalar");

        if (!lattice)
            continue;
        move_in_blocks(lattice, on->device);
        latmc_destroy(lattice);
    }
}

int main(void)
{
    static const suite_test tests[] = {SUITE_TEST(moving_and_resuming),
                                       SUITE_ON_DEVICES(ensembles_move_in_blocks)};

    inside_share_all(1);
    return suite_run(NULL, tests, ALL(tests), NULL, NULL);
}
