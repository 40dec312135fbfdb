/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <latmc/latmc.h>

#include "tests/saved.h"

/* ---- memory that the library asks for while it loads */

static int watched;
static size_t asked;

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_malloc(size_t size)
{
    asked += watched ? size : 0;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    asked += watched ? count * size : 0;
    return __real_calloc(count, size);
}

/* Some buffers, and what is in the file a few times: parameters that are missing from it, too. */
static size_t allowance(size_t size)
{
    return ((size_t)1 << 20) + 20 * size;
}

static latmc_status load(const fuzz_input *input, latmc_lattice **lat)
{
    uint8_t *exact = malloc(input->size ? input->size : 1); /* so that a read beyond it is seen */
    latmc_status status;

    if (!exact)
        abort();
    memcpy(exact, input->bytes, input->size);
    asked = 0;
    watched = 1;
    status = latmc_load_memory(lat, exact, input->size);
    watched = 0;
    free(exact);
    return status;
}

/* ---- what can be done with a lattice */

/* What some settings do not allow is refused, and nothing else. */
static int is_refusal(latmc_status status)
{
    return status == LATMC_OK || status == LATMC_ERROR_ARGUMENT || status == LATMC_ERROR_STATE;
}

/* Sweeps of a round, if they are few. */
static int64_t round_of(const latmc_lattice *lat)
{
    latmc_step step = LATMC_INIT(latmc_step);
    int64_t all = 0;

    for (int i = 0; all <= 100 && !latmc_get_step(lat, i, &step); i++)
        all = step.sweeps <= 100 ? all + step.sweeps : 101;
    return all <= 100 ? all : 0;
}

static const char *sweep_all(latmc_lattice *lat, latmc_model model)
{
    latmc_description info = LATMC_INIT(latmc_description);

    for (int i = 0; !latmc_describe(LATMC_UPDATES, model, i, &info); i++)
        if (!is_refusal(latmc_sweep(lat, (latmc_update)info.id, 1)))
            return "a sweep failed";
    if (round_of(lat) && !is_refusal(latmc_sweep(lat, LATMC_SCHEDULE, 2)))
        return "a round failed";
    return NULL;
}

static const char *observe_all(latmc_lattice *lat, latmc_model model, int64_t replicas)
{
    latmc_description info = LATMC_INIT(latmc_description);
    double *values = calloc((size_t)replicas, sizeof *values);
    const char *fault = values ? NULL : "no memory for values";

    for (int i = 0; !fault && !latmc_describe(LATMC_OBSERVABLES, model, i, &info); i++) {
        const latmc_quantity what = LATMC_QUANTITY(info.id);

        if (!is_refusal(latmc_observe(lat, LATMC_BY_REPLICA, 1, &what, values)))
            fault = "an observation failed";
    }
    free(values);
    return fault;
}

/* Saved, loaded and saved again it is the same. */
static const char *save_again(latmc_lattice *lat)
{
    latmc_lattice *copy = NULL;
    fuzz_input first = {NULL, 0}, second = {NULL, 0};
    const char *fault = "it cannot be saved and loaded again";

    if (latmc_save_memory(lat, NULL, 0, &first.size) || !(first.bytes = malloc(first.size)) ||
        latmc_save_memory(lat, first.bytes, first.size, &first.size))
        goto end;
    if (load(&first, &copy) || latmc_save_memory(copy, NULL, 0, &second.size) ||
        second.size != first.size || !(second.bytes = malloc(second.size)) ||
        latmc_save_memory(copy, second.bytes, second.size, &second.size))
        goto end;
    fault = memcmp(first.bytes, second.bytes, first.size) == 0 ? NULL : "saved again it is another";
end:
    free(first.bytes);
    free(second.bytes);
    latmc_destroy(copy);
    return fault;
}

/* Fields that a file brings may be so large that an update overflows; then sites are no numbers,
 * which is no lattice to load. So it is saved before it is swept. */
static const char *use(latmc_lattice *lat)
{
    latmc_lattice_info info = LATMC_INIT(latmc_lattice_info);
    uint64_t hash[2];
    const char *fault = save_again(lat);
    latmc_model model;

    if (latmc_get_lattice_info(lat, &info))
        return "it cannot be asked what it is";
    model = (latmc_model)info.model;
    if (!fault && latmc_state_hash(lat, &hash[0]))
        fault = "it has no hash";
    if (!fault && (latmc_set_device(lat, "cpu:scalar") || latmc_set_threads(lat, 1)))
        fault = "it cannot have a device";
    if (!fault)
        fault = observe_all(lat, model, info.replicas);
    if (!fault && (latmc_state_hash(lat, &hash[1]) || hash[0] != hash[1]))
        fault = "on a device it is another";
    if (!fault)
        fault = sweep_all(lat, model);
    return fault ? fault : observe_all(lat, model, info.replicas);
}

static int outcome_of(latmc_status status)
{
    return status == LATMC_OK              ? FUZZ_LOADED
           : status == LATMC_ERROR_FORMAT  ? FUZZ_FORMAT
           : status == LATMC_ERROR_VERSION ? FUZZ_VERSION
           : status == LATMC_ERROR_DAMAGED ? FUZZ_DAMAGED
                                           : FUZZ_OTHER;
}

int fuzz_try(const fuzz_input *input, const char **fault)
{
    latmc_lattice *const untouched = (latmc_lattice *)(uintptr_t)input, *lat = untouched;
    const latmc_status status = load(input, &lat);

    *fault = NULL;
    if (asked > allowance(input->size))
        *fault = "loading asked for more memory than the file justifies";
    else if (outcome_of(status) == FUZZ_OTHER)
        *fault = "another status than those of files";
    else if (status && lat != untouched)
        *fault = "a refusal has touched the lattice";
    else if (status && strncmp(latmc_error_message(), "latmc_load_memory: ", 19) != 0)
        *fault = "a message without the function's name";
    if (!status) {
        *fault = *fault ? *fault : use(lat);
        latmc_destroy(lat);
    }
    return outcome_of(status);
}

const char *fuzz_check_seed(const fuzz_input *seed)
{
    latmc_lattice *lat = NULL;
    uint64_t hash;
    saved_leaves leaves;
    size_t length = 0;
    uint8_t *sites = saved_find(seed->bytes, seed->size, "sites", &length);
    const char *fault = NULL;

    if (load(seed, &lat))
        return "it cannot be loaded";
    if (latmc_state_hash(lat, &hash) || !sites ||
        !saved_leaves_of(seed->bytes, seed->size, "sites", &leaves) ||
        saved_tree(sites, length, &leaves, 1, 0) != hash)
        fault = "its state hash is not that of its leaves' sums";
    latmc_destroy(lat);
    return fault;
}
