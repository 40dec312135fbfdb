/* SPDX-License-Identifier: BSD-3-Clause */
#include "replica_map.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Below this ratio a rate is a step down. */
static const double least_ratio = 0.9;

/* Returns 2 if a parameter has a range, which one replica cannot have, and otherwise 1. */
static int64_t least_replicas(const lattice_flags *wish)
{
    for (int i = 0; i < wish->set.count; i++)
        if (strchr(wish->set.items[i], ':'))
            return 2;
    return 1;
}

replica_map replica_map_plan(const lattice_flags *wish)
{
    const int64_t most = wish->replicas ? wish->replicas : 65536;
    replica_map m = {0};

    if (!wish->extents)
        cli_refuse("--map needs --extents: of each replica");
    for (int64_t n = least_replicas(wish); n < most; n *= 2)
        m.rows[m.count++].replicas = n;
    m.rows[m.count++].replicas = most;
    return m;
}

/* Returns a row's rate over that of the row before it; 1 for the first. */
static double ratio(const replica_map *m, int row)
{
    return row ? m->rows[row].rate / m->rows[row - 1].rate : 1;
}

void replica_map_table(const replica_map *m)
{
    printf("\n%9s %12s %8s\n", "replicas", "updates/ns", "ratio");
    for (int i = 0; i < m->count && m->rows[i].rate > 0; i++)
        printf("%9" PRId64 " %12.4g %8.3f%s\n", m->rows[i].replicas, m->rows[i].rate, ratio(m, i),
               ratio(m, i) < least_ratio ? "  <" : "");
}

void replica_map_json(const replica_map *m, json *j)
{
    json_open(j, "map", '[');
    for (int i = 0; i < m->count && m->rows[i].rate > 0; i++) {
        json_open(j, NULL, '{');
        json_integer(j, "replicas", m->rows[i].replicas);
        json_real(j, "updates_per_ns", m->rows[i].rate);
        json_real(j, "ratio", ratio(m, i));
        json_boolean(j, "is_step_down", ratio(m, i) < least_ratio);
        json_close(j, '}');
    }
    json_close(j, ']');
}
