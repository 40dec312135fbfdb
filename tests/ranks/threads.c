/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/ranks/threads.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAGS = 2, MOST_VALUES = 64 };

/* What a rank has on its way to another one, one thing at a time. A rank may be an exchange ahead
 * of others, so a parcel that is not for it must not look as if it were. */
typedef struct parcel {
    const void *out;
    size_t bytes;
    sem_t sent, taken;
} parcel;

typedef struct meeting {
    pthread_barrier_t all_have_come;
    int count;
    int64_t values[2][RANKS_MOST][MOST_VALUES]; /* of this and of the next call of most() */
    const char *data[RANKS_MOST];
    parcel parcels[RANKS_MOST][RANKS_MOST][TAGS]; /* [from][to] */
    void (*work)(void *user, const latmc_ranks *ranks);
    void *user;
} meeting;

/* A rank; its table's self. */
typedef struct member {
    meeting *all;
    int rank;
    int file; /* descriptor of the one that is open */
    int turn; /* which values the next call of most() has */
    int from[TAGS], to[TAGS];
    void *in[TAGS];
    latmc_ranks table;
    pthread_t thread;
} member;

static void meet(meeting *m)
{
    pthread_barrier_wait(&m->all_have_come);
}

static const char *message(void *self)
{
    (void)self;
    return "the way is broken";
}

static int begin(void *self, int tag, int64_t to, const void *out, int64_t from, void *in,
                 size_t bytes)
{
    member *own = self;
    parcel *p = &own->all->parcels[own->rank][to][tag];

    own->to[tag] = (int)to;
    own->from[tag] = (int)from;
    own->in[tag] = in;
    p->out = out;
    p->bytes = bytes;
    sem_post(&p->sent);
    return 0;
}

static int end(void *self, int tag)
{
    member *own = self;
    parcel *from = &own->all->parcels[own->from[tag]][own->rank][tag];

    sem_wait(&from->sent);
    memcpy(own->in[tag], from->out, from->bytes);
    sem_post(&from->taken);
    sem_wait(&own->all->parcels[own->rank][own->to[tag]][tag].taken);
    return 0;
}

/* A rank overwrites its values in its next call but one. Until it comes there it has met all others
 * in the next call, so they have read these values. */
static int most(void *self, int64_t count, int64_t *values)
{
    member *own = self;
    int64_t(*all)[MOST_VALUES] = own->all->values[own->turn];

    own->turn ^= 1;
    memcpy(all[own->rank], values, (size_t)count * sizeof *values);
    meet(own->all);
    for (int r = 0; r < own->all->count; r++)
        for (int i = 0; i < count; i++)
            values[i] = all[r][i] > values[i] ? all[r][i] : values[i];
    return 0;
}

static int gather(void *self, void *data, const int64_t *begin)
{
    member *own = self;
    meeting *m = own->all;
    char *to = data;

    m->data[own->rank] = data;
    meet(m);
    for (int r = 0; r < m->count; r++)
        if (r != own->rank)
            memcpy(to + begin[r], m->data[r] + begin[r], (size_t)(begin[r + 1] - begin[r]));
    meet(m);
    return 0;
}

static int file_open(void *self, const char *path, void **file)
{
    member *own = self;
    int64_t failed[1];

    own->file = open(path, O_WRONLY);
    failed[0] = own->file < 0;
    most(self, 1, failed);
    if (failed[0] && own->file >= 0)
        close(own->file);
    *file = &own->file;
    return failed[0] != 0;
}

static int file_write(void *self, void *file, int64_t offset, const void *data, size_t bytes)
{
    const int *fd = file;

    (void)self;
    return pwrite(*fd, data, bytes, (off_t)offset) != (ssize_t)bytes;
}

static int file_close(void *self, void *file)
{
    const int *fd = file;
    int64_t failed[1] = {fsync(*fd) != 0};

    failed[0] |= close(*fd) != 0;
    most(self, 1, failed);
    return failed[0] != 0;
}

static void release(void *self)
{
    (void)self;
}

static void prepare(parcel *p)
{
    sem_init(&p->sent, 0, 0);
    sem_init(&p->taken, 0, 0);
}

static void discard(parcel *p)
{
    sem_destroy(&p->sent);
    sem_destroy(&p->taken);
}

static void each_parcel(meeting *m, void (*done)(parcel *))
{
    for (int r = 0; r < m->count; r++)
        for (int to = 0; to < m->count; to++)
            for (int tag = 0; tag < TAGS; tag++)
                done(&m->parcels[r][to][tag]);
}

static void *work(void *given)
{
    member *own = given;

    own->all->work(own->all->user, &own->table);
    return NULL;
}

void ranks_run(int count, void (*call)(void *user, const latmc_ranks *ranks), void *user)
{
    static const latmc_ranks functions = {.size = sizeof functions,
                                          .message = message,
                                          .begin = begin,
                                          .end = end,
                                          .most = most,
                                          .gather = gather,
                                          .file_open = file_open,
                                          .file_write = file_write,
                                          .file_close = file_close,
                                          .release = release};
    meeting m = {.count = count, .work = call, .user = user};
    member members[RANKS_MOST];

    pthread_barrier_init(&m.all_have_come, NULL, (unsigned)count);
    each_parcel(&m, prepare);
    for (int r = 0; r < count; r++) {
        members[r] = (member){.all = &m, .rank = r, .table = functions};
        members[r].table.self = &members[r];
        members[r].table.rank = r;
        members[r].table.ranks = count;
        if (pthread_create(&members[r].thread, NULL, work, &members[r]))
            abort();
    }
    for (int r = 0; r < count; r++)
        pthread_join(members[r].thread, NULL);
    each_parcel(&m, discard);
    pthread_barrier_destroy(&m.all_have_come);
}
