/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file devices.h
 * @brief Devices, threads and division.
 *
 * This header is a section of latmc.h, which includes it. What latmc.h says about all functions
 * holds here, too.
 */
#ifndef LATMC_DEVICES_H
#define LATMC_DEVICES_H

#include "latmc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ------------------------------------------------------------------ devices */

/** A device. The caller sets `size` to sizeof(latmc_device_info) before the call. */
typedef struct latmc_device_info {
    size_t size;      /**< sizeof(latmc_device_info) as the caller was compiled */
    int32_t usable;   /**< 1 if latmc_set_device() takes it, otherwise 0 */
    int32_t reserved; /**< 0 */
    char name[32];    /**< for latmc_set_device(), such as "cpu:avx2" or "cuda:0" */
    char text[224];   /**< what it is, or why it cannot be used */
} latmc_device_info;

/** Returns the number of known devices, usable or not. The list is made once per process. */
LATMC_API int latmc_count_devices(void);

/** Describes device number `index`. The best choice comes first. */
LATMC_API LATMC_CHECKED latmc_status latmc_describe_device(int index, latmc_device_info *info);

/** Chooses the device or devices of a lattice: "auto", "cpu" (its best instruction set),
 *  "cpu:scalar", "cpu:avx2", "cpu:avx512", "cpu:neon" or "cuda:0". "cuda:0,1", "cuda:0-3" and
 *  "cuda:all" are several devices of one kind, at most 64; a device may come twice. The lattice is
 *  then divided among them (latmc_set_division(), latmc_get_part()), which changes no result. The
 *  call is allowed at any time. After a move in mid-run the trajectory continues bit for bit.
 *
 *  "auto" is the first usable GPU that has the model, otherwise "cpu". The environment variable
 *  LATMC_DEVICE replaces "auto" and nothing else. The function returns ::LATMC_ERROR_NO_DEVICE,
 *  with the reason, if the device cannot be used. It never takes another device instead. A lattice
 *  that is not yet on a device does not move: only its device is chosen. Such a lattice was not
 *  started, or no call since latmc_load() has needed its device. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_device(latmc_lattice *lattice, const char *device);

/** Reads the name of the lattice's device, such as "cpu:avx512", or of its devices, such as
 *  "cuda:0,1". A lattice that is not yet on a device gives the device that it would get.
 *  @param[out] name at least 32 bytes. A list of many devices needs more; the function then returns
 *         ::LATMC_ERROR_ARGUMENT, and the message gives the number
 *  @param bytes the size of `name` */
LATMC_API LATMC_CHECKED latmc_status latmc_get_device(const latmc_lattice *lattice, char *name,
                                                      size_t bytes);

/** Sets the largest number of host threads that a call may use: 1 to 4096, or 0 for OpenMP's
 *  number. The latter comes from OMP_NUM_THREADS or omp_set_num_threads(). It is limited to the
 *  processors that the calling thread may use. No number changes a result.
 *
 *  A call uses as many threads if its work is worth it; below some hundred microseconds it uses
 *  one. With 0, simultaneous calls share the processors. A number above 0 holds for each lattice by
 *  itself. OMP_THREAD_LIMIT bounds both. Inside the host program's OpenMP parallel regions a call
 *  uses one thread, unless OMP_MAX_ACTIVE_LEVELS allows more. On a CPU the threads sweep; on any
 *  device they store the measurements of a series. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_threads(latmc_lattice *lattice, int threads);

/* ----------------------------------------------------------------- division */

/** How a lattice is divided among several devices. */
typedef enum latmc_division {
    LATMC_DIVIDE_AUTO = 880,  /**< the library chooses; only for latmc_set_division() */
    LATMC_DIVIDE_WHOLE = 881, /**< the lattice is whole, on one device */
    /** Slabs: each device has consecutive layers of the slowest axis, of all replicas. The adjacent
     *  layers are its halo. */
    LATMC_DIVIDE_SLABS = 882,
    LATMC_DIVIDE_REPLICAS = 883 /**< each device has some of the replicas, whole */
} latmc_division;

/** Chooses how a lattice is divided, where both ways are possible. The choice takes effect at the
 *  next latmc_set_device() or latmc_start(). It never changes a result. The preset,
 *  ::LATMC_DIVIDE_AUTO, leaves the choice to the library. The library divides by replicas if the
 *  devices' shares are equal within an eighth, and otherwise by layers. ::LATMC_DIVIDE_WHOLE is
 *  ::LATMC_ERROR_ARGUMENT. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_division(latmc_lattice *lattice,
                                                        latmc_division division);

/** The part of a lattice that one device has. The caller sets `size` to sizeof(latmc_part_info)
 *  before the call. */
typedef struct latmc_part_info {
    size_t size;           /**< sizeof(latmc_part_info) as the caller was compiled */
    int32_t division;      /**< ::latmc_division of the lattice */
    int32_t parts;         /**< number of parts, over all ranks */
    int32_t rank;          /**< the rank whose part this is; 0 without ranks */
    int32_t reserved;      /**< 0 */
    int64_t first_layer;   /**< its first layer along the slowest axis */
    int64_t layers;        /**< number of its layers */
    int64_t first_replica; /**< its first replica, counted from 0 */
    int64_t replicas;      /**< number of its replicas */
    char device[32];       /**< its device, such as "cuda:1"; empty if the part is another rank's */
    const char *reason;    /**< why the lattice is divided in this way, in words */
} latmc_part_info;

/** Reads part number `part` of a lattice; part 0 always exists. The function returns
 *  ::LATMC_ERROR_STATE before latmc_start() or latmc_set_sites(). A loaded lattice has parts once a
 *  call has put it on its device. */
LATMC_API LATMC_CHECKED latmc_status latmc_get_part(const latmc_lattice *lattice, int part,
                                                    latmc_part_info *info);

#ifdef __cplusplus
}
#endif

#endif
