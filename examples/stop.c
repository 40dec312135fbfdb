/* SPDX-License-Identifier: BSD-3-Clause */
#include "stop.h"

#include <signal.h>
#include <string.h>
#include <time.h>

#include "cli.h"

static const struct {
    int number;
    const char *name;
} signals[] = {{SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}};

enum { SIGNALS = sizeof signals / sizeof signals[0] };

static volatile sig_atomic_t came;
static struct timespec first;
static int (*most_of_all)(int number);

/* What sends a signal to a process often sends it to its group as well, as timeout does: signals
 * so close to each other are one. */
static const double one_signal = 0.25; /* seconds */

static void remember(int number)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!came) {
        first = now;
        came = number;
    } else if ((double)(now.tv_sec - first.tv_sec) + 1e-9 * (double)(now.tv_nsec - first.tv_nsec) >
               one_signal) {
        signal(number, SIG_DFL);
        raise(number);
    }
}

void stop_prepare(void)
{
    struct sigaction wanted, before;

    memset(&wanted, 0, sizeof wanted);
    wanted.sa_handler = remember;
    wanted.sa_flags = SA_RESTART;
    sigemptyset(&wanted.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        sigaddset(&wanted.sa_mask, signals[i].number);
    for (int i = 0; i < SIGNALS; i++)
        if (!sigaction(signals[i].number, NULL, &before) && before.sa_handler != SIG_IGN)
            sigaction(signals[i].number, &wanted, NULL);
    /* A write that cannot be made is a failure of that write and of nothing else. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void stop_together(int (*most)(int number))
{
    most_of_all = most;
}

int stop_came(void)
{
    return came != 0;
}

int stop_asked(void)
{
    const int of_all = most_of_all ? most_of_all(came) : came;

    if (of_all && !came) {
        clock_gettime(CLOCK_MONOTONIC, &first);
        came = of_all;
    }
    return of_all != 0;
}

const char *stop_name(void)
{
    for (int i = 0; i < SIGNALS; i++)
        if (signals[i].number == came)
            return signals[i].name;
    return NULL;
}

int stop_status(void)
{
    return 128 + came;
}

int stop_progress(void *user, int64_t done, int64_t total)
{
    (void)user, (void)done, (void)total;
    return stop_came();
}

int stop_after(latmc_status status)
{
    if (status == LATMC_CANCELLED) {
        (void)stop_asked(); /* which of them, where it came to another process */
        return 1;
    }
    cli_run(status);
    return 0;
}
