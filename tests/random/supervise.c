/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/random/supervise.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Seconds in which a worker opens its devices; after which one that was told to end is killed. */
static const double start_limit = 180.0, end_limit = 10.0;

typedef enum state { ABSENT, STARTING, IDLE, BUSY } state;

typedef struct worker {
    state state;
    pid_t pid;
    int to, from;    /* pipes */
    double deadline; /* while starting or busy */
    int side, step;  /* where it is, -2: nowhere */
    job job;
    char line[4096]; /* what has come of a line */
    size_t used;
} worker;

struct supervisor {
    int count;
    char *const *arguments;
    const agenda *agenda;
    int exhausted; /* the agenda has no more */
    supervise_status status;
    char reason[SUPERVISE_TEXT];
    worker *workers;
};

double supervise_clock(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const char *supervise_reason(const supervisor *s)
{
    return s->reason;
}

/* ---- processes */

static _Noreturn void become_worker(supervisor *s, int in, int out)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* no worker outlives this process, not even a hung one */
    if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0)
        execv("/proc/self/exe", s->arguments);
    _exit(127);
}

static int open_pipe(int ends[2])
{
    return pipe(ends) == 0 && fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 &&
           fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0;
}

static void hire(supervisor *s, worker *w)
{
    int down[2], up[2];

    if (!open_pipe(down) || !open_pipe(up) || (w->pid = fork()) < 0) {
        snprintf(s->reason, sizeof s->reason, "no worker can be started: %s", strerror(errno));
        s->status = SUPERVISE_BROKEN;
        return;
    }
    if (w->pid == 0)
        become_worker(s, down[0], up[1]);
    close(down[0]);
    close(up[1]);
    w->to = down[1];
    w->from = up[0];
    w->used = 0;
    w->state = STARTING;
    w->deadline = supervise_clock() + start_limit;
}

/* Says how a process ended, once it has; a process that a driver holds may take its time. */
static void bury(pid_t pid, double patience, char *how, size_t bytes)
{
    const double until = supervise_clock() + patience;
    int status = 0;
    pid_t ended;

    while ((ended = waitpid(pid, &status, WNOHANG)) == 0 && supervise_clock() < until)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    if (ended != pid) {
        kill(pid, SIGKILL); /* and is not waited for any longer */
        snprintf(how, bytes, "did not end");
    } else if (WIFSIGNALED(status))
        snprintf(how, bytes, "ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(how, bytes, "ended with status %d", WEXITSTATUS(status));
}

/* The worker is no more, or soon will be. */
static void part_with(worker *w, int signal, char *how, size_t bytes)
{
    close(w->to);
    close(w->from);
    if (signal)
        kill(w->pid, signal);
    bury(w->pid, end_limit, how, bytes);
    w->state = ABSENT;
}

/* ---- cases */

static void place_of(const worker *w, char *text, size_t bytes)
{
    static const char *const sides[] = {"the reference", "the device under test"};

    if (w->step < -1)
        snprintf(text, bytes, "before the case");
    else if (w->step < 0)
        snprintf(text, bytes, "in the settings, on %s", sides[w->side]);
    else
        snprintf(text, bytes, "in step %d, on %s", w->step + 1, sides[w->side]);
}

static void hand_out(supervisor *s, worker *w)
{
    if (s->exhausted || !s->agenda->next(s->agenda->user, &w->job)) {
        s->exhausted = 1;
        return;
    }
    const size_t length = strlen(w->job.text);
    w->job.text[length] = '\n';
    const ssize_t written = write(w->to, w->job.text, length + 1);
    w->job.text[length] = '\0';
    w->state = BUSY;
    w->step = -2;
    /* A worker that has ended is noticed when it is listened to. */
    w->deadline = supervise_clock() + (written == (ssize_t)length + 1 ? s->agenda->limit : 5.0);
}

static void give_verdict(supervisor *s, const worker *w, const verdict *v)
{
    s->agenda->done(s->agenda->user, &w->job, v);
}

static void read_end(const char *text, verdict *v)
{
    const char *bar = strchr(text, '|');
    char *rest;

    switch (strtol(text, &rest, 10)) {
    case 0:
        v->outcome = OUTCOME_DIFFERENT;
        break;
    case 1:
        v->outcome = OUTCOME_SAME;
        break;
    default:
        v->outcome = OUTCOME_LEFT_OUT;
    }
    for (int i = 0; i < 2; i++)
        v->cpu[i] = strtod(rest, &rest);
    for (int k = 0; k < KERNELS_MOST; k++)
        v->swept[k] = strtoll(rest, &rest, 10);
    snprintf(v->what, sizeof v->what, "%s", bar && bar[1] ? bar + 2 : "");
}

static void hear_line(supervisor *s, worker *w, const char *line)
{
    const char *space = strchr(line, ' ');
    verdict v = {0};
    char how[128];

    if (strcmp(line, "ready") == 0) {
        w->state = IDLE;
    } else if (sscanf(line, "at %d %d", &w->side, &w->step) == 2) {
        return;
    } else if (strncmp(line, "end ", 4) == 0 && w->state == BUSY) {
        read_end(line + 4, &v);
        w->state = IDLE;
        if (outcome_failed(v.outcome)) /* which a GPU that has failed does not survive */
            part_with(w, 0, how, sizeof how);
        give_verdict(s, w, &v);
    } else {
        s->status = strncmp(line, "unusable ", 9) == 0 ? SUPERVISE_SKIPPED : SUPERVISE_BROKEN;
        snprintf(s->reason, sizeof s->reason, "%.1000s", space ? space + 1 : line);
    }
}

static void died(supervisor *s, worker *w)
{
    verdict v = {.outcome = OUTCOME_DIED};
    const state before = w->state;
    char how[128], place[64];

    part_with(w, 0, how, sizeof how);
    place_of(w, place, sizeof place);
    if (before == BUSY) {
        snprintf(v.what, sizeof v.what, "%s the worker %s", place, how);
        give_verdict(s, w, &v);
    } else if (s->status == SUPERVISE_DONE) { /* and not told why it ends */
        snprintf(s->reason, sizeof s->reason, "a worker that had no case %s", how);
        s->status = SUPERVISE_BROKEN;
    }
}

static void hear(supervisor *s, worker *w)
{
    const ssize_t got = read(w->from, w->line + w->used, sizeof w->line - 1 - w->used);
    char *begin = w->line, *end;

    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        died(s, w);
        return;
    }
    w->used += (size_t)got;
    w->line[w->used] = '\0';
    while (w->state != ABSENT && (end = strchr(begin, '\n')) != NULL) {
        *end = '\0';
        hear_line(s, w, begin);
        begin = end + 1;
    }
    w->used -= (size_t)(begin - w->line);
    memmove(w->line, begin, w->used + 1);
}

static void out_of_time(supervisor *s, worker *w)
{
    verdict v = {.outcome = OUTCOME_HUNG};
    const state before = w->state;
    char how[128], place[64];

    part_with(w, SIGKILL, how, sizeof how);
    place_of(w, place, sizeof place);
    if (before == BUSY) {
        snprintf(v.what, sizeof v.what, "%s it did not end in %g s", place, s->agenda->limit);
        give_verdict(s, w, &v);
    } else {
        snprintf(s->reason, sizeof s->reason, "a worker did not open its devices in %g s",
                 start_limit);
        s->status = SUPERVISE_BROKEN;
    }
}

/* ---- all of them */

static int is_waited_for(const worker *w)
{
    return w->state == STARTING || w->state == BUSY;
}

/* Waits until a worker says something or is out of time, and sees to those. */
static void attend(supervisor *s)
{
    struct pollfd fds[SUPERVISE_JOBS];
    double until = supervise_clock() + 1.0;
    int wait;

    for (int i = 0; i < s->count; i++) {
        worker *w = &s->workers[i];
        fds[i] = (struct pollfd){.fd = w->state == ABSENT ? -1 : w->from, .events = POLLIN};
        if (is_waited_for(w) && w->deadline < until)
            until = w->deadline;
    }
    wait = (int)((until - supervise_clock()) * 1e3) + 1;
    if (poll(fds, (nfds_t)s->count, wait < 0 ? 0 : wait) < 0 && errno != EINTR)
        return;
    for (int i = 0; i < s->count; i++) {
        worker *w = &s->workers[i];
        if (fds[i].fd >= 0 && fds[i].revents)
            hear(s, w);
        else if (is_waited_for(w) && supervise_clock() > w->deadline)
            out_of_time(s, w);
    }
}

static int some_busy(const supervisor *s)
{
    for (int i = 0; i < s->count; i++)
        if (s->workers[i].state == BUSY)
            return 1;
    return 0;
}

supervise_status supervise(supervisor *s, const agenda *agenda)
{
    s->agenda = agenda;
    s->exhausted = 0;
    while (s->status == SUPERVISE_DONE) {
        for (int i = 0; i < s->count && s->status == SUPERVISE_DONE; i++) {
            worker *w = &s->workers[i];
            if (w->state == ABSENT && !s->exhausted)
                hire(s, w);
            if (w->state == IDLE && !s->exhausted)
                hand_out(s, w);
        }
        if (s->exhausted && !some_busy(s))
            break;
        attend(s);
    }
    return s->status;
}

supervisor *supervise_begin(int workers, char *const *arguments)
{
    supervisor *s = calloc(1, sizeof *s);

    if (!s)
        return NULL;
    s->count = workers;
    s->arguments = arguments;
    s->workers = calloc((size_t)workers, sizeof *s->workers);
    if (!s->workers) {
        free(s);
        return NULL;
    }
    signal(SIGPIPE, SIG_IGN);
    return s;
}

/* Those that have nothing to do end by themselves. */
void supervise_end(supervisor *s)
{
    char how[128];

    if (!s)
        return;
    for (int i = 0; i < s->count; i++)
        if (s->workers[i].state == IDLE) { /* all at once */
            close(s->workers[i].to);
            s->workers[i].to = -1;
        }
    for (int i = 0; i < s->count; i++)
        if (s->workers[i].state != ABSENT)
            part_with(&s->workers[i], is_waited_for(&s->workers[i]) ? SIGKILL : 0, how, sizeof how);
    free(s->workers);
    free(s);
}
