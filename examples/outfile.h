/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Files that a program writes: whole or not at all. A file is written beside its place and
 * renamed over what was there; symbolic links are followed, and the mode stays. What is not a
 * regular file, such as a pipe, and what this process has open already, such as its stdout, is
 * written as it stands.
 */
#ifndef OUTFILE_H
#define OUTFILE_H

#include <stdio.h>

typedef struct outfile {
    const char *path;     /* as the user knows it */
    FILE *file;           /* NULL if it could not be opened */
    char *target, *place; /* where it belongs, and where it is until then; or both NULL */
    int fault;            /* errno of the first failure, or 0 */
} outfile;

/* Why a path cannot be written, or NULL if it seems that it can. Leaves nothing behind. */
const char *outfile_fault(const char *path);

/* The same for latmc_save(), which writes regular files alone. */
const char *outfile_save_fault(const char *path);

outfile outfile_open(const char *path);

/* Where another program is to write: the path if it takes what is there. */
const char *outfile_place(const outfile *f);

/* 1 if the file is where it belongs; otherwise says why not on stderr, and what was there before
 * is there still. Not `good`: gives it up in silence. */
int outfile_close(outfile *f, int good);

#endif
