/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file devices.h
 * @brief Devices, threads and division, and what the library has chosen.
 *
 * This header is a section of latmc.h, which includes it. The rules of latmc.h hold here, too.
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

/** Counts the known devices, usable or not. The list is made once per process. */
LATMC_API LATMC_CHECKED latmc_status latmc_count_devices(int64_t *count);

/** Describes device number `number`, 0 to count - 1. The best choice comes first. */
LATMC_API LATMC_CHECKED latmc_status latmc_describe_device(int64_t number, latmc_device_info *info);

/** Chooses the device or devices of a lattice: "auto", "cpu" (its best instruction set),
 *  "cpu:scalar", "cpu:avx2", "cpu:avx512", "cpu:neon" or "cuda:0". "cuda:0,1", "cuda:0-3" and
 *  "cuda:all" are several devices of one kind, at most 64; a device may come twice. The lattice is
 *  then divided among them (latmc_set_division()), which changes no result. The call is allowed at
 *  any time. After a move in mid-run the trajectory continues bit for bit.
 *
 *  "auto" is the first usable GPU that has the model, otherwise "cpu". The environment variable
 *  LATMC_DEVICE replaces "auto" and nothing else. The function returns ::LATMC_ERROR_NO_DEVICE,
 *  with the reason, if the device cannot be used. It never takes another device instead. A lattice
 *  that is not yet on a device does not move: only its device is chosen. Such a lattice was not
 *  started, or no call since latmc_load() has needed its device. On ranks, each rank may give other
 *  devices. The part of a rank is proportional to its number of devices. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_device(latmc_lattice *lattice, const char *device);

/** Reads the name of the lattice's device, such as "cpu:avx512", or of its devices, such as
 *  "cuda:0,1". On ranks these are the rank's own. A lattice that is not yet on a device gives the
 *  device that it would get.
 *  @param[out] name at least 32 bytes. A list of many devices needs more; the function then returns
 *         ::LATMC_ERROR_ARGUMENT, and the message gives the number
 *  @param capacity the size of `name` in bytes */
LATMC_API LATMC_CHECKED latmc_status latmc_get_device(const latmc_lattice *lattice, char *name,
                                                      size_t capacity);

/** Sets the largest number of host threads that a call may use: 1 to 4096, or 0 for OpenMP's
 *  number. The latter comes from OMP_NUM_THREADS or omp_set_num_threads(). It is limited to the
 *  processors that the calling thread may use. No number changes a result. Ranks may give different
 *  numbers.
 *
 *  A call uses as many threads if its work is worth it; below some hundred microseconds it uses
 *  one. With 0, simultaneous calls share the processors. A number above 0 holds for each lattice by
 *  itself. OMP_THREAD_LIMIT bounds both. Inside the host program's OpenMP parallel regions a call
 *  uses one thread, unless OMP_MAX_ACTIVE_LEVELS allows more. On a CPU the threads sweep; on any
 *  device they store the measurements of a series. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_threads(latmc_lattice *lattice, int64_t threads);

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

/** Chooses how a lattice is divided among several devices. It takes effect at the next
 *  latmc_set_device() or latmc_start(), which refuse a division that is not possible. The choice
 *  never changes a result, and is not saved. With the preset, ::LATMC_DIVIDE_AUTO, the library
 *  divides by replicas if the devices' shares are equal within an eighth, and otherwise in slabs.
 *  If only one way is possible it takes that one. ::LATMC_DIVIDE_WHOLE is
 *  ::LATMC_ERROR_ARGUMENT.
 *
 *  Replicas of one sample with own couplings share a device. Replicas of one ladder share one if
 *  the shares are then equal within an eighth. A device exchanges the slots of whole ladders by
 *  itself. With a ladder on several devices, all devices wait for each other at each exchange. */
LATMC_API LATMC_CHECKED latmc_status latmc_set_division(latmc_lattice *lattice,
                                                        latmc_division division);

/* ---------------------------------------------------------- what was chosen */

/** What the library has chosen for one part of a lattice. A part is what one device has. The caller
 *  sets `size` to sizeof(latmc_choice) before the call. */
typedef struct latmc_choice {
    size_t size;             /**< sizeof(latmc_choice) as the caller was compiled */
    int64_t parts;           /**< number of parts, over all ranks */
    int64_t rank;            /**< the rank whose part this is; 0 without ranks */
    int64_t first_layer;     /**< its first layer along the slowest axis */
    int64_t layers;          /**< number of its layers */
    int64_t first_replica;   /**< its first replica, counted from 0 */
    int64_t replicas;        /**< number of its replicas */
    int64_t phases;          /**< colours, or sub-grids of tiles, in a sweep of the update */
    int64_t threads;         /**< the most host threads of a call, on a CPU; otherwise 0 */
    int64_t host_bytes;      /**< nearly all host memory of the part */
    int64_t device_bytes;    /**< nearly all memory of its GPU; 0 on a CPU */
    int32_t division;        /**< ::latmc_division of the lattice, never ::LATMC_DIVIDE_AUTO */
    int32_t present;         /**< 1 if the part exists; 0 if it is what latmc_start() would make */
    char device[32];         /**< its device, such as "cuda:1" */
    char representation[32]; /**< how sites are kept, such as "words" or "bytes" */
    char kernel[64];    /**< what sweeps them, such as "large"; for reports, not for decisions */
    const char *reason; /**< why the lattice is divided in this way, in words */
} latmc_choice;

/** Reads what the library has chosen for a part of a lattice and an update. Before latmc_start(),
 *  and after latmc_load(), it says what the choice would be, and how much memory it would take.
 *  It takes no such memory. The kernel may depend on parameters, and is that of the present ones.
 *  On ranks the call is not collective. device, kernel and both numbers of bytes are empty or 0 for
 *  parts of other ranks. The function returns ::LATMC_ERROR_NO_DEVICE if the chosen device cannot
 *  be used.
 *  @param part 0 to parts - 1; part 0 always exists
 *  @param update one that the model has, but not ::LATMC_SCHEDULE */
LATMC_API LATMC_CHECKED latmc_status latmc_get_choice(const latmc_lattice *lattice, int64_t part,
                                                      latmc_update update, latmc_choice *choice);

/** Writes a report of a lattice for people: versions, driver, devices, settings, and what
 *  latmc_get_choice() says of each part and update. Send it with a bug report. The text may change
 *  with any version. On ranks the call is not collective.
 *  @param[out] text ends with a 0 byte. NULL asks for the size only
 *  @param capacity size of `text` in bytes; too few bytes are ::LATMC_ERROR_ARGUMENT
 *  @param[out] bytes the size of the text with its 0 byte; NULL: not wanted */
LATMC_API LATMC_CHECKED latmc_status latmc_report(const latmc_lattice *lattice, char *text,
                                                  size_t capacity, size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
