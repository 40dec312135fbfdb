/* SPDX-License-Identifier: BSD-3-Clause */
/* The phi^4 model on GPUs: its rules, its kernels and its row. */
#include "lib/physics/phi4_rule.h"
#include "backends/cuda/cuda.h"
#include "backends/cuda/field/phi4_rule.h"
#include "backends/cuda/field/plan.h"

/* Coefficients rounded to the type of the sites. */
#define ROUNDED(T, rule)                                                                           \
    static rule rounded_to_##rule(const lm_phi4_rule *from)                                        \
    {                                                                                              \
        rule r = {.epsilon = (T)from->epsilon,                                                     \
                  .kappa = (T)from->kappa,                                                         \
                  .field = (T)from->field,                                                         \
                  .g4 = (T)from->g4,                                                               \
                  .hits = from->hits,                                                              \
                  .local_sweeps = from->local_sweeps};                                             \
        for (int d = 0; d <= LM_PHI4_MAX_DEGREE; d++) {                                            \
            r.a2[d] = (T)from->a2[d];                                                              \
            r.s1[d] = (T)from->s1[d];                                                              \
            r.s1_open[d] = (T)from->s1_open[d];                                                    \
            r.centre[d] = (T)from->centre[d];                                                      \
        }                                                                                          \
        return r;                                                                                  \
    }
ROUNDED(float, lm_phi4_rule_32)
ROUNDED(double, lm_phi4_rule_64)

static void make_rule(const double *values, int64_t stride, const double *axis_coupling,
                      int doubles, void *rule)
{
    (void)axis_coupling;
    const lm_phi4_rule r = lm_phi4_rule_of(values, (long)stride);
    if (doubles)
        *(lm_phi4_rule_64 *)rule = rounded_to_lm_phi4_rule_64(&r);
    else
        *(lm_phi4_rule_32 *)rule = rounded_to_lm_phi4_rule_32(&r);
}

static double proposals(const double *values, int64_t stride, int update)
{
    const lm_phi4_rule r = lm_phi4_rule_of(values, (long)stride);
    return lm_phi4_proposals(&r, lm_phi4_update_of(update));
}

static int variant(int update)
{
    return lm_phi4_update_of(update).reflects;
}

static int colours_serve(const void *plan, int update)
{
    (void)plan;
    return !lm_phi4_update_of(update).tiles;
}

static int tiles_serve(const void *plan, int update)
{
    (void)plan;
    return lm_phi4_update_of(update).tiles;
}

/* Each update has one kernel. */
static const lm_cuda_kernel kernels[LM_FIELD_WAYS] = {
    [LM_FIELD_BY_COLOURS] = {.name = "phi4 colours",
                             .serves = colours_serve,
                             .sweep = lm_cuda_field_by_colours},
    [LM_FIELD_BY_TILES] = {.name = "phi4 tiles",
                           .serves = tiles_serve,
                           .sweep = lm_cuda_field_by_tiles},
};

const lm_cuda_kernels lm_cuda_phi4_kernels = {kernels, LM_FIELD_WAYS};

static const lm_cuda_field_model phi4 = {
    .kernels = &lm_cuda_phi4_kernels,
    .launch = {&lm_phi4_kernels_32, &lm_phi4_kernels_64},
    .rule_bytes = {sizeof(lm_phi4_rule_32), sizeof(lm_phi4_rule_64)},
    .updates = LM_PHI4_UPDATES,
    .make_rule = make_rule,
    .kind = lm_kind_by_open_axes,
    .proposals = proposals,
    .variant = variant,
};

static latmc_status open_plan(const lm_spec *spec, int device, void **plan)
{
    return lm_cuda_field_open(spec, device, &phi4, (lm_cuda_field_plan **)plan);
}

const lm_backend_model lm_cuda_phi4[2] = {
    {.model = LATMC_PHI4, .kept = LM_AS_FLOATS, .ops = &lm_cuda_field_ops, .open = open_plan},
    {.model = LATMC_PHI4, .kept = LM_AS_DOUBLES, .ops = &lm_cuda_field_ops, .open = open_plan}};
