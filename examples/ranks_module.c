/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the module latmc-ranks.so and loads it, if --mpi is given. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include "ranks_table.h"

#define MODULE "latmc-ranks.so"

enum { PATH_BYTES = 4096, PLACES = 3 };

/* The folder of the program, with a slash; "" if the system does not say it. */
static void own_folder(char folder[PATH_BYTES])
{
    const ssize_t bytes = readlink("/proc/self/exe", folder, PATH_BYTES - 1);
    char *slash;

    folder[bytes > 0 ? bytes : 0] = '\0';
    slash = strrchr(folder, '/');
    folder[slash ? slash + 1 - folder : 0] = '\0';
}

/* Beside the program, as in a build; where the program's prefix has it, which may have been moved;
 * where it was installed. LATMC_RANKS, if it is set, is the only place. */
static int list_places(char places[PLACES][PATH_BYTES])
{
    const char *const given = getenv("LATMC_RANKS");
    static char folder[PATH_BYTES];
    int count = 0;

    if (given && *given) {
        snprintf(places[0], PATH_BYTES, "%s", given);
        return 1;
    }
    own_folder(folder);
    if (*folder) {
        snprintf(places[count++], PATH_BYTES, "%.3000s" MODULE, folder);
        if (*RANKS_FROM_PROGRAM)
            snprintf(places[count++], PATH_BYTES, "%.3000s" RANKS_FROM_PROGRAM "/" MODULE, folder);
    }
    snprintf(places[count++], PATH_BYTES, RANKS_FOLDER "/" MODULE);
    return count;
}

/* Parts of MPI that it loads itself must find it, hence RTLD_GLOBAL. */
static const ranks_table *open_module(const char *path)
{
    void *const module = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const ranks_table *const table = module ? dlsym(module, "latmc_ranks_module") : NULL;

    if (!table)
        cli_refuse("--mpi: %s", dlerror());
    if (strcmp(table->version, RANKS_VERSION) != 0)
        cli_refuse("--mpi: \"%s\" is of version %s, and this program of version %s", path,
                   table->version, RANKS_VERSION);
    return table;
}

const ranks_table *ranks_load_module(void)
{
    static char places[PLACES][PATH_BYTES];
    const int count = list_places(places);
    char tried[1024] = "";

    for (int i = 0; i < count; i++) {
        if (access(places[i], F_OK) == 0)
            return open_module(places[i]);
        snprintf(tried + strlen(tried), sizeof tried - strlen(tried), "%s\"%.300s\"",
                 i ? " or " : "", places[i]);
    }
    cli_refuse("--mpi: there is no %s, which a build with MPI installs (Meson's option mpi)",
               tried);
}
