/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * fuzz: saved lattices that were changed, most of them with right checksums, so that what stands
 * behind these is reached. Each is refused as a file, or is a lattice that can be swept, measured
 * and saved; no read goes beyond its bytes, which a build with sanitizers sees, and no more memory
 * is asked for than it justifies.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "examples/cli.h"
#include "tests/fuzz/fuzz.h"

enum { MOST_SEEDS = 256, BATCH = 500, MOST_BYTES = 1 << 20, PATIENCE = 120 };

typedef struct options {
    const char *corpus, *make, *write;
    int64_t first, runs, seconds;
} options;

#define AT(member) offsetof(options, member)

static const cli_option flags[] = {
    {"corpus", CLI_TEXT, AT(corpus), "FOLDER", "saved lattices to begin with", 0, 0},
    {"first", CLI_INTEGER, AT(first), "N", "number of the first input (0)", 0, INT64_MAX / 2},
    {"runs", CLI_INTEGER, AT(runs), "N", "how many inputs (30000)", 1, INT64_MAX / 2},
    {"seconds", CLI_INTEGER, AT(seconds), "N", "go on for so long, however many", 1, 1000000},
    {"make", CLI_TEXT, AT(make), "FOLDER", "write the lattices to begin with, and no more", 0, 0},
    {"write", CLI_TEXT, AT(write), "FILE", "write the input --first, and no more", 0, 0},
    {NULL, CLI_SWITCH, 0, NULL, NULL, 0, 0},
};

static const cli_program program = {
    .name = "fuzz",
    .about = "Fuzzing of saved lattices: inputs are functions of their numbers and of the corpus.",
    .notes = "Exit status: 0 nothing was found, 1 something was."};

/* What the process that tries says to the one that watches. */
typedef struct shared {
    int64_t number; /* of the input that is tried */
    int64_t outcomes[FUZZ_OUTCOMES];
    int64_t faults;
} shared;

static fuzz_input seeds[MOST_SEEDS];
static int seed_count;

static void add_seed(const char *folder, const char *name)
{
    char path[4096];
    FILE *file;
    fuzz_input in = {malloc(MOST_BYTES), 0};
    const char *fault;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rb");
    if (!file || !in.bytes)
        cli_refuse("%s cannot be read", path);
    in.size = fread(in.bytes, 1, MOST_BYTES, file);
    fclose(file);
    fault = fuzz_check_seed(&in);
    if (fault)
        cli_refuse("%s: %s", path, fault);
    if (seed_count == MOST_SEEDS)
        cli_refuse("--corpus: more than %d files", MOST_SEEDS);
    seeds[seed_count++] = in;
}

static int is_seed(const struct dirent *entry)
{
    return strstr(entry->d_name, ".latmc") != NULL;
}

/* In the order of their names, which the inputs' numbers rest on. */
static void read_corpus(const char *folder)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_seed, alphasort);

    if (count < 1)
        cli_refuse("--corpus is \"%s\"; there are no saved lattices", folder);
    for (int i = 0; i < count; i++) {
        add_seed(folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
}

/* ---- trying */

static void try_batch(shared *s, int64_t first, int64_t count)
{
    for (int64_t n = first; n < first + count; n++) {
        const char *fault;
        fuzz_input in;

        s->number = n;
        alarm(PATIENCE);
        in = fuzz_mutate(seeds, seed_count, (uint64_t)n);
        s->outcomes[fuzz_try(&in, &fault)]++;
        free(in.bytes);
        if (!fault)
            continue;
        s->faults++;
        printf("not ok - input %" PRId64 ": %s (%s)\n", n, fault, latmc_error_message());
        fflush(stdout);
    }
}

/* Where a batch is to go on: behind the input that its process died of. */
static int64_t supervise(shared *s, int64_t first, int64_t count)
{
    int status;
    pid_t child;

    fflush(NULL);
    child = fork();
    if (child < 0)
        cli_refuse("no process can be made");
    if (child == 0) {
        try_batch(s, first, count);
        exit(0); /* which looks for leaks, if the build has them looked for */
    }
    waitpid(child, &status, 0);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return first + count;
    s->faults++;
    printf("not ok - input %" PRId64 ": the process ended, with %s %d\n", s->number,
           WIFSIGNALED(status) ? "signal" : "status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    return s->number + 1;
}

/* ---- what comes of it */

/* Inputs that are all refused at the door would say nothing. */
static int report(const shared *s, int64_t tried)
{
    const int64_t *o = s->outcomes;
    const int few = tried >= 1000 && (o[FUZZ_LOADED] < tried / 20 || o[FUZZ_DAMAGED] < tried / 10 ||
                                      !o[FUZZ_VERSION] || !o[FUZZ_FORMAT]);

    printf("%" PRId64 " inputs of %d seeds: %" PRId64 " loaded and used, %" PRId64
           " damaged, %" PRId64 " of a later version, %" PRId64 " no saved lattices\n",
           tried, seed_count, o[FUZZ_LOADED], o[FUZZ_DAMAGED], o[FUZZ_VERSION], o[FUZZ_FORMAT]);
    if (few)
        puts("not ok - the inputs are of too few kinds");
    printf("%s - %" PRId64 " faults\n", few || s->faults ? "not ok" : "ok", s->faults);
    return few || s->faults;
}

static int fuzz(const options *o)
{
    shared *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    const time_t end = time(NULL) + (time_t)o->seconds;
    int64_t next = o->first;

    if (s == MAP_FAILED)
        cli_refuse("no memory");
    while (o->seconds ? time(NULL) < end : next < o->first + o->runs) {
        const int64_t left = o->seconds ? BATCH : o->first + o->runs - next;

        next = supervise(s, next, left < BATCH ? left : BATCH);
    }
    return report(s, next - o->first);
}

static int write_input(const options *o)
{
    const fuzz_input in = fuzz_mutate(seeds, seed_count, (uint64_t)o->first);
    FILE *file = fopen(o->write, "wb");
    int bad = !file || fwrite(in.bytes, 1, in.size, file) != in.size;

    if (file)
        bad |= fclose(file) != 0;
    free(in.bytes);
    return bad;
}

int main(int argc, char **argv)
{
    options o = {.corpus = FUZZ_CORPUS, .runs = 30000};
    int result;

    cli_parse(&program, (const cli_table[]){{flags, &o}, {NULL, NULL}}, argc, argv);
    if (o.make) {
        fuzz_make(o.make);
        return 0;
    }
    read_corpus(o.corpus);
    result = o.write ? write_input(&o) : fuzz(&o);
    for (int i = 0; i < seed_count; i++)
        free(seeds[i].bytes);
    return result;
}
