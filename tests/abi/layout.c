/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The layout of every struct that crosses the interface, field by field: what abidiff says
 * again, also of structs that only pass through a void pointer, and on every architecture.
 * That it compiles is the test.
 */
#include <latmc/latmc.h>

#define AT(type, field, where, bytes)                                                              \
    _Static_assert(offsetof(type, field) == (where), #type "." #field " has moved");               \
    _Static_assert(sizeof(((type *)0)->field) == (bytes), #type "." #field " has changed")
#define SIZE(type, bytes) _Static_assert(sizeof(type) == (bytes), #type " has changed")

_Static_assert(sizeof(void *) == 8 && sizeof(size_t) == 8, "the interface is for 64 bits");
_Static_assert(sizeof(latmc_status) == 4 && sizeof(latmc_kind) == 4, "enums are ints");

AT(latmc_description, size, 0, 8);
AT(latmc_description, name, 8, 8);
AT(latmc_description, meaning, 16, 8);
AT(latmc_description, id, 24, 4);
AT(latmc_description, has_couplings, 28, 4);
AT(latmc_description, has_site_fields, 32, 4);
AT(latmc_description, has_exchanges, 36, 4);
AT(latmc_description, distribution, 40, 4);
AT(latmc_description, in_ramps, 44, 4);
AT(latmc_description, in_exchanges, 48, 4);
AT(latmc_description, in_steps, 52, 4);
AT(latmc_description, minimum, 56, 8);
AT(latmc_description, maximum, 64, 8);
AT(latmc_description, preset, 72, 8);
AT(latmc_description, step, 80, 8);
AT(latmc_description, ergodic, 88, 4);
AT(latmc_description, tuned, 92, 4);
AT(latmc_description, param_count, 96, 8);
AT(latmc_description, params, 104, 8);
AT(latmc_description, per_site, 112, 4);
AT(latmc_description, role, 116, 4);
AT(latmc_description, index, 120, 4);
AT(latmc_description, second, 124, 4);
AT(latmc_description, bytes, 128, 4);
AT(latmc_description, bits, 132, 4);
SIZE(latmc_description, 136);

AT(latmc_quantity, observable, 0, 4);
AT(latmc_quantity, index, 4, 4);
AT(latmc_quantity, second, 8, 4);
AT(latmc_quantity, reserved, 12, 4);
SIZE(latmc_quantity, 16);

AT(latmc_device_info, size, 0, 8);
AT(latmc_device_info, usable, 8, 4);
AT(latmc_device_info, reserved, 12, 4);
AT(latmc_device_info, name, 16, 32);
AT(latmc_device_info, text, 48, 224);
SIZE(latmc_device_info, 272);

AT(latmc_lattice_info, size, 0, 8);
AT(latmc_lattice_info, model, 8, 4);
AT(latmc_lattice_info, type, 12, 4);
AT(latmc_lattice_info, dims, 16, 8);
AT(latmc_lattice_info, extents, 24, 64);
AT(latmc_lattice_info, boundaries, 88, 32);
AT(latmc_lattice_info, cells, 120, 8);
AT(latmc_lattice_info, cell_sites, 128, 8);
AT(latmc_lattice_info, bond_types, 136, 8);
AT(latmc_lattice_info, sites, 144, 8);
AT(latmc_lattice_info, components, 152, 8);
AT(latmc_lattice_info, replicas, 160, 8);
AT(latmc_lattice_info, first_replica, 168, 8);
AT(latmc_lattice_info, samples, 176, 8);
AT(latmc_lattice_info, first_sample, 184, 8);
AT(latmc_lattice_info, ladders, 192, 8);
AT(latmc_lattice_info, momenta, 200, 8);
AT(latmc_lattice_info, seed, 208, 8);
AT(latmc_lattice_info, sweeps, 216, 8);
AT(latmc_lattice_info, exchanges, 224, 8);
AT(latmc_lattice_info, steps, 232, 8);
AT(latmc_lattice_info, round_sweeps, 240, 8);
AT(latmc_lattice_info, round_done, 248, 8);
AT(latmc_lattice_info, threads, 256, 8);
AT(latmc_lattice_info, started, 264, 4);
AT(latmc_lattice_info, keeps_best, 268, 4);
AT(latmc_lattice_info, division, 272, 4);
AT(latmc_lattice_info, reserved, 276, 4);
SIZE(latmc_lattice_info, 280);

AT(latmc_derivation, size, 0, 8);
AT(latmc_derivation, series, 8, 8);
AT(latmc_derivation, series_count, 16, 8);
AT(latmc_derivation, count, 24, 8);
AT(latmc_derivation, blocks, 32, 8);
AT(latmc_derivation, function, 40, 8);
AT(latmc_derivation, user, 48, 8);
SIZE(latmc_derivation, 56);

AT(latmc_random_request, size, 0, 8);
AT(latmc_random_request, device, 8, 8);
AT(latmc_random_request, threads, 16, 8);
AT(latmc_random_request, kind, 24, 4);
AT(latmc_random_request, reserved, 28, 4);
AT(latmc_random_request, seed, 32, 8);
AT(latmc_random_request, stream, 40, 8);
AT(latmc_random_request, first, 48, 8);
AT(latmc_random_request, count, 56, 8);
SIZE(latmc_random_request, 64);

AT(latmc_step, size, 0, 8);
AT(latmc_step, update, 8, 4);
AT(latmc_step, reserved, 12, 4);
AT(latmc_step, sweeps, 16, 8);
AT(latmc_step, exchanges, 24, 8);
AT(latmc_step, moves, 32, 8);
AT(latmc_step, param_count, 40, 8);
AT(latmc_step, params, 48, 8);
AT(latmc_step, values, 56, 8);
SIZE(latmc_step, 64);

AT(latmc_disorder_info, size, 0, 8);
AT(latmc_disorder_info, origin, 8, 4);
AT(latmc_disorder_info, distribution, 12, 4);
AT(latmc_disorder_info, seed, 16, 8);
AT(latmc_disorder_info, argument_count, 24, 8);
AT(latmc_disorder_info, arguments, 32, 32);
AT(latmc_disorder_info, values, 64, 64);
SIZE(latmc_disorder_info, 128);

AT(latmc_recording, size, 0, 8);
AT(latmc_recording, update, 8, 4);
AT(latmc_recording, order, 12, 4);
AT(latmc_recording, every, 16, 8);
AT(latmc_recording, records, 24, 8);
AT(latmc_recording, swept, 32, 8);
AT(latmc_recording, quantity_count, 40, 8);
AT(latmc_recording, quantities, 48, 8);
AT(latmc_recording, series, 56, 8);
AT(latmc_recording, pair_count, 64, 8);
AT(latmc_recording, pairs, 72, 8);
AT(latmc_recording, pair_quantity_count, 80, 8);
AT(latmc_recording, pair_quantities, 88, 8);
AT(latmc_recording, pair_series, 96, 8);
AT(latmc_recording, stride, 104, 8);
AT(latmc_recording, statistics, 112, 8);
SIZE(latmc_recording, 120);

AT(latmc_recorded, size, 0, 8);
AT(latmc_recorded, records, 8, 8);
AT(latmc_recorded, swept, 16, 8);
AT(latmc_recorded, not_ergodic, 24, 4);
AT(latmc_recorded, reserved, 28, 4);
SIZE(latmc_recorded, 32);

AT(latmc_estimate, size, 0, 8);
AT(latmc_estimate, value, 8, 8);
AT(latmc_estimate, error, 16, 8);
AT(latmc_estimate, tau_int, 24, 8);
AT(latmc_estimate, tau_error, 32, 8);
AT(latmc_estimate, window, 40, 8);
AT(latmc_estimate, bin_length, 48, 8);
AT(latmc_estimate, too_short, 56, 4);
AT(latmc_estimate, reserved, 60, 4);
SIZE(latmc_estimate, 64);

AT(latmc_scale, size, 0, 8);
AT(latmc_scale, beta, 8, 8);
AT(latmc_scale, sites, 16, 8);
SIZE(latmc_scale, 24);

AT(latmc_momentum, size, 0, 8);
AT(latmc_momentum, k, 8, 8);
SIZE(latmc_momentum, 16);

int main(void)
{
    return 0;
}
