/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/ranks/threads.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TAGS = 2, MOST_VALUES = 64 };

/* What a rank has on its way. */
typedef struct parcel {
    const void *out;
    size_t bytes;
    int sent, taken;
} parcel;

typedef struct meeting {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int count, here, turn;
    const int64_t *values[RANKS_MOST];
    const char *data[RANKS_MOST];
    parcel parcels[RANKS_MOST][TAGS];
    void (*work)(void *user, const latmc_ranks *ranks);
    void *user;
} meeting;

/* A rank; its table's self. */
typedef struct member {
    meeting *all;
    int rank;
    int file; /* descriptor of the one that is open */
    int from[TAGS], expected[TAGS];
    void *in[TAGS];
    latmc_ranks table;
    pthread_t thread;
} member;

/* All have come. */
static void meet(meeting *m)
{
    int turn;

    pthread_mutex_lock(&m->lock);
    turn = m->turn;
    if (++m->here == m->count) {
        m->here = 0;
        m->turn++;
        pthread_cond_broadcast(&m->changed);
    }
    while (turn == m->turn)
        pthread_cond_wait(&m->changed, &m->lock);
    pthread_mutex_unlock(&m->lock);
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
    parcel *p = &own->all->parcels[own->rank][tag];

    (void)to; /* takes it by itself */
    own->from[tag] = from;
    own->in[tag] = in;
    pthread_mutex_lock(&own->all->lock);
    p->out = out;
    p->bytes = bytes;
    p->sent++;
    pthread_cond_broadcast(&own->all->changed);
    pthread_mutex_unlock(&own->all->lock);
    return 0;
}

static int end(void *self, int tag)
{
    member *own = self;
    meeting *m = own->all;
    parcel *from = &m->parcels[own->from[tag]][tag], *mine = &m->parcels[own->rank][tag];

    pthread_mutex_lock(&m->lock);
    own->expected[tag]++;
    while (from->sent < own->expected[tag])
        pthread_cond_wait(&m->changed, &m->lock);
    memcpy(own->in[tag], from->out, from->bytes);
    from->taken++;
    pthread_cond_broadcast(&m->changed);
    while (mine->taken < mine->sent)
        pthread_cond_wait(&m->changed, &m->lock);
    pthread_mutex_unlock(&m->lock);
    return 0;
}

static int most(void *self, int64_t count, int64_t *values)
{
    member *own = self;
    meeting *m = own->all;
    int64_t largest[MOST_VALUES];

    m->values[own->rank] = values;
    meet(m);
    for (int i = 0; i < count; i++) {
        largest[i] = values[i];
        for (int r = 0; r < m->count; r++)
            largest[i] = m->values[r][i] > largest[i] ? m->values[r][i] : largest[i];
    }
    meet(m);
    memcpy(values, largest, (size_t)count * sizeof *values);
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

    pthread_mutex_init(&m.lock, NULL);
    pthread_cond_init(&m.changed, NULL);
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
    pthread_cond_destroy(&m.changed);
    pthread_mutex_destroy(&m.lock);
}
