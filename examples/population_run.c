/* SPDX-License-Identifier: BSD-3-Clause */
/* A step of population annealing: weights, systematic resampling, sweeps, and measurements. */
#include <math.h>
#include <stdlib.h>

#include "cli.h"
#include "population.h"
#include "stop.h"

static void measure_energies(population *p)
{
    const latmc_quantity energy = LATMC_QUANTITY(LATMC_ENERGY);

    cli_run(latmc_observe(p->lattice, LATMC_BY_REPLICA, 1, &energy, p->energies));
    for (int64_t r = 0; r < p->replicas; r++)
        p->energies[r] *= (double)p->sites;
}

population population_begin(latmc_lattice *lattice, uint64_t seed)
{
    latmc_lattice_info info = LATMC_INIT(latmc_lattice_info);
    population p = {.lattice = lattice, .seed = seed};

    cli_run(latmc_get_lattice_info(lattice, &info));
    p.replicas = info.replicas;
    p.sites = info.sites;
    p.ln_z = (double)p.sites * log(2.0);
    p.energies = cli_memory(p.replicas, sizeof *p.energies);
    p.weights = cli_memory(p.replicas, sizeof *p.weights);
    p.from = cli_memory(p.replicas, sizeof *p.from);
    p.family = cli_memory(p.replicas, sizeof *p.family);
    p.inherited = cli_memory(p.replicas, sizeof *p.inherited);
    for (int64_t r = 0; r < p.replicas; r++)
        p.family[r] = r;
    cli_run(latmc_set_param(lattice, LATMC_BETA, 0));
    cli_run(latmc_start(lattice, LATMC_START_HOT));
    measure_energies(&p);
    return p;
}

void population_end(population *p)
{
    free(p->energies);
    free(p->weights);
    free(p->from);
    free(p->family);
    free(p->inherited);
}

static int64_t group_of(const population *p, int64_t replica)
{
    return p->family[replica] * POPULATION_GROUPS / p->replicas;
}

/* Weights exp(-step E), all over the largest of them. Returns their sum, and the largest one's
 * logarithm. */
static double weigh(population *p, double step, double *largest)
{
    double sum = 0;

    *largest = -INFINITY;
    for (int64_t r = 0; r < p->replicas; r++)
        *largest = fmax(*largest, -step * p->energies[r]);
    for (int64_t r = 0; r < p->replicas; r++)
        sum += p->weights[r] = exp(-step * p->energies[r] - *largest);
    return sum;
}

/* What the founders of each group contribute to the partition function. */
static void share(population *p, double sum)
{
    for (int g = 0; g < POPULATION_GROUPS; g++)
        p->shares[g] = 0;
    for (int64_t r = 0; r < p->replicas; r++)
        p->shares[group_of(p, r)] += p->weights[r] / sum * POPULATION_GROUPS;
}

/* Systematic resampling: replica r has as many copies as there are numbers j + u, j = 0, 1, ..,
 * in its part of the line of all weights. */
static void resample(population *p, double sum, double u)
{
    double end = p->weights[0] / sum * (double)p->replicas;
    int64_t r = 0;

    for (int64_t j = 0; j < p->replicas; j++) {
        while (r < p->replicas - 1 && (double)j + u >= end)
            end += p->weights[++r] / sum * (double)p->replicas;
        p->from[j] = r;
    }
}

static void inherit(population *p)
{
    int64_t *const families = p->inherited;

    for (int64_t r = 0; r < p->replicas; r++)
        families[r] = p->family[p->from[r]];
    p->inherited = p->family;
    p->family = families;
}

/* A number in (0, 1) that belongs to the step. */
static double number_of(const population *p, int64_t step)
{
    const latmc_random_request request = {.size = sizeof request,
                                          .device = "cpu",
                                          .kind = LATMC_RANDOM_UNIFORM_DOUBLE,
                                          .seed = p->seed,
                                          .first = step,
                                          .count = 1};
    double u;

    cli_run(latmc_random_fill(&request, &u));
    return u;
}

static double spread_of_shares(const population *p)
{
    double square = 0;

    for (int g = 0; g < POPULATION_GROUPS; g++)
        square += (p->shares[g] - 1) * (p->shares[g] - 1);
    return sqrt(square / (POPULATION_GROUPS * (POPULATION_GROUPS - 1.0)));
}

/* The mean of the population. Its error is that of a ratio: each group has a sum and a size. */
static latmc_estimate mean_energy(const population *p)
{
    latmc_estimate e = LATMC_INIT(latmc_estimate);
    double excess[POPULATION_GROUPS] = {0}, square = 0;

    for (int64_t r = 0; r < p->replicas; r++)
        e.value += p->energies[r] - p->energies[0];
    e.value = p->energies[0] + e.value / (double)p->replicas;
    for (int64_t r = 0; r < p->replicas; r++)
        excess[group_of(p, r)] += (p->energies[r] - e.value) / (double)p->replicas;
    for (int g = 0; g < POPULATION_GROUPS; g++)
        square += excess[g] * excess[g];
    e.error = sqrt(square * POPULATION_GROUPS / (POPULATION_GROUPS - 1.0)) / (double)p->sites;
    e.value /= (double)p->sites;
    return e;
}

/* Members of a family are neighbours. */
static void count_families(const population *p, population_step *measured)
{
    int64_t size = 0;
    double square = 0;

    measured->families = 0;
    for (int64_t r = 0; r < p->replicas; r++) {
        size++;
        if (r < p->replicas - 1 && p->family[r + 1] == p->family[r])
            continue;
        square += (double)size * (double)size;
        measured->families++;
        size = 0;
    }
    measured->rho = square / (double)p->replicas;
}

/* With few effective families the groups' spread says little. */
static void measure(population *p, population_step *measured)
{
    measure_energies(p);
    count_families(p, measured);
    measured->energy = mean_energy(p);
    measured->ln_z = (latmc_estimate)LATMC_INIT(latmc_estimate);
    measured->ln_z.value = p->ln_z;
    measured->ln_z.error = spread_of_shares(p);
    measured->energy.too_short = measured->ln_z.too_short =
        measured->rho * POPULATION_GROUPS > (double)p->replicas;
    if (group_of(p, 0) == group_of(p, p->replicas - 1)) /* one group has no spread */
        measured->energy.error = measured->ln_z.error = NAN;
}

int population_step_to(population *p, int64_t step, double beta, int64_t sweeps,
                       population_step *measured)
{
    double largest;
    const double sum = weigh(p, beta - p->beta, &largest);

    p->ln_z += log(sum / (double)p->replicas) + largest;
    share(p, sum);
    resample(p, sum, number_of(p, step));
    inherit(p);
    cli_run(latmc_copy_replicas(p->lattice, p->from));
    cli_run(latmc_set_param(p->lattice, LATMC_BETA, beta));
    if (stop_after(latmc_sweep(p->lattice, LATMC_METROPOLIS, sweeps)))
        return 0;
    p->beta = measured->beta = beta;
    measure(p, measured);
    return 1;
}
