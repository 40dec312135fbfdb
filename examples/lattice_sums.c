/* SPDX-License-Identifier: BSD-3-Clause */
/* Momenta of structure factors, and weights of sums over sites and bonds: two flags. */
#include "lattice_sums.h"

#include <stdlib.h>
#include <string.h>

#include "lattice_file.h"

/* ---- momenta */

/* Reads the numbers of one momentum, or refuses --momenta. */
static void read_momentum(const char *all, const char *text, int dims, int64_t *n)
{
    const char *rest = text;
    char piece[NAME_BYTES];
    int count = 0;

    while (count < dims && cli_next(&rest, ',', piece, sizeof piece) &&
           cli_integer(piece, INT64_MIN, INT64_MAX, &n[count]))
        count++;
    if (count < dims || rest)
        cli_refuse("--momenta is \"%s\": \"%s\" is not a list of %d whole numbers, one for each "
                   "axis",
                   all, text, dims);
}

void lattice_set_momenta(const char *list, latmc_lattice *lattice)
{
    const int dims = lattice_info(lattice).dims;
    int64_t n[LATMC_MAX_MOMENTA * LATMC_MAX_DIMS], count = 0;
    const char *rest = list;
    char piece[NAME_BYTES], text[QUANTITY_BYTES];

    while (rest && count < LATMC_MAX_MOMENTA && cli_next(&rest, ':', piece, sizeof piece))
        read_momentum(list, piece, dims, n + dims * count++);
    if (rest)
        cli_refuse("--momenta has more than %d momenta", LATMC_MAX_MOMENTA);
    if (count)
        cli_setup(latmc_set_momenta(lattice, count, n), "momenta");
    for (int32_t j = 0; j < count; j++)
        cli_setup(latmc_quantity_text(lattice,
                                      (latmc_quantity)LATMC_QUANTITY(LATMC_STRUCTURE_AT, j), text,
                                      sizeof text),
                  "momenta");
}

/* ---- weights */

/* Weights +1 and -1 by turns along each axis. */
static void set_staggered(latmc_lattice *lattice, int number)
{
    const latmc_lattice_info info = lattice_info(lattice);
    double *weights = cli_memory(info.sites, sizeof *weights);

    for (int64_t i = 0; i < info.sites; i++) {
        int64_t rest = i, sum = 0;

        for (int a = 0; a < info.dims; a++) {
            sum += rest % info.extents[a];
            rest /= info.extents[a];
        }
        weights[i] = sum % 2 ? -1 : 1;
    }
    cli_setup(latmc_set_weights(lattice, number, LATMC_WEIGHT_SITES, 1, weights), "weights");
    free(weights);
}

static void set_from_files(latmc_lattice *lattice, int number, const char *names)
{
    disorder_kind kind = DISORDERS;
    int64_t samples;
    double *weights = lattice_file_read(lattice, &kind, "weights", names, &samples);

    cli_setup(latmc_set_weights(lattice, number,
                                kind == OF_BONDS ? LATMC_WEIGHT_BONDS : LATMC_WEIGHT_SITES, samples,
                                weights),
              "weights");
    free(weights);
}

void lattice_set_weights(const cli_list *list, latmc_lattice *lattice)
{
    for (int i = 0; i < list->count; i++) {
        const char *names = lattice_file_names(list->items[i]);

        if (names)
            set_from_files(lattice, i, names);
        else if (strcmp(list->items[i], "staggered") == 0)
            set_staggered(lattice, i);
        else
            cli_refuse("--weights is \"%s\"; staggered or " LATTICE_FILE_PREFIX "NAME is needed",
                       list->items[i]);
    }
}
