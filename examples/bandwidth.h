/* SPDX-License-Identifier: BSD-3-Clause */
/* How fast memory can be read and written, in bytes per nanosecond, measured here and now;
 * NaN where it cannot be measured. */
#ifndef BANDWIDTH_H
#define BANDWIDTH_H

#include <stddef.h>

/* Of the host: a[i] = b[i] + c c[i] over arrays far larger than the caches. */
double bandwidth_host(int threads);

/* Of CUDA device number `index`: copies within its memory, asked of the driver. */
double bandwidth_cuda(int index);

/* Of the same: filling its memory with one number. */
double bandwidth_cuda_store(int index);

/* Memory of CUDA device number `index`, which it keeps until the process ends; NULL: there is none.
 */
void *bandwidth_cuda_memory(int index, size_t bytes);

#endif
