/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that the library is in, as a child: the work that it does, and what the parent expects
 * of it. Whoever includes this defines _GNU_SOURCE.
 */
#ifndef LM_TESTS_HOST_H
#define LM_TESTS_HOST_H

#include <errno.h>
#include <pthread.h>

#include "tests/lib/child.h"

/* ---- in the children */

/* What fails there is written, so that the parent sees it in the place of the right answer. */
#define DO(call)                                                                                   \
    do {                                                                                           \
        if (call)                                                                                  \
            printf("%s: %s\n", #call, latmc_error_message());                                      \
    } while (0)

/*
 * LeakSanitizer asks this. At the end of a process it makes a thread, which one that may not have
 * any cannot, and a child of fork() has what belonged to its parent's threads, which are not in it.
 */
static int leaks_cannot_be_looked_for;
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return leaks_cannot_be_looked_for;
}

/* What the driver of a GPU makes when the library looks for devices. */
static int driver_threads;

static inline int own_threads(void)
{
    return thread_count() - driver_threads;
}

/* Threads that may still be made; none of this once it is negative. */
static int threads_left = -1;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument)
{
    static int (*real)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

    if (!real)
        *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    if (threads_left == 0)
        return EAGAIN;
    if (threads_left > 0)
        threads_left--;
    return real(thread, attributes, start, argument);
}

/* Of a size that is worth some threads, as often as tells one trajectory from another. */
enum { TIMES = LM_SANITIZED ? 1 : 5, ISING_TIMES = LM_SANITIZED ? 2 : 50 };

static inline latmc_lattice *make(latmc_model model, int threads)
{
    const int64_t large[3] = {128, 128, 64}, less[3] = {48, 48, 48};
    const int64_t *extents = model == LATMC_ISING ? large : less;
    latmc_lattice *l = NULL;

    DO(latmc_create(&l, model, 3, extents));
    DO(latmc_set_device(l, "cpu"));
    DO(latmc_set_threads(l, threads));
    DO(latmc_start(l, LATMC_START_HOT));
    return l;
}

static inline uint64_t swept(latmc_model model, int threads)
{
    latmc_lattice *l = make(model, threads);
    uint64_t hash = 0;

    DO(latmc_sweep(l, LATMC_METROPOLIS, model == LATMC_ISING ? ISING_TIMES : TIMES));
    DO(latmc_state_hash(l, &hash));
    latmc_destroy(l);
    return hash;
}

static inline void tell(int threads)
{
    printf("%016llx %016llx\n", (unsigned long long)swept(LATMC_ISING, threads),
           (unsigned long long)swept(LATMC_PHI4, threads));
}

static inline void tell_plainly(int threads)
{
    tell(threads);
}

/* Every thread is one that the library has made, so this is what sees that it has. */
static inline void tell_with_others(int threads)
{
    tell(threads);
    if (own_threads() < 2)
        printf("one thread\n");
}

typedef struct host_scenario {
    const char *name;
    void (*run)(int threads);
} host_scenario;

/* One of those, up to one without a name. */
static inline int be_a_child(const host_scenario *s, const char *name, int threads)
{
    known_devices();
    driver_threads = thread_count() - 1;
    for (; s->name; s++)
        if (strcmp(s->name, name) == 0)
            s->run(threads);
    return 0;
}

/* ---- in the parent */

/* What all should come to. */
static inline const char *right_answer(void)
{
    static child answer;

    if (!answer.text[0]) {
        answer = child_run("plain", "1", NULL, NULL);
        assert_int_equal(answer.status, 0);
        assert_int_equal(strlen(answer.text), 34);
    }
    return answer.text;
}

static inline void expect(const char *scenario, const char *threads, const char *assignment)
{
    const child got = child_run(scenario, threads, NULL, assignment);
    char what[256];

    snprintf(what, sizeof what, "%s, %s threads, %s", scenario, threads,
             assignment ? assignment : "");
    child_wrote(&got, right_answer(), what);
}

#endif
