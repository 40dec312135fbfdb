/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Loads the library, has it make threads, unloads it, and again: unload LIBRARY. A program without
 * OpenMP, which would otherwise keep that library loaded.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>

#include <latmc/latmc.h>

/* The address of a function, as its own type. */
#define FIND(library, name)                                                                        \
    __typeof__(name) *name##_;                                                                     \
    *(void **)&name##_ = dlsym(library, #name)

static int use(void *library)
{
    const int64_t extents[3] = {48, 48, 48};
    latmc_lattice *lattice = NULL;
    latmc_status status;
    FIND(library, latmc_create);
    FIND(library, latmc_set_device);
    FIND(library, latmc_set_threads);
    FIND(library, latmc_start);
    FIND(library, latmc_sweep);
    FIND(library, latmc_destroy);

    status = latmc_create_(&lattice, LATMC_PHI4, 3, extents);
    if (!status)
        status = latmc_set_device_(lattice, "cpu");
    if (!status)
        status = latmc_set_threads_(lattice, 2);
    if (!status)
        status = latmc_start_(lattice, LATMC_START_HOT);
    if (!status)
        status = latmc_sweep_(lattice, LATMC_METROPOLIS, 20);
    latmc_destroy_(lattice);
    return status != LATMC_OK;
}

int main(int argc, char **argv)
{
    for (int round = 0; round < 5; round++) {
        void *library = argc == 2 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;

        if (!library || use(library) || dlclose(library)) {
            fprintf(stderr, "round %d failed\n", round);
            return 1;
        }
        usleep(20000);
    }
    return 0;
}
