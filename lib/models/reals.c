/* SPDX-License-Identifier: BSD-3-Clause */
#include "lib/models/reals.h"

#include <float.h>
#include <math.h>

#include "lib/base/bytes.h"
#include "lib/models/entries.h"

enum { MOST_COMPONENTS = 4 };

#define UNIT 1e-4 /* far more than roundings, far less than a mistake */
/* Bounds of |s . s - 1|, in halves of the last place of 1. A lattice's own vectors deviate by at
 * most 3.5, which is measured as 5 (doc/trajectory-onvector.md, "How long lengths and energies
 * stay"). */
#define OWN   8.0
#define SAVED 64.0
#define MOST  1e6 /* large enough for any units; its fourth power is far from overflowing */

static int64_t check_floats(const void *sites, int64_t count, int components)
{
    const float *s = sites;
    int64_t i = 0;

    (void)components;
    while (i < count && fabsf(s[i]) <= (float)MOST)
        i++;
    return i;
}

static int64_t check_doubles(const void *sites, int64_t count, int components)
{
    const double *s = sites;
    int64_t i = 0;

    (void)components;
    while (i < count && fabs(s[i]) <= MOST)
        i++;
    return i;
}

static int64_t check_unit_floats(const void *sites, int64_t count, int components)
{
    const float *s = sites;

    for (int64_t i = 0; i < count; i += components) {
        double square = 0.0;

        for (int c = 0; c < components; c++)
            square += (double)s[i + c] * (double)s[i + c];
        if (!(fabs(square - 1.0) <= UNIT))
            return i;
    }
    return count;
}

static int64_t check_unit_doubles(const void *sites, int64_t count, int components)
{
    const double *s = sites;

    for (int64_t i = 0; i < count; i += components) {
        double square = 0.0;

        for (int c = 0; c < components; c++)
            square += s[i + c] * s[i + c];
        if (!(fabs(square - 1.0) <= UNIT))
            return i;
    }
    return count;
}

/* ---- vectors of length 1 */

/* Returns s . s - 1. Together with the next function it makes a step of Newton's method towards
 * length 1, as unit() in doc/trajectory-onvector.md does. It computes with numbers near 0, so
 * roundings are small. */
static double beyond_unit(const double *s, int components)
{
    double d = -1.0;

    for (int c = 0; c < components; c++)
        d = fma(s[c], s[c], d);
    return d;
}

static void to_unit(double *s, int components)
{
    const double r = -0.5 * beyond_unit(s, components);

    for (int c = 0; c < components; c++)
        s[c] = fma(s[c], r, s[c]);
}

/* Two steps remove any deviation that check() allows. Vectors that a lattice made itself do not
 * change. */
static void normalise(double *s, int components, double rounding)
{
    if (fabs(beyond_unit(s, components)) <= OWN * rounding)
        return;
    to_unit(s, components);
    to_unit(s, components);
}

static void normalise_floats(void *sites, int64_t count, int components)
{
    float *s = sites;

    for (int64_t i = 0; i < count; i += components) {
        double v[MOST_COMPONENTS];

        for (int c = 0; c < components; c++)
            v[c] = (double)s[i + c];
        normalise(v, components, FLT_EPSILON / 2);
        for (int c = 0; c < components; c++)
            s[i + c] = (float)v[c];
    }
}

static void normalise_doubles(void *sites, int64_t count, int components)
{
    for (int64_t i = 0; i < count; i += components)
        normalise((double *)sites + i, components, DBL_EPSILON / 2);
}

/* ---- saved numbers */

static void encode_floats(const void *sites, int64_t count, uint8_t *bytes)
{
    for (int64_t i = 0; i < count; i++) {
        uint32_t bits;

        memcpy(&bits, (const float *)sites + i, sizeof bits);
        lm_put_u32(&bytes, bits);
    }
}

static void decode_floats(const uint8_t *bytes, int64_t count, void *sites)
{
    for (int64_t i = 0; i < count; i++) {
        const uint32_t bits = lm_get_u32(&bytes);

        memcpy((float *)sites + i, &bits, sizeof bits);
    }
}

void lm_save_doubles(const void *numbers, int64_t count, uint8_t *bytes)
{
    for (int64_t i = 0; i < count; i++)
        lm_put_f64(&bytes, ((const double *)numbers)[i]);
}

static void decode_doubles(const uint8_t *bytes, int64_t count, void *sites)
{
    for (int64_t i = 0; i < count; i++)
        ((double *)sites)[i] = lm_get_f64(&bytes);
}

/* If all bits of an exponent are 1, adding 1 to it carries into the sign bit. The function looks at
 * 8 bytes at a time. */
typedef struct exponents {
    uint64_t bits, lowest, signs;
} exponents;

static int all_finite(const uint8_t *bytes, int64_t size, exponents e)
{
    uint64_t found = 0;

    for (; size >= 8; size -= 8)
        found |= (lm_get_u64(&bytes) & e.bits) + e.lowest;
    if (size > 0)
        found |= (lm_get_u32(&bytes) & e.bits) + e.lowest;
    return (found & e.signs) == 0;
}

static int check_saved_floats(const uint8_t *bytes, int64_t count, int components)
{
    static const exponents two = {0x7F8000007F800000u, 0x0080000000800000u, 0x8000000080000000u};

    (void)components;
    return all_finite(bytes, 4 * count, two);
}

static int check_saved_doubles(const uint8_t *bytes, int64_t count, int components)
{
    static const exponents one = {0x7FF0000000000000u, 0x0010000000000000u, 0x8000000000000000u};

    (void)components;
    return all_finite(bytes, 8 * count, one);
}

static int check_saved_unit_floats(const uint8_t *bytes, int64_t count, int components)
{
    for (int64_t i = 0; i < count; i += components) {
        double v[MOST_COMPONENTS];

        for (int c = 0; c < components; c++) {
            float s;

            decode_floats(bytes, 1, &s);
            v[c] = (double)s;
            bytes += sizeof s;
        }
        if (!(fabs(beyond_unit(v, components)) <= SAVED * FLT_EPSILON / 2))
            return 0;
    }
    return 1;
}

static int check_saved_unit_doubles(const uint8_t *bytes, int64_t count, int components)
{
    for (int64_t i = 0; i < count; i += components) {
        double v[MOST_COMPONENTS];

        for (int c = 0; c < components; c++)
            v[c] = lm_get_f64(&bytes);
        if (!(fabs(beyond_unit(v, components)) <= SAVED * DBL_EPSILON / 2))
            return 0;
    }
    return 1;
}

/* Each product and each sum is rounded once, in this order: doc/trajectory.md, "Sums over pairs".
 */
static inline void float_products(int components, const float *a, const float *b, int64_t sites,
                                  double *restrict terms)
{
    for (int64_t i = 0; i < sites; i++, a += components, b += components) {
        double sum = (double)a[0] * (double)b[0];

        for (int c = 1; c < components; c++)
            sum = sum + (double)a[c] * (double)b[c];
        terms[i] = sum;
    }
}

static inline void double_products(int components, const double *a, const double *b, int64_t sites,
                                   double *restrict terms)
{
    for (int64_t i = 0; i < sites; i++, a += components, b += components) {
        double sum = a[0] * b[0];

        for (int c = 1; c < components; c++)
            sum = sum + a[c] * b[c];
        terms[i] = sum;
    }
}

void lm_real_products(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                      double *terms)
{
    const latmc_type type = of->type;
    const int components = of->components;

    if (type == LATMC_FLOAT32 && components == 1) /* a loop of its own, for the compiler */
        float_products(1, a, b, sites, terms);
    else if (type == LATMC_FLOAT32)
        float_products(components, a, b, sites, terms);
    else if (components == 1)
        double_products(1, a, b, sites, terms);
    else
        double_products(components, a, b, sites, terms);
}

void lm_real_tensor(const lm_site_array *of, const void *a, const void *b, int64_t sites,
                    double *terms)
{
    const latmc_type type = of->type;
    const int components = of->components;

    for (int mu = 0; mu < components; mu++)
        for (int nu = 0; nu < components; nu++, terms += sites)
            for (int64_t i = 0; i < sites; i++)
                terms[i] = type == LATMC_FLOAT32
                               ? (double)((const float *)a)[i * components + mu] *
                                     (double)((const float *)b)[i * components + nu]
                               : ((const double *)a)[i * components + mu] *
                                     ((const double *)b)[i * components + nu];
}

void lm_real_terms(const lm_site_array *of, const void *sites, int64_t count, int component,
                   double *terms)
{
    const float *const floats = sites;
    const double *const doubles = sites;

    for (int64_t i = 0; i < count; i++)
        terms[i] = of->type == LATMC_FLOAT32 ? (double)floats[i * of->components + component]
                                             : doubles[i * of->components + component];
}

#define FLOATS(checked, normalised, saved, what)                                                   \
    {                                                                                              \
        .entry = LM_TYPE(FLOAT32, "float32", what, float, 32), .check = checked,                   \
        .normalise = normalised, .encode = encode_floats, .decode = decode_floats,                 \
        .check_saved = saved                                                                       \
    }
#define DOUBLES(checked, normalised, saved, what)                                                  \
    {                                                                                              \
        .entry = LM_TYPE(FLOAT64, "float64", what, double, 64), .check = checked,                  \
        .normalise = normalised, .encode = lm_save_doubles, .decode = decode_doubles,              \
        .check_saved = saved                                                                       \
    }
#define NUMBER      "a number of magnitude at most 1e6"
#define UNIT_VECTOR "a component of a vector s with |s . s - 1| at most 1e-4"

const lm_site_type lm_real_types[2] = {FLOATS(check_floats, NULL, check_saved_floats, NUMBER),
                                       DOUBLES(check_doubles, NULL, check_saved_doubles, NUMBER)};
const lm_site_type lm_unit_types[2] = {
    FLOATS(check_unit_floats, normalise_floats, check_saved_unit_floats, UNIT_VECTOR),
    DOUBLES(check_unit_doubles, normalise_doubles, check_saved_unit_doubles, UNIT_VECTOR)};

const lm_representation lm_real_representations[2] = {{LM_AS_FLOATS, &lm_real_types[0], NULL, 0},
                                                      {LM_AS_DOUBLES, &lm_real_types[1], NULL, 0}};
const lm_representation lm_unit_representations[2] = {{LM_AS_FLOATS, &lm_unit_types[0], NULL, 0},
                                                      {LM_AS_DOUBLES, &lm_unit_types[1], NULL, 0}};
