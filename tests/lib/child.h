/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests that set up a process of their own: the program runs itself again with arguments, under a
 * time limit, and reads what that writes.
 */
#ifndef LM_TESTS_CHILD_H
#define LM_TESTS_CHILD_H

#include <dlfcn.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support.h"

enum { CHILD_SECONDS = 120, CHILD_ROOM = 1024 };

typedef struct child {
    int status; /* of waitpid(); -1: it was stopped at the time limit */
    char text[CHILD_ROOM];
} child;

/* Reads all that the process writes; 0 if it did not end in time. */
static inline int child_read(int from, char *text)
{
    struct pollfd p = {.fd = from, .events = POLLIN};
    size_t have = 0;

    while (poll(&p, 1, CHILD_SECONDS * 1000) == 1) {
        const ssize_t n = read(from, text + have, CHILD_ROOM - 1 - have);
        if (n <= 0) {
            text[have] = '\0';
            return 1;
        }
        have += (size_t)n;
    }
    text[have] = '\0';
    return 0;
}

static inline void child_set(const char *assignment)
{
    char name[64];
    const char *sign = assignment ? strchr(assignment, '=') : NULL;

    if (!sign)
        return;
    snprintf(name, sizeof name, "%.*s", (int)(sign - assignment), assignment);
    setenv(name, sign + 1, 1);
}

/* Runs this program with up to three arguments and one assignment, NAME=VALUE or NULL. */
static inline child child_run(const char *a, const char *b, const char *c, const char *assignment)
{
    child result = {.status = -1};
    char self[4096] = {0}; /* by name: valgrind is another program */
    int ends[2];
    pid_t pid;

    assert_true(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        child_set(assignment);
        execl(self, "child", a, b, c, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    if (!child_read(ends[0], result.text)) {
        kill(pid, SIGKILL);
        waitpid(pid, &result.status, 0);
        result.status = -1;
    } else {
        waitpid(pid, &result.status, 0);
    }
    close(ends[0]);
    return result;
}

/* Fails unless the child ended well and wrote `want`. */
static inline void child_wrote(const child *got, const char *want, const char *what)
{
    if (got->status == 0 && strcmp(got->text, want) == 0)
        return;
    fail_msg("%s: %s, status %x; it wrote\n%s\nnot\n%s", what,
             got->status == -1 ? "did not end" : "ended", (unsigned)got->status, got->text, want);
}

/* LLVM's OpenMP library keeps the threads that it has made. */
static inline int threads_are_kept(void)
{
    void *const self = dlopen(NULL, RTLD_LAZY);
    const int kept = self && dlsym(self, "kmp_get_blocktime");

    if (self)
        dlclose(self);
    return kept;
}

/* Threads of this process. */
static inline int thread_count(void)
{
    char line[256];
    int n = 0;
    FILE *f = fopen("/proc/self/status", "r");

    while (f && fgets(line, sizeof line, f))
        sscanf(line, "Threads: %d", &n);
    if (f)
        fclose(f);
    return n;
}

#endif
