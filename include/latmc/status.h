/* SPDX-License-Identifier: BSD-3-Clause */
/**
 * @file status.h
 * @brief Version, status codes and error messages.
 *
 * This header is the first section of latmc.h, which includes it. It needs no other header of the
 * library.
 */
#ifndef LATMC_STATUS_H
#define LATMC_STATUS_H

#include <stddef.h>
#include <stdint.h>

/** The version of this header, for `#if`. latmc_version() gives the version of the library. */
#define LATMC_VERSION_MAJOR 0
#define LATMC_VERSION_MINOR 1 /**< second number of the version */
#define LATMC_VERSION_PATCH 0 /**< third number of the version */

/** This is 1 if the header has this version or a later one, for `#if`. */
#define LATMC_VERSION_AT_LEAST(major, minor, patch)                                                \
    (LATMC_VERSION_MAJOR != (major)   ? LATMC_VERSION_MAJOR > (major)                              \
     : LATMC_VERSION_MINOR != (minor) ? LATMC_VERSION_MINOR > (minor)                              \
                                      : LATMC_VERSION_PATCH >= (patch))

#if defined(__GNUC__)
#define LATMC_API __attribute__((visibility("default")))
/** The compiler warns if a caller ignores the status. */
#define LATMC_CHECKED __attribute__((warn_unused_result))
#else
#define LATMC_API
#define LATMC_CHECKED
#endif

/** The initializer of a public struct, in C and in C++: `size` is set, and all other members are 0.
 *  `latmc_estimate e = LATMC_INIT(latmc_estimate);` is an example. In C an assignment has the type
 *  in front: `e = (latmc_estimate)LATMC_INIT(latmc_estimate);` */
#ifdef __cplusplus
#define LATMC_INIT(type)                                                                           \
    ([] {                                                                                          \
        type latmc_made{};                                                                         \
        latmc_made.size = sizeof latmc_made;                                                       \
        return latmc_made;                                                                         \
    }())
#else
#define LATMC_INIT(type)                                                                           \
    {                                                                                              \
        .size = sizeof(type)                                                                       \
    }
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** The list of statuses: name, value, sentence. Values never change and are never reused. */
#define LATMC_STATUS_LIST(X)                                                                       \
    X(LATMC_OK, 0, "success")                                                                      \
    X(LATMC_CANCELLED, 1, "the progress callback stopped the call")                                \
    X(LATMC_ERROR_ARGUMENT, 10, "an argument is missing or outside its range")                     \
    X(LATMC_ERROR_UNKNOWN, 11, "the model has nothing of that name or number")                     \
    X(LATMC_ERROR_STATE, 12, "the call is not possible in the lattice's state")                    \
    X(LATMC_ERROR_MEMORY, 20, "the host has not enough memory")                                    \
    X(LATMC_ERROR_DEVICE_MEMORY, 21, "the device has not enough memory")                           \
    X(LATMC_ERROR_NO_DEVICE, 30, "the device cannot be used")                                      \
    X(LATMC_ERROR_DEVICE, 31, "the device failed")                                                 \
    X(LATMC_ERROR_IO, 40, "a file could not be read or written")                                   \
    X(LATMC_ERROR_FORMAT, 41, "the data is not a saved lattice")                                   \
    X(LATMC_ERROR_VERSION, 42, "the saved lattice has a version or a part that is not known")      \
    X(LATMC_ERROR_DAMAGED, 43, "the saved lattice is damaged or truncated")

/** The result of a call. */
typedef enum latmc_status {
#define LATMC_STATUS_ENUM(name, value, text) name = value,
    LATMC_STATUS_LIST(LATMC_STATUS_ENUM)
#undef LATMC_STATUS_ENUM
} latmc_status;

/** Returns the status's name, such as "LATMC_ERROR_IO". For a number that is no status it returns
 *  "LATMC_UNKNOWN_STATUS". */
LATMC_API const char *latmc_status_name(latmc_status status);

/** Returns the status's sentence. */
LATMC_API const char *latmc_status_text(latmc_status status);

/** Returns what went wrong in the calling thread's last call that failed: what was given and what
 *  is allowed. The string is never NULL, and empty before the first failure. It is valid until the
 *  next failure in the same thread. ::LATMC_CANCELLED counts as a failure here: the message then
 *  says how many sweeps were made. */
LATMC_API const char *latmc_error_message(void);

/** Records a failure as the calling thread's last one. It is for libraries that are built on this
 *  one and return its statuses, as the functions of <latmc/mpi.h> do.
 *  @param status ::LATMC_OK changes nothing
 *  @param message the text that latmc_error_message() will return. Only the first 1023 bytes are
 *         kept. NULL stands for the status's sentence
 *  @return `status` */
LATMC_API latmc_status latmc_fail(latmc_status status, const char *message);

/** Returns the library's version, such as "0.1.0". */
LATMC_API const char *latmc_version(void);

#ifdef __cplusplus
}
#endif

#endif
