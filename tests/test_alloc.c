/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every allocation of every call fails in turn: LATMC_ERROR_MEMORY each time, and the
 * lattice is as before. Linked with --wrap for the allocating functions.
 */
#include "tests/scene.h"

#include <errno.h>
#include <unistd.h>

static long allocations; /* since arm() */
static long fails_at;    /* 0: none */

static int must_fail(void)
{
    return ++allocations == fails_at;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_aligned_alloc(size_t alignment, size_t bytes);
int __real_posix_memalign(void **out, size_t alignment, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_aligned_alloc(size_t alignment, size_t bytes);
int __wrap_posix_memalign(void **out, size_t alignment, size_t bytes);

void *__wrap_malloc(size_t bytes)
{
    return must_fail() ? NULL : __real_malloc(bytes);
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return must_fail() ? NULL : __real_calloc(count, bytes);
}

void *__wrap_realloc(void *old, size_t bytes)
{
    return must_fail() ? NULL : __real_realloc(old, bytes);
}

void *__wrap_aligned_alloc(size_t alignment, size_t bytes)
{
    return must_fail() ? NULL : __real_aligned_alloc(alignment, bytes);
}

int __wrap_posix_memalign(void **out, size_t alignment, size_t bytes)
{
    return must_fail() ? ENOMEM : __real_posix_memalign(out, alignment, bytes);
}

static void arm(long n)
{
    allocations = 0;
    fails_at = n;
}

static long disarm(void)
{
    fails_at = 0;
    return allocations;
}

static void every_failure_leaves_the_lattice(void **state)
{
    char path[] = "/tmp/latmc-alloc-XXXXXX";
    const saboteur by = {.arm = arm,
                         .disarm = disarm,
                         .status = LATMC_ERROR_MEMORY,
                         .part = "memory",
                         .home = "cpu:scalar",
                         .target = "cpu",
                         .path = path};
    long total = 0;

    (void)state;
    close(mkstemp(path));
    for (size_t i = 0; i < ALL(steps); i++) {
        const long seen = walk(&steps[i], &by);

        total += seen;
        if (seen < steps[i].allocates)
            fail_msg("%s: no allocation was seen; is the program linked with --wrap?",
                     steps[i].name);
    }
    unlink(path);
    print_message("%ld allocations\n", total);
    assert_true(total > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failure_leaves_the_lattice),
    };

    /* Loading chooses "auto", and this is about the library's own memory. */
    setenv("LATMC_DEVICE", "cpu:scalar", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
