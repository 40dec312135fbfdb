/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that give a call different arguments: every function of the public headers refuses them on
 * all ranks, with the name of the argument, or stands in a list that says why it need not. A
 * function in neither list fails the test. HEADERS is the folder of the headers.
 */
#include "tests/ranks/calls.h"

#include <dirent.h>
#include <unistd.h>

#include "tests/support.h"

enum { RANKS = 3, TEXT = 512 };

/* ---- functions that compare nothing */

static const char alone[] = "it takes no lattice, or makes one that is in one process";
static const char copies[] = "it reads what every rank has, and asks no other rank";
static const char bare[] = "it takes nothing that could differ";
static const char may[] = "ranks may give it different values, as ranks.h says";
static const char table[] = "it hands on to the function of ranks.h; tests/mpi has it";

static const struct {
    const char *name, *reason;
} others[] = {
    {"latmc_status_name", alone},
    {"latmc_status_text", alone},
    {"latmc_error_message", alone},
    {"latmc_fail", alone},
    {"latmc_version", alone},
    {"latmc_count", alone},
    {"latmc_describe", alone},
    {"latmc_find", alone},
    {"latmc_count_devices", alone},
    {"latmc_describe_device", alone},
    {"latmc_create", alone},
    {"latmc_load", alone},
    {"latmc_load_memory", alone},
    {"latmc_random_fill", alone},
    {"latmc_analyse", alone},
    {"latmc_analyse_window", alone},
    {"latmc_autocorrelation", alone},
    {"latmc_average", alone},
    {"latmc_average_derived", alone},
    {"latmc_compare", alone},
    {"latmc_binned", alone},
    {"latmc_jackknife", alone},
    {"latmc_susceptibility", alone},
    {"latmc_specific_heat", alone},
    {"latmc_binder", alone},
    {"latmc_correlation_length", alone},
    {"latmc_spin_glass_susceptibility", alone},
    {"latmc_propose_ladder", alone},
    {"latmc_destroy", "it is not collective"},
    {"latmc_get_option", copies},
    {"latmc_get_params", copies},
    {"latmc_get_bond_type_couplings", copies},
    {"latmc_get_lattice_info", copies},
    {"latmc_get_device", copies},
    {"latmc_get_step", copies},
    {"latmc_get_exchange_counts", copies},
    {"latmc_quantity_sizes", copies},
    {"latmc_quantity_find", copies},
    {"latmc_quantity_text", copies},
    {"latmc_get_round_trips", copies},
    {"latmc_get_walks", copies},
    {"latmc_get_ramp", copies},
    {"latmc_get_best", copies},
    {"latmc_get_best_sites", copies},
    {"latmc_sites_bytes", copies},
    {"latmc_get_slots", copies},
    {"latmc_get_momenta", copies},
    {"latmc_get_weights", copies},
    {"latmc_get_bond_couplings", copies},
    {"latmc_get_site_fields", copies},
    {"latmc_get_coupling_info", copies},
    {"latmc_get_field_info", copies},
    {"latmc_get_choice", copies},
    {"latmc_report", copies},
    {"latmc_reset_exchange_counts", bare},
    {"latmc_state_hash", bare},
    {"latmc_set_device", may},
    {"latmc_set_threads", may},
    {"latmc_set_progress", may},
    {"latmc_mpi_create", table},
    {"latmc_mpi_load", table},
    {"latmc_mpi_load_memory", table},
};

/* ---- making the calls */

typedef struct trial {
    latmc_status made, refused, again;
    char message[TEXT];
} trial;

typedef struct trials {
    const call *call;
    trial of[RANKS];
    uint64_t hash[RANKS];
} trials;

static latmc_status open_lattice(const mine *m, const call *c, latmc_lattice **l)
{
    latmc_status status =
        latmc_create_on_ranks(l, m->ranks, c->model, 2, (int64_t[]){CALLS_SIDE, CALLS_SIDE});

    if (!status)
        status = latmc_set_replicas(*l, CALLS_REPLICAS);
    if (!status)
        status = latmc_set_division(*l, LATMC_DIVIDE_SLABS);
    if (!status)
        status = latmc_set_device(*l, "cpu:scalar");
    return status || c->unstarted ? status : latmc_start(*l, LATMC_START_HOT);
}

/* Refused where one rank differs; then made by all alike. */
static void try_call(void *user, const latmc_ranks *ranks)
{
    trials *all = user;
    trial *own = &all->of[ranks->rank];
    mine m = {.ranks = ranks};

    own->made = open_lattice(&m, all->call, &m.l);
    if (own->made)
        return;
    m.odd = ranks->rank == 1;
    own->refused = all->call->make(&m);
    snprintf(own->message, TEXT, "%s", latmc_error_message());
    m.odd = 0;
    own->again = all->call->make(&m);
    if (all->call->unstarted && !own->again)
        own->again = latmc_start(m.l, LATMC_START_HOT);
    if (latmc_state_hash(m.l, &all->hash[ranks->rank]))
        all->hash[ranks->rank] = (uint64_t)ranks->rank;
    latmc_destroy(m.l);
}

static void other_arguments_are_refused_by_all(void **state)
{
    (void)state;
    for (int i = 0; i < calls_count; i++) {
        trials all = {.call = &calls[i]};

        alarm(60);
        ranks_run(RANKS, try_call, &all);
        alarm(0);
        for (int r = 0; r < RANKS; r++) {
            const trial *t = &all.of[r];

            if (t->made || t->again)
                fail_msg("%s, rank %d: %s, %s", calls[i].name, r, latmc_status_name(t->made),
                         latmc_status_name(t->again));
            if (t->refused != LATMC_ERROR_STATE || !strstr(t->message, "different arguments") ||
                !strstr(t->message, calls[i].words) || !strstr(t->message, calls[i].name) ||
                strcmp(t->message, all.of[0].message) != 0)
                fail_msg("%s, rank %d: %s (%s)", calls[i].name, r, latmc_status_name(t->refused),
                         t->message);
            assert_true(all.hash[r] == all.hash[0]);
        }
    }
}

/* ---- the headers */

static int is_listed(const char *name)
{
    int called = 0, times = 0;

    for (int i = 0; i < calls_count; i++)
        called |= strcmp(calls[i].name, name) == 0;
    for (size_t i = 0; i < ALL(others); i++)
        times += strcmp(others[i].name, name) == 0;
    return called + times;
}

/* Names of the functions that a text declares: what stands before the first parenthesis. */
static int walk(const char *header, const char *text)
{
    int found = 0;

    for (const char *at = text; (at = strstr(at, "\nLATMC_API ")) != NULL;) {
        const char *end = strchr(at, '('), *begin = end;
        char name[96];

        assert_non_null(end);
        while (strchr("abcdefghijklmnopqrstuvwxyz0123456789_", begin[-1]))
            begin--;
        snprintf(name, sizeof name, "%.*s", (int)(end - begin), begin);
        if (is_listed(name) != 1)
            fail_msg("%s of %s must be in one of the two lists of this test", name, header);
        found++;
        at = end;
    }
    return found;
}

static void every_function_is_listed(void **state)
{
    static char text[1 << 17];
    DIR *folder = opendir(HEADERS);
    int found = 0, called = 0;

    (void)state;
    assert_non_null(folder);
    for (struct dirent *e; (e = readdir(folder));) {
        char path[TEXT];
        FILE *file;
        size_t bytes;

        if (!strstr(e->d_name, ".h"))
            continue;
        snprintf(path, sizeof path, "%s/%s", HEADERS, e->d_name);
        file = fopen(path, "r");
        assert_non_null(file);
        bytes = fread(text, 1, sizeof text - 1, file);
        assert_true(bytes < sizeof text - 1);
        text[bytes] = '\0';
        fclose(file);
        found += walk(e->d_name, text);
    }
    closedir(folder);
    for (int i = 0; i < calls_count; i++) /* rows of one function are neighbours */
        called += i == 0 || strcmp(calls[i].name, calls[i - 1].name) != 0;
    assert_int_equal(found, called + (int)ALL(others));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_function_is_listed),
        cmocka_unit_test(other_arguments_are_refused_by_all),
    };

    return cmocka_run_group_tests_name("what ranks are given", tests, NULL, NULL);
}
