/* SPDX-License-Identifier: BSD-3-Clause */
/* latmc-bench --map: the same case with more and more replicas. */
#ifndef REPLICA_MAP_H
#define REPLICA_MAP_H

#include "lattice_flags.h"

#define REPLICA_MAP_HELP                                                                           \
    "measure 1, 2, 4, .. replicas (from 2 if a parameter has a range) up to --replicas (65536), "  \
    "and mark a rate that is more than 10 % below that of half as many"

enum { REPLICA_MAP_MOST = 24 };

typedef struct replica_map {
    int count;
    struct {
        int64_t replicas;
        double rate; /* updates/ns; 0 while it was not measured */
    } rows[REPLICA_MAP_MOST];
} replica_map;

/* Plans one row for each power of two below wish->replicas, and one for that number. */
replica_map replica_map_plan(const lattice_flags *wish);

void replica_map_table(const replica_map *m);
void replica_map_json(const replica_map *m, json *j);

#endif
