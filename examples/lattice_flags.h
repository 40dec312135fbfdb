/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The flags that say what lattice to make, and what a program says of it. All names of models,
 * parameters, boundaries, couplings and updates are the library's, so that a new model needs no
 * new code.
 */
#ifndef LATTICE_FLAGS_H
#define LATTICE_FLAGS_H

#include "cli.h"
#include "json.h"

enum { SCHEDULE_MAX = LATMC_MAX_STEPS, ARGUMENTS_MAX = 4, NAME_BYTES = 64, DISORDER_FLAGS = 16 };

/* What can be drawn beside the sites: couplings of bonds, fields of sites. */
typedef enum disorder_kind { OF_BONDS, OF_SITES, DISORDERS } disorder_kind;

typedef struct disorder_flags {
    const char *distribution;
    cli_seed seed;
    const char *arguments[DISORDER_FLAGS]; /* of the flags of lattice_disorder_options() */
} disorder_flags;

typedef struct lattice_flags {
    const char *model, *extents, *boundary, *update, *device;
    const char *start, *load; /* flags of one program; the others set `start` */
    const char *axis_couplings;
    const char *local_fields; /* site fields in one word */
    const char *rule;         /* options birth and survival in one word, of one program */
    cli_list set, option;
    cli_list anneal; /* of one program, */
    int64_t temper;  /* too; 0: not given */
    cli_seed seed;
    int64_t replicas, threads, samples; /* 0: not given, and the library's choice */
    /* Makes it; NULL: latmc_create(). */
    latmc_status (*create)(latmc_lattice **, latmc_model, int64_t, const int64_t *);
    int64_t copies; /* flag of two programs; 0: 1. What --set lists is for one copy of a sample */
    disorder_flags disorder[DISORDERS];
} lattice_flags;

/* The flags above; a table's values are a lattice_flags. */
extern const cli_option lattice_options[];

/* A flag for each argument of a distribution that the library describes: another table of theirs.
 */
const cli_option *lattice_disorder_options(void);

/* So many sweeps of an update, with arguments of its own. */
typedef struct schedule_part {
    latmc_update update;
    int64_t sweeps;
    int arguments;
    latmc_param argument[ARGUMENTS_MAX];
    double value[ARGUMENTS_MAX];
    int64_t exchanges; /* after it */
} schedule_part;

/* One step: each update in turn, as many sweeps as it says. */
typedef struct schedule {
    int count;
    int64_t sweeps; /* of one step */
    double updates; /* of a site in one step: every proposal counts */
    int exchanges;  /* 1: some part has exchanges after it, or --temper wants them */
    int64_t passes; /* steps of a round of the library's schedule: those of --temper, or 1 */
    schedule_part parts[SCHEDULE_MAX];
} schedule;

/* These stop with status 2 and a sentence if a flag is wrong. */
latmc_lattice *lattice_make(const lattice_flags *flags);
void lattice_configure(const lattice_flags *flags, latmc_lattice *lattice);
/* Gives it to the lattice, too. A loaded lattice keeps its own unless --update names another. */
schedule lattice_schedule(const lattice_flags *flags, latmc_lattice *lattice);
/* A step of the lattice's own schedule. */
latmc_step lattice_step(const latmc_lattice *lattice, int number);
/* After how many steps the lattice's own schedule exchanges replicas, as --temper says it; 0: it
 * does not, or not at the end of a round alone. */
int64_t lattice_own_temper(const latmc_lattice *lattice);
/* All pairs of copies, [sample][step of the ladder][..]: how many, and the slots of each, which the
 * caller frees. */
int64_t lattice_pairs(const latmc_lattice *lattice, int64_t copies, int64_t (**of)[2]);

#define COPIES_HELP                                                                                \
    "of the replicas of a sample so many, one after the other, have the same parameters each, "    \
    "which --set then gives for one copy, and exchanges keep to a copy"
enum { COPIES_MAX = 64 };

/* Are they drawn, and not all the same? */
int lattice_draws(const lattice_flags *flags, disorder_kind kind);
/* Does the model have such a thing? */
int lattice_model_has(int model, disorder_kind kind);
/* Whether a lattice has fields of sites, drawn or given. */
int lattice_has_site_fields(const latmc_lattice *lattice);
/* Returns the mean of |J| over all bonds of a lattice if some J along an axis are above 0 and some
 * below. Otherwise it returns 0, and also if the bonds are too many to be read. */
double lattice_mixed_couplings(const latmc_lattice *lattice);
/* Sets the couplings, the site fields, and the samples of them. */
void lattice_set_disorder(const lattice_flags *flags, latmc_lattice *lattice);
/* A flag about them that was given, or NULL. */
const char *lattice_disorder_flag(const lattice_flags *flags);
/* How they came to be: as members of the open object; and as text such as ", couplings pm1 of seed
 * 1", "" for a model that has none. */
void lattice_disorder_json(const latmc_lattice *lattice, json *j);
void lattice_disorder_text(const latmc_lattice *lattice, char *text, size_t bytes);

/* A lattice's description. */
latmc_lattice_info lattice_info(const latmc_lattice *lattice);

/* Thing number `index` of a kind, or the thing whose enumerator has the value `id`. */
latmc_description lattice_thing(latmc_kind kind, int model, int index);
latmc_description lattice_thing_of(latmc_kind kind, int model, int id);
int64_t lattice_devices(void);
int lattice_things(latmc_kind kind, int model);

/* How many quantities of an observable a lattice may have. The second fills the quantity of that
 * number and its text, and returns 0 if the lattice lacks it, as sums without weights. */
enum { QUANTITY_BYTES = 64 };
int64_t lattice_quantities(const latmc_lattice *lattice, int observable);
int lattice_quantity(const latmc_lattice *lattice, int observable, int64_t number,
                     latmc_quantity *quantity, char text[QUANTITY_BYTES]);

/* The place of a model's observable with a role among its observables; -1: none. */
int lattice_place_of(int model, latmc_role role);

/* For --help: every device; and these below every model with what it knows. */
void lattice_print_devices(void);
void lattice_print_models(void);

/* The value of a parameter in the first replica; `otherwise` if the model lacks it. */
double lattice_param(const latmc_lattice *lattice, const char *name, double otherwise);

/* The type that its sites are kept in. */
latmc_description lattice_type(const latmc_lattice_info *info);

/* "64x64", into at least NAME_BYTES bytes. */
void lattice_extents_text(const latmc_lattice_info *info, char *text, size_t bytes);

/* All that the lattice was made of but for its parameters: as members of the open object, and as
 * text such as "ising 64x64, periodic, couplings 1, 3 replicas, seed 1, hot start". */
void lattice_json(const lattice_flags *flags, const latmc_lattice *lattice, json *j);
void lattice_text(const lattice_flags *flags, const latmc_lattice *lattice, char *text,
                  size_t bytes);

/* An array of the schedule's parts; "metropolis, overrelax:4", "metropolis:1:hits=8". */
void schedule_json(const schedule *s, int model, json *j);
void schedule_text(const schedule *s, int model, char *text, size_t bytes);

#endif
