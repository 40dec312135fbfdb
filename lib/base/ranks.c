/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/base/ranks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/abi.h"
#include "lib/base/checksum.h"
#include "lib/base/memory.h"
#include "lib/base/status.h"
#include "lib/base/text.h"

enum { MOST_GIVEN = 32 };

typedef enum kind { INTEGER, REAL, ARRAY, SETTING } kind;

/* An argument of a call. Its value, bits or sum is in numbers[] of the ranks. */
typedef struct given {
    const char *name;
    kind kind;
} given;

struct lm_ranks {
    latmc_ranks table;
    const char *caller; /* the public call that is under way */
    int known;          /* 1: all ranks know of a failure in it */
    int count;          /* number of arguments so far */
    given given[MOST_GIVEN];
    int64_t numbers[MOST_GIVEN];
    int64_t *begin; /* [rank], and one more: byte offsets for a gather() */
};

/* ---- opening */

static int is_whole(const latmc_ranks *t)
{
    return t->message && t->begin && t->end && t->most && t->gather && t->file_open &&
           t->file_write && t->file_close && t->release;
}

static latmc_status check(const char *caller, const latmc_ranks *table)
{
    latmc_status status;

    if (!table)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: ranks is NULL", caller);
    status =
        lm_struct_check(caller, "latmc_ranks", table->size, LM_SIZE_THROUGH(latmc_ranks, release));
    if (status)
        return status;
    if (!is_whole(table))
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: a function of ranks is NULL", caller);
    if (table->ranks < 1 || table->ranks > LM_MAX_RANKS || table->rank < 0 ||
        table->rank >= table->ranks)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: rank is %" PRId64 " of %" PRId64 "; 0 to %" PRId64
                       " of 1 to %d are allowed",
                       caller, table->rank, table->ranks, table->ranks - 1, LM_MAX_RANKS);
    return LATMC_OK;
}

static lm_ranks *room_for(const char *caller, const latmc_ranks *table)
{
    lm_ranks *made = lm_zeroed(caller, "the ranks of a lattice", 1, sizeof *made);

    if (!made)
        return NULL;
    made->begin =
        lm_zeroed(caller, "the ranks of a lattice", table->ranks + 1, sizeof *made->begin);
    if (made->begin)
        return made;
    free(made);
    return NULL;
}

/* Returns whether all ranks have the memory. A rank without it could not agree to anything. */
static latmc_status all_have_room(const char *caller, const latmc_ranks *table, int here)
{
    int64_t lacks = !here;

    if (table->ranks > 1 && table->most(table->self, 1, &lacks))
        return lm_fail(LATMC_ERROR_DEVICE, "%s: ranks failed to compare numbers: %s", caller,
                       table->message(table->self));
    if (lacks && here)
        return lm_fail(LATMC_ERROR_MEMORY, "%s: another rank has no memory", caller);
    return lacks ? LATMC_ERROR_MEMORY : LATMC_OK;
}

latmc_status lm_ranks_open(const char *caller, const latmc_ranks *table, lm_ranks **ranks)
{
    latmc_status status = check(caller, table);
    lm_ranks *made = NULL;

    if (!status) {
        made = room_for(caller, table);
        status = all_have_room(caller, table, made != NULL);
    }
    if (status) {
        if (made)
            free(made->begin);
        free(made);
        if (table && table->size >= LM_SIZE_THROUGH(latmc_ranks, release) && table->release)
            table->release(table->self);
        return status;
    }
    memcpy(&made->table, table, sizeof made->table);
    *ranks = made;
    return LATMC_OK;
}

void lm_ranks_close(lm_ranks *ranks)
{
    if (!ranks)
        return;
    ranks->table.release(ranks->table.self);
    free(ranks->begin);
    free(ranks);
}

int lm_ranks_count(const lm_ranks *ranks)
{
    return ranks ? (int)ranks->table.ranks : 1;
}

int lm_ranks_own(const lm_ranks *ranks)
{
    return ranks ? (int)ranks->table.rank : 0;
}

/* ---- the functions of the table */

static latmc_status failed(const lm_ranks *ranks, int error, const char *doing)
{
    return error ? lm_fail(LATMC_ERROR_DEVICE, "ranks failed to %s: %s", doing,
                           ranks->table.message(ranks->table.self))
                 : LATMC_OK;
}

latmc_status lm_ranks_most(lm_ranks *ranks, int count, int64_t *values)
{
    if (lm_ranks_count(ranks) == 1)
        return LATMC_OK;
    return failed(ranks, ranks->table.most(ranks->table.self, count, values), "compare numbers");
}

/* Gathers by ranks->begin. */
static latmc_status gather(lm_ranks *ranks, void *data)
{
    return failed(ranks, ranks->table.gather(ranks->table.self, data, ranks->begin),
                  "gather what each of them has");
}

latmc_status lm_ranks_gather(lm_ranks *ranks, void *data, const int64_t *begin, size_t each)
{
    const int count = lm_ranks_count(ranks);

    if (count == 1)
        return LATMC_OK;
    for (int r = 0; r <= count; r++)
        ranks->begin[r] = begin[r] * (int64_t)each;
    return gather(ranks, data);
}

latmc_status lm_ranks_share(lm_ranks *ranks, void *data, size_t bytes)
{
    const int count = lm_ranks_count(ranks);

    if (count == 1)
        return LATMC_OK;
    for (int r = 0; r <= count; r++)
        ranks->begin[r] = r * (int64_t)bytes;
    return gather(ranks, data);
}

latmc_status lm_ranks_from_first(lm_ranks *ranks, void *data, size_t bytes)
{
    const int count = lm_ranks_count(ranks);

    if (count == 1)
        return LATMC_OK;
    for (int r = 0; r <= count; r++)
        ranks->begin[r] = r > 0 ? (int64_t)bytes : 0;
    return gather(ranks, data);
}

latmc_status lm_ranks_send(lm_ranks *ranks, int direction, const void *out, void *in, size_t bytes)
{
    const latmc_ranks *t = &ranks->table;
    const int64_t before = (t->rank + t->ranks - 1) % t->ranks, after = (t->rank + 1) % t->ranks;
    const int64_t to = direction ? after : before, from = direction ? before : after;

    return failed(ranks, t->begin(t->self, direction, to, out, from, in, bytes),
                  "exchange boundary layers");
}

latmc_status lm_ranks_sent(lm_ranks *ranks, int direction)
{
    return failed(ranks, ranks->table.end(ranks->table.self, direction),
                  "exchange boundary layers");
}

static latmc_status file_failed(const lm_ranks *ranks, int error, const char *doing)
{
    return error ? lm_fail(LATMC_ERROR_IO, "ranks failed to %s: %s", doing,
                           ranks->table.message(ranks->table.self))
                 : LATMC_OK;
}

latmc_status lm_ranks_file_open(lm_ranks *ranks, const char *path, void **file)
{
    return file_failed(ranks, ranks->table.file_open(ranks->table.self, path, file),
                       "open the file together");
}

latmc_status lm_ranks_file_write(lm_ranks *ranks, void *file, int64_t offset, const void *data,
                                 size_t bytes)
{
    return file_failed(ranks, ranks->table.file_write(ranks->table.self, file, offset, data, bytes),
                       "write the file");
}

latmc_status lm_ranks_file_close(lm_ranks *ranks, void *file)
{
    return file_failed(ranks, ranks->table.file_close(ranks->table.self, file),
                       "bring the file to the disk");
}

/* ---- what a call was given */

static void give(lm_ranks *ranks, kind kind, const char *name, int64_t number)
{
    if (ranks->count == MOST_GIVEN)
        return;
    ranks->numbers[ranks->count] = number;
    ranks->given[ranks->count++] = (given){name, kind};
}

void lm_given_integer(lm_ranks *ranks, const char *name, int64_t value)
{
    if (lm_ranks_count(ranks) > 1)
        give(ranks, INTEGER, name, value);
}

void lm_given_real(lm_ranks *ranks, const char *name, double value)
{
    int64_t bits;

    memcpy(&bits, &value, sizeof bits);
    if (lm_ranks_count(ranks) > 1)
        give(ranks, REAL, name, bits);
}

void lm_given_array(lm_ranks *ranks, const char *name, const void *values, size_t bytes)
{
    if (lm_ranks_count(ranks) > 1)
        give(ranks, ARRAY, name, values ? (int64_t)(lm_checksum_of(values, bytes) >> 1) : -1);
}

void lm_given_setting(lm_ranks *ranks, const char *name, uint64_t sum)
{
    if (lm_ranks_count(ranks) > 1)
        give(ranks, SETTING, name, (int64_t)(sum >> 1));
}

/* Returns all arguments as one number. The ranks compare its smallest and largest value. */
static int64_t number_given(const lm_ranks *ranks)
{
    const size_t bytes = (size_t)ranks->count * sizeof *ranks->numbers;

    return (int64_t)(lm_checksum_of(ranks->numbers, bytes) >> 2);
}

/* Where two ranks differ. */
typedef struct difference {
    int rank[2];       /* in ascending order */
    int64_t number[2]; /* the argument's number on each rank */
} difference;

static lm_number_text number_text(int64_t bits)
{
    double value;

    memcpy(&value, &bits, sizeof value);
    return lm_number(value);
}

static latmc_status refuse_by(const lm_ranks *ranks, const given *g, const difference *d)
{
    char values[96] = "";

    if (g->kind == SETTING)
        return lm_fail(
            LATMC_ERROR_STATE,
            "%s: ranks have different settings of the lattice: %s on rank %d differ from "
            "those on rank %d; every rank must make the same calls with the same values",
            ranks->caller, g->name, d->rank[0], d->rank[1]);
    if (g->kind == INTEGER)
        snprintf(values, sizeof values, "%" PRId64 " on rank %d, %" PRId64 " on rank %d",
                 d->number[0], d->rank[0], d->number[1], d->rank[1]);
    else if (g->kind == REAL)
        snprintf(values, sizeof values, "%s on rank %d, %s on rank %d",
                 number_text(d->number[0]).text, d->rank[0], number_text(d->number[1]).text,
                 d->rank[1]);
    else
        snprintf(values, sizeof values, "rank %d and rank %d have different values", d->rank[0],
                 d->rank[1]);
    return lm_fail(LATMC_ERROR_STATE, "%s: ranks were given different arguments; %s: %s",
                   ranks->caller, g->name, values);
}

/* Finds the first argument that differs, and ranks with its least and its largest number. All ranks
 * have this argument, because the arguments before it are equal. */
static latmc_status refuse_given(lm_ranks *ranks)
{
    const int count = lm_ranks_count(ranks);
    int64_t all[2 * MOST_GIVEN], who[2], least, largest;
    latmc_status status;
    int i = 0;

    for (int k = 0; k < MOST_GIVEN; k++) {
        all[2 * k] = k < ranks->count ? ranks->numbers[k] : 0;
        all[2 * k + 1] = ~all[2 * k];
    }
    status = lm_ranks_most(ranks, 2 * MOST_GIVEN, all);
    while (i + 1 < ranks->count && all[2 * i] == ~all[2 * i + 1])
        i++;
    largest = all[2 * i];
    least = ~all[2 * i + 1];
    who[0] = ranks->numbers[i] == least ? count - ranks->table.rank : 0;
    who[1] = ranks->numbers[i] == largest ? count - ranks->table.rank : 0;
    if (!status)
        status = lm_ranks_most(ranks, 2, who);
    if (status)
        return status;
    return refuse_by(
        ranks, &ranks->given[i],
        who[0] > who[1]
            ? &(difference){{count - (int)who[0], count - (int)who[1]}, {least, largest}}
            : &(difference){{count - (int)who[1], count - (int)who[0]}, {largest, least}});
}

/* ---- agreement */

void lm_ranks_enter(lm_ranks *ranks, const char *caller)
{
    if (!ranks)
        return;
    ranks->caller = caller;
    ranks->known = ranks->count = 0;
}

/* Gives all ranks the status and the message of rank `of`. */
static latmc_status tell_all(lm_ranks *ranks, int of, latmc_status status)
{
    struct {
        int64_t status;
        char message[LM_MESSAGE];
    } told = {.status = (int64_t)status};
    const int count = lm_ranks_count(ranks);

    memccpy(told.message, latmc_error_message(), '\0', sizeof told.message - 1);
    for (int r = 0; r <= count; r++)
        ranks->begin[r] = r > of ? (int64_t)sizeof told : 0;
    if (ranks->table.gather(ranks->table.self, &told, ranks->begin))
        return failed(ranks, 1, "tell each other what failed");
    return lm_fail((latmc_status)told.status, "rank %d: %s", of, told.message);
}

/* Returns the name of a call as a number. The ranks compare its smallest and largest value. */
static int64_t number_of(const char *caller)
{
    return (int64_t)(lm_checksum_of(caller, strlen(caller)) >> 2);
}

latmc_status lm_ranks_agree(lm_ranks *ranks, latmc_status status)
{
    const int count = lm_ranks_count(ranks);
    int64_t all[5];
    latmc_status failure;

    if (count == 1 || ranks->known)
        return status;
    all[0] = status ? count - ranks->table.rank : 0;
    all[1] = number_of(ranks->caller);
    all[2] = -all[1];
    all[3] = number_given(ranks);
    all[4] = -all[3];
    failure = lm_ranks_most(ranks, 5, all);
    if (failure) {
        ranks->known = 1;
        return status ? status : failure;
    }
    if (all[0]) {
        ranks->known = 1;
        return tell_all(ranks, count - (int)all[0], status);
    }
    if (all[1] == -all[2] && all[3] == -all[4])
        return LATMC_OK;
    ranks->known = 1;
    if (all[1] == -all[2])
        return refuse_given(ranks);
    return lm_fail(LATMC_ERROR_STATE,
                   "%s: ranks have called different functions of the library for this lattice; "
                   "each has to make the same calls",
                   ranks->caller);
}

/* ---- data of unequal size for every rank */

/* Round i: each rank sends to the i-th rank after it. All send as much as the one with most data,
 * since an exchange has one size. */
static latmc_status exchange_round(lm_ranks *ranks, const lm_ranks_parts *x, int i, size_t bytes,
                                   char *room)
{
    const latmc_ranks *t = &ranks->table;
    const int64_t to = (t->rank + i) % t->ranks, from = (t->rank + t->ranks - i) % t->ranks;
    const int64_t out = x->out_begin[to + 1] - x->out_begin[to];
    const int64_t in = x->in_begin[from + 1] - x->in_begin[from];
    int error;

    memcpy(room, x->out + x->out_begin[to] * x->each, (size_t)(out * x->each));
    error = t->begin(t->self, 0, to, room, from, room + bytes, bytes);
    if (!error)
        error = t->end(t->self, 0);
    if (!error)
        memcpy(x->in + x->in_begin[from] * x->each, room + bytes, (size_t)(in * x->each));
    return failed(ranks, error, "exchange replicas");
}

static latmc_status exchange_in_rounds(lm_ranks *ranks, const lm_ranks_parts *x, int64_t *most)
{
    const int count = lm_ranks_count(ranks);
    int64_t largest = 0;
    char *room;
    latmc_status status;

    for (int i = 1; i < count; i++)
        largest = most[i] > largest ? most[i] : largest;
    room = lm_zeroed(NULL, "replicas on their way", 2 * largest, (size_t)x->each);
    status = lm_ranks_agree(ranks, room ? LATMC_OK : LATMC_ERROR_MEMORY);
    for (int i = 1; i < count && !status; i++)
        if (most[i])
            status = exchange_round(ranks, x, i, (size_t)(most[i] * x->each), room);
    free(room);
    return status;
}

latmc_status lm_ranks_exchange(lm_ranks *ranks, const lm_ranks_parts *x)
{
    const int count = lm_ranks_count(ranks);
    int64_t *const most = count > 1 ? ranks->begin : NULL; /* [round] */
    latmc_status status;

    if (count == 1)
        return LATMC_OK;
    most[0] = 0;
    for (int i = 1; i < count; i++) {
        const int to = (int)((ranks->table.rank + i) % count);

        most[i] = x->out_begin[to + 1] - x->out_begin[to];
    }
    status = lm_ranks_most(ranks, count, most);
    return status ? status : exchange_in_rounds(ranks, x, most);
}
