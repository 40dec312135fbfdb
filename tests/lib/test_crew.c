/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The crew and its teams: every chunk is done once, no job is done after it is over, nobody waits
 * for a thread that does not run, callers do not get into each other's way. All of it is run under
 * ThreadSanitizer, too (tests/lib/races.sh).
 */

#define _GNU_SOURCE
#include <dirent.h>
#include <sys/syscall.h>

#include "tests/inside.h"
#include "tests/lib/child.h"
#include "tests/lib/crew.h"

/* ---- the crew */

/* What jobs write: number `call` of a worker's calls writes slots[call]. */
static _Atomic int slots[20000 * TIMES];

static void write_slot(void *shared, int number)
{
    _Atomic int *slot = shared;

    for (int i = 0; i < number % 64; i++)
        atomic_fetch_add(slot, 0);
    atomic_fetch_add(slot, number + 1);
}

/* A job that was settled is done or will never be, and has its own argument and number. Most are
 * settled at once, some after they have begun. */
static void jobs_are_done_in_their_time_or_never(void **state)
{
    static int seen[ALL(slots)];
    const int calls = (int)ALL(slots);
    lm_worker *w;
    int done = 0;

    (void)state;
    if (lm_crew_take(1, MOST - 1, 0, &w) == 0)
        skip();
    for (int i = 0; i < calls; i++) {
        lm_crew_call(w, write_slot, &slots[i], i);
        for (int k = 0; k < i % 1000; k++)
            seen[i] = atomic_load(&slots[i]);
        while (i % 1000 == 999 && !atomic_load(&slots[i]))
            usleep(10);
        lm_crew_recall(w);
        seen[i] = atomic_load(&slots[i]);
    }
    lm_crew_give_back(w);
    usleep(50000);
    for (int i = 0; i < calls; i++) {
        assert_int_equal(slots[i], seen[i]);
        assert_true(seen[i] == 0 || seen[i] == i + 1);
        done += seen[i] != 0;
    }
    print_message("%d of %d jobs done\n", done, calls);
    assert_true(done >= calls / 1000);
}

/* ---- laps */

typedef struct counting {
    int64_t chunks;
    int64_t *done;       /* of each chunk */
    const int64_t *last; /* what was done in the lap before */
    _Atomic int64_t members;
    _Atomic int twice; /* members of one number at the same time */
    _Atomic int here[MOST];
} counting;

/* Chunk k reads what others have written in the lap before. */
static void count_some(lm_member *m, const void *shared)
{
    counting *c = (counting *)(uintptr_t)shared;
    int64_t k;

    atomic_fetch_add(&c->members, 1);
    if (atomic_fetch_add(&c->here[m->thread], 1))
        c->twice = 1;
    while (lm_team_take(m, c->chunks, &k))
        c->done[k] += 1 + c->last[c->chunks - 1 - k];
    atomic_fetch_sub(&c->here[m->thread], 1);
}

/* Rounds of many sizes, in which every chunk is done once. Returns how many members came. */
static int64_t count_laps(lm_team *team, int laps)
{
    enum { ROOM = 300 };
    static const int64_t sizes[] = {1, 2, 3, 4, 5, 17, 64, 300};
    int64_t *numbers = calloc(2 * ROOM, sizeof *numbers), members = 0;

    for (int i = 0; i < laps; i++) {
        counting c = {.chunks = sizes[i % (int)ALL(sizes)]};

        c.last = numbers + i % 2 * ROOM;
        c.done = numbers + (1 - i % 2) * ROOM;
        for (int64_t k = 0; k < ROOM; k++)
            c.done[k] = 0;
        if (i % (int)ALL(sizes) == 0)
            for (int64_t k = 0; k < ROOM; k++)
                numbers[i % 2 * ROOM + k] = 0;
        lm_team_lap(team, count_some, &c);
        for (int64_t k = 0; k < c.chunks; k++)
            if (c.done[k] != 1 + c.last[c.chunks - 1 - k] || c.twice)
                return -1;
        members += c.members;
    }
    free(numbers);
    return members;
}

static void every_chunk_is_done_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= MOST; threads++) {
        const int laps = 2000 * TIMES, gathered = 200;
        int64_t members;
        lm_team team;

        lm_team_gather(&team, 0, MOST, threads);
        assert_true(team.threads <= threads);
        members = count_laps(&team, laps);
        assert_true(members >= laps && members <= laps * team.threads);
        print_message("%d threads: %.2f members a lap\n", threads, (double)members / laps);
        lm_team_waits = 1;
        assert_int_equal(count_laps(&team, gathered), gathered * team.threads);
        lm_team_waits = 0;
        lm_team_dismiss(&team);
    }
}

static void *gather_and_count(void *argument)
{
    int64_t *members = argument;

    for (int i = 0; i < 200 && *members >= 0; i++) {
        lm_team team;

        lm_team_gather(&team, 0, MOST, 2 + i % (MOST - 1));
        *members = count_laps(&team, 3 * TIMES);
        lm_team_dismiss(&team);
    }
    return NULL;
}

static void callers_share_the_crew(void **state)
{
    enum { CALLERS = 5 };
    pthread_t callers[CALLERS];
    int64_t members[CALLERS] = {0};

    (void)state;
    for (int i = 0; i < CALLERS; i++)
        assert_int_equal(pthread_create(&callers[i], NULL, gather_and_count, &members[i]), 0);
    for (int i = 0; i < CALLERS; i++)
        pthread_join(callers[i], NULL);
    for (int i = 0; i < CALLERS; i++)
        assert_true(members[i] > 0);
}

/* A caller that comes and goes when it likes. */
static void *come_and_go(void *argument)
{
    int64_t *members = argument;

    for (int64_t i = *members; *members >= 0 && i % 4 != 3; i++) {
        lm_team team;

        lm_team_gather(&team, i % 5 == 0 ? MOST : 0, MOST, 2 + (int)(i % (MOST - 1)));
        *members = count_laps(&team, 3);
        lm_team_dismiss(&team);
        usleep((unsigned)(i * 37 % 200));
    }
    return NULL;
}

/* The crew ends with the last of its callers, while others come. Asked first, since this thread,
 * once it has called the crew, is one that never leaves. */
static void the_crew_goes_with_its_callers(void **state)
{
    enum { CALLERS = 3, TURNS = 150 * TIMES };
    pthread_t callers[CALLERS];
    int64_t members[CALLERS];
    int64_t nothing = 3;
    int before;

    (void)state;
    assert_int_equal(pthread_create(&callers[0], NULL, come_and_go, &nothing), 0);
    pthread_join(callers[0], NULL);
    usleep(10000);
    before = thread_count(); /* a sanitizer's own, which comes with the first one, among them */
    for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < CALLERS; i++) {
            members[i] = turn + i;
            assert_int_equal(pthread_create(&callers[i], NULL, come_and_go, &members[i]), 0);
            usleep((unsigned)(turn * 59 % 300));
        }
        for (int i = 0; i < CALLERS; i++) {
            pthread_join(callers[i], NULL);
            assert_true(members[i] >= 0);
        }
        if (turn % 10 == 0) { /* else the next ones come while the last ones' crew ends */
            for (int k = 0; k < 5000 && thread_count() > before && !threads_are_kept(); k++)
                usleep(1000);
            assert_true(thread_count() == before || threads_are_kept());
        }
    }
}

/* Where threads were asked for every caller has that many, however many others have. */
static void *gather_own(void *argument)
{
    static _Atomic int there;
    int *threads = argument;
    lm_team team;

    lm_team_gather(&team, MOST, MOST, MOST);
    atomic_fetch_add(&there, 1);
    while (atomic_load(&there) < *threads)
        usleep(1000);
    *threads = count_laps(&team, 100) < 0 ? -1 : team.threads;
    lm_team_dismiss(&team);
    return NULL;
}

static void callers_have_what_they_asked_for(void **state)
{
    enum { CALLERS = 3 };
    pthread_t callers[CALLERS];
    int threads[CALLERS];
    lm_team preset;

    (void)state;
    lm_team_gather(&preset, 0, MOST, MOST);
    if (preset.threads == 1)
        skip();
    for (int i = 0; i < CALLERS; i++) {
        threads[i] = CALLERS;
        assert_int_equal(pthread_create(&callers[i], NULL, gather_own, &threads[i]), 0);
    }
    for (int i = 0; i < CALLERS; i++) {
        pthread_join(callers[i], NULL);
        assert_int_equal(threads[i], MOST);
    }
    lm_team_dismiss(&preset);
}

static int64_t *done_in_last;

static void mark_chunks(lm_member *m, const void *shared)
{
    int64_t k;

    while (lm_team_take(m, *(const int64_t *)shared, &k))
        done_in_last[k]++;
}

/* A part that no lap of 2^32 has touched is not taken for one of the lap that has its number.
 */
static void rounds_are_told_apart_for_ever(void **state)
{
    int64_t done[64] = {0}, chunks = (int64_t)ALL(done), one = 1;
    lm_team team;

    (void)state;
    done_in_last = done;
    lm_team_gather(&team, 0, MOST, MOST);
    lm_team_lap(&team, mark_chunks, &chunks);
    team.lap = UINT32_MAX - 2;
    for (int i = 0; i < 3; i++)
        lm_team_lap(&team, mark_chunks, &one);
    for (int i = 0; i < 6; i++)
        lm_team_lap(&team, mark_chunks, &chunks);
    for (size_t k = 1; k < ALL(done); k++)
        assert_int_equal(done[k], 1 + 6);
    assert_int_equal(done[0], 1 + 3 + 6);
    lm_team_dismiss(&team);
}

/* ---- threads that do not run */

static _Atomic int stopped, let_go;

static void stop_here(int signal)
{
    (void)signal;
    atomic_fetch_add(&stopped, 1);
    while (!atomic_load(&let_go))
        usleep(1000);
    atomic_fetch_sub(&stopped, 1);
}

/* Stops all threads but this one, wherever they are. */
static int stop_the_others(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int others = 0;

    assert_non_null(tasks);
    for (struct dirent *e; (e = readdir(tasks));) {
        const int id = atoi(e->d_name);

        if (id > 0 && id != getpid()) {
            syscall(SYS_tgkill, getpid(), id, SIGPROF);
            others++;
        }
    }
    closedir(tasks);
    while (atomic_load(&stopped) < others)
        usleep(1000);
    return others;
}

/* Rounds are done by the caller alone, and the others come when they run again. */
static void nobody_waits_for_who_does_not_run(void **state)
{
    const struct sigaction stop = {.sa_handler = stop_here, .sa_flags = SA_RESTART};
    lm_team team;

    (void)state;
#ifdef __SANITIZE_THREAD__
    skip(); /* it delays signals */
#endif
    sigaction(SIGPROF, &stop, NULL);
    lm_team_gather(&team, 0, MOST, MOST);
    if (team.threads == 1)
        skip();
    for (int asleep = 0; asleep < 2; asleep++) {
        const int64_t laps = 100;
        int64_t members = 0;

        if (asleep)
            usleep(100000);
        else
            count_laps(&team, 10);
        let_go = 0;
        assert_true(stop_the_others() >= team.threads - 1);
        members = count_laps(&team, (int)laps);
        assert_int_equal(members, laps);
        let_go = 1;
        while (atomic_load(&stopped) > 0)
            usleep(1000);
        for (int i = 0; i < 10000 && members <= laps; i++)
            members = count_laps(&team, (int)laps);
        assert_true(members > laps);
    }
    lm_team_dismiss(&team);
}

/* ---- how many */

static void the_size_follows_the_work(void **state)
{
    const lm_team_worth tests = lm_worth;

    (void)state;
    lm_worth = (lm_team_worth){.call = 200, .call_share = 50, .lap_share = 5};
    assert_int_equal(lm_team_size(16, 199, 199), 1);
    assert_int_equal(lm_team_size(16, 1e9, 1e9), 16);
    assert_int_equal(lm_team_size(1, 1e9, 1e9), 1);
    assert_int_equal(lm_team_size(16, 1e9, 4), 1);
    assert_int_equal(lm_team_size(16, 1e9, 12), 2);
    assert_int_equal(lm_team_size(16, 210, 1e9), 4);
    assert_int_equal(lm_team_size(4096, 1e30, 1e30), 4096);
    lm_worth = tests;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_crew_goes_with_its_callers),
        cmocka_unit_test(jobs_are_done_in_their_time_or_never),
        cmocka_unit_test(every_chunk_is_done_once),
        cmocka_unit_test(rounds_are_told_apart_for_ever),
        cmocka_unit_test(callers_share_the_crew),
        cmocka_unit_test(callers_have_what_they_asked_for),
        cmocka_unit_test(nobody_waits_for_who_does_not_run),
        cmocka_unit_test(the_size_follows_the_work),
    };

    lm_worth = (lm_team_worth){0}; /* small lattices are enough */
    alarm(120);                    /* what hangs ends */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
