/* SPDX-License-Identifier: BSD-3-Clause */
/* A user's program: parallel tempering of a Gaussian glass, with overlaps of two copies a sample.
 */
#include <latmc/latmc.h>

#include <stdio.h>

enum { SAMPLES = 8, COPIES = 2, SLOTS = 8, L = 4, RECORDS = 400 };
enum { REPLICAS = SAMPLES * COPIES * SLOTS, PAIRS = SAMPLES * SLOTS };

static double beta[REPLICAS], energy[REPLICAS][RECORDS], overlaps[2][PAIRS][RECORDS];
static int64_t pairs[PAIRS][2];

static int failed(void)
{
    fprintf(stderr, "%s\n", latmc_error_message());
    return 1;
}

static void choose(void)
{
    for (int r = 0; r < REPLICAS; r++)
        beta[r] = 0.2 + 1.0 * (r % SLOTS) / (SLOTS - 1);
    for (int p = 0; p < PAIRS; p++)
        for (int copy = 0; copy < COPIES; copy++)
            pairs[p][copy] = (p / SLOTS * COPIES + copy) * SLOTS + p % SLOTS;
}

static latmc_status make(latmc_lattice **glass)
{
    const int64_t extents[] = {L, L, L};
    latmc_step step = LATMC_INIT(latmc_step);
    latmc_status status = latmc_create(glass, LATMC_ISING, 3, extents);

    step.update = LATMC_HEATBATH;
    step.sweeps = 1;
    step.exchanges = 1;
    if (status || (status = latmc_set_replicas(*glass, REPLICAS)) ||
        (status = latmc_set_samples(*glass, SAMPLES, 0)) ||
        (status = latmc_set_ladders(*glass, COPIES)) ||
        (status = latmc_draw_bond_couplings(*glass, LATMC_GAUSSIAN, 17, 0, NULL, NULL)) ||
        (status = latmc_set_params(*glass, LATMC_BETA, beta)) ||
        (status = latmc_set_schedule(*glass, 1, &step)))
        return status;
    return latmc_start(*glass, LATMC_START_HOT);
}

static latmc_status run(latmc_lattice *glass, latmc_recorded *done)
{
    const latmc_quantity of_replicas[] = {LATMC_QUANTITY(LATMC_ENERGY)};
    const latmc_quantity of_pairs[] = {LATMC_QUANTITY(LATMC_OVERLAP2),
                                       LATMC_QUANTITY(LATMC_OVERLAP_STRUCTURE, 0)};
    latmc_recording recording = LATMC_INIT(latmc_recording);
    latmc_status status = latmc_sweep(glass, LATMC_SCHEDULE, 1000);

    if (!status)
        status = latmc_reset_exchange_counts(glass);
    recording.update = LATMC_SCHEDULE;
    recording.order = LATMC_BY_SLOT;
    recording.every = 5;
    recording.records = RECORDS;
    recording.quantity_count = 1;
    recording.quantities = of_replicas;
    recording.series = energy[0];
    recording.pair_count = PAIRS;
    recording.pairs = pairs[0];
    recording.pair_quantity_count = 2;
    recording.pair_quantities = of_pairs;
    recording.pair_series = overlaps[0][0];
    return status ? status : latmc_record(glass, &recording, done);
}

/* Prints the energy, <q^2> and the correlation length of a slot; *e is the energy's mean. */
static latmc_status say(int slot, double *e)
{
    double energies[SAMPLES], q2[SAMPLES], f[SAMPLES];
    const double *means[] = {q2, f};
    latmc_momentum momentum = {.size = sizeof momentum, .k = 2 * 3.14159265358979323846 / L};
    const latmc_derivation length = {.size = sizeof length,
                                     .series = means,
                                     .series_count = 2,
                                     .count = SAMPLES,
                                     .function = latmc_correlation_length,
                                     .user = &momentum};
    latmc_estimate of_q2 = LATMC_INIT(latmc_estimate), xi = LATMC_INIT(latmc_estimate);
    latmc_status status = LATMC_OK;

    *e = 0;
    for (int s = 0; s < SAMPLES && !status; s++) {
        latmc_estimate estimates[3] = {LATMC_INIT(latmc_estimate), LATMC_INIT(latmc_estimate),
                                       LATMC_INIT(latmc_estimate)};
        const double *series[] = {energy[s * COPIES * SLOTS + slot], overlaps[0][s * SLOTS + slot],
                                  overlaps[1][s * SLOTS + slot]};

        for (int i = 0; i < 3 && !status; i++)
            status = latmc_analyse(series[i], RECORDS, &estimates[i]);
        energies[s] = estimates[0].value;
        q2[s] = estimates[1].value;
        f[s] = estimates[2].value;
        *e += energies[s] / SAMPLES;
    }
    if (status || (status = latmc_average(q2, SAMPLES, &of_q2)) ||
        (status = latmc_average_derived(&length, &xi)))
        return status;
    printf("beta %.3f  energy %.4f  <q^2> %.4f +- %.4f  xi %.3f +- %.3f\n", beta[slot], *e,
           of_q2.value, of_q2.error, xi.value, xi.error);
    return of_q2.value > 0 && of_q2.value < 1 ? LATMC_OK : latmc_fail(LATMC_ERROR_STATE, "<q^2>");
}

int main(void)
{
    latmc_lattice *glass = NULL;
    latmc_recorded done = LATMC_INIT(latmc_recorded);
    double before = 0, e;
    int64_t offered[REPLICAS], accepted[REPLICAS];

    choose();
    if (make(&glass) || run(glass, &done) || latmc_get_exchange_counts(glass, offered, accepted))
        return failed();
    for (int slot = 0; slot < SLOTS; slot++, before = e) {
        if (say(slot, &e))
            return failed();
        if (e >= before || (slot + 1 < SLOTS && accepted[slot] < 1))
            return fprintf(stderr, "slot %d: energy %g, exchanges %lld\n", slot, e,
                           (long long)accepted[slot]);
    }
    latmc_destroy(glass);
    return done.records != RECORDS || done.not_ergodic;
}
