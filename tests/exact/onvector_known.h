/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Answers for the O(n) vector model, each with its error (0: exact): transfer operators
 * of chains and, for xy and o3, of strips; names with _ are from a separate program, which updated
 * random sites by Metropolis. None owes anything to this library. (Reference values
 * of the project: exact_values.json and referee_values.json, under the names given; e^2 there as C
 * = beta^2 N (<e^2> - <e>^2).)
 *
 * And answers that are reckoned here: integrals over the angles of few sites, bonds of open chains
 * and sites without bonds, which are independent of each other.
 */
#ifndef LM_TESTS_ONVECTOR_KNOWN_H
#define LM_TESTS_ONVECTOR_KNOWN_H

#include "tests/exact/onvector_ensemble.h"

typedef struct vector_known {
    const char *name;
    vector_model model;
    double specific_heat; /* 0: none */
    struct {
        double value, error;
    } answer[V_QUANTITIES]; /* value 0: none */
} vector_known;

#define ON(beta_, field_, ...)                                                                     \
    {                                                                                              \
        .lattice = {__VA_ARGS__}, .axis = {1.0, 1.0, 1.0, 1.0}, .beta = (beta_), .field = (field_) \
    }
#define ON_N(n_, beta_, field_, ...)                                                               \
    {                                                                                              \
        .lattice = {__VA_ARGS__}, .axis = {1.0, 1.0, 1.0, 1.0}, .beta = (beta_),                   \
        .field = (field_), .n = (n_)                                                               \
    }

/* The couplings of xysg_pm_8x8_b1.0, [axis][site]: 1 where PCG64 of NumPy, default_rng(14), gives
 * numbers below 1/2, as it gives those of both samples in ea444_samples.json for their seeds. */
static const double glass_bonds[] = {
    -1, 1,  -1, -1, -1, -1, -1, -1, 1,  -1, -1, 1,  -1, -1, 1,  -1, 1,  -1, -1, 1,  1,  -1,
    -1, 1,  -1, 1,  1,  -1, 1,  1,  -1, -1, -1, -1, -1, 1,  -1, 1,  -1, -1, 1,  1,  1,  -1,
    -1, 1,  -1, -1, -1, -1, -1, 1,  1,  1,  1,  -1, -1, 1,  -1, 1,  1,  -1, -1, -1, 1,  -1,
    1,  -1, -1, 1,  1,  -1, 1,  1,  -1, -1, -1, 1,  -1, 1,  1,  1,  1,  1,  1,  -1, -1, -1,
    1,  1,  1,  1,  -1, 1,  1,  1,  -1, -1, 1,  1,  1,  1,  1,  1,  -1, -1, 1,  -1, 1,  1,
    1,  -1, 1,  -1, 1,  1,  -1, -1, 1,  -1, -1, 1,  1,  -1, 1,  1,  -1, 1,
};

static const vector_known vector_knowns[] = {
    {"on chain n=2 L=4 beta=1",
     ON(1.0, 0.0, 1, {4}, {P}),
     0.44494732143589755,
     {[V_E] = {-0.5051965397675837, 0}, [V_M2] = {0.5959402292605265, 0}}},
    {"on chain n=2 L=8 beta=1",
     ON(1.0, 0.0, 1, {8}, {P}),
     0.36658194705068703,
     {[V_E] = {-0.44888514477049574, 0}, [V_M2] = {0.325362270783401, 0}}},
    {"on chain n=2 L=16 beta=2",
     ON(2.0, 0.0, 1, {16}, {P}),
     0.6726899113828326,
     {[V_E] = {-0.6992519268177046, 0}, [V_M2] = {0.3482888951495123, 0}}},
    {"on chain n=2 L=64 beta=1",
     ON(1.0, 0.0, 1, {64}, {P}),
     0.3543460324504764,
     {[V_E] = {-0.4463899658965345, 0}, [V_M2] = {0.040822676297282603, 0}}},
    {"on chain-h n=2 L=8 beta=1 h=0.5",
     ON(1.0, 0.5, 1, {8}, {P}),
     0.0,
     {[V_E] = {-0.7994978358438034, 0}, [V_M_1] = {0.5108323740685347, 0}}},
    {"xy 4x4 beta=0.5 m=12",
     ON(0.5, 0.0, 2, {4, 4}, {P, P}),
     0.4307359216453269,
     {[V_E] = {-0.6074089408158503, 0},
      [V_M2] = {0.23995014653232927, 0},
      [V_M4] = {0.08784536858921885, 0},
      [V_HELICITY_0] = {0.10742600163292848, 0},
      [V_HELICITY_1] = {0.10742600163292848, 0}}},
    {"xy 4x4 beta=1 m=12",
     ON(1.0, 0.0, 2, {4, 4}, {P, P}),
     0.8652649937623308,
     {[V_E] = {-1.4117291234196037, 0},
      [V_M2] = {0.6718491700554645, 0},
      [V_M4] = {0.4703159967716051, 0},
      [V_HELICITY_0] = {0.655655750976113, 0},
      [V_HELICITY_1] = {0.655655750976113, 0}}},
    {"xy 4x4 beta=1.1199 m=12",
     ON(1.1199, 0.0, 2, {4, 4}, {P, P}),
     0.7616585408342315,
     {[V_E] = {-1.4987327205487253, 0},
      [V_M2] = {0.7201095481288682, 0},
      [V_M4] = {0.5318138115969228, 0},
      [V_HELICITY_0] = {0.7171971517464946, 0},
      [V_HELICITY_1] = {0.7171971517464946, 0}}},
    {"xy 2x2x4 beta=0.454165 m=12",
     ON(0.454165, 0.0, 3, {2, 2, 4}, {P, P, P}),
     0.8341000489288896,
     {[V_E] = {-1.446506274499111, 0},
      [V_M2] = {0.38445907918634736, 0},
      [V_M4] = {0.19125741815218802, 0}}},
    {"xy 2x4 beta=1 m=24",
     ON(1.0, 0.0, 2, {2, 4}, {P, P}),
     0.7488012425399396,
     {[V_E] = {-1.4543327922657139, 0},
      [V_M2] = {0.6981032233760273, 0},
      [V_M4] = {0.5213938985425388, 0}}},
    {"xy_2d_8x8_b1.1199",
     ON(1.1199, 0.0, 2, {8, 8}, {P, P}),
     0.0,
     {[V_E] = {-1.4612160278824358, 0.00019206185370887057},
      [V_E2] = {2.14611593627487, 0.0005492321896235992},
      [V_ABS] = {0.7795361776794787, 0.00013887774892117375},
      [V_M2] = {0.6115037545225247, 0.0002041719412336571},
      [V_M4] = {0.38245644917116545, 0.00023066365299420676},
      [V_HELICITY_0] = {0.6714739997816395, 0.00030791971494948604},
      [V_HELICITY_1] = {0.6714739997816395, 0.00030791971494948604}}},
    {"xy_3d_8x8x8_b0.45417",
     ON(0.45417, 0.0, 3, {8, 8, 8}, {P, P, P}),
     0.0,
     {[V_E] = {-1.0670772026153281, 0.0013065731401251445},
      [V_E2] = {1.1558208218584998, 0.0027875091695653263},
      [V_ABS] = {0.37499777085723046, 0.0012267710836971239},
      [V_M2] = {0.15139150800664067, 0.0008369700706594762},
      [V_M4] = {0.028160709621515217, 0.00025298634499530074}}},
    {"xysg_pm_8x8_b1.0",
     {.lattice = {.dims = 2, .extents = {8, 8}, .boundaries = {P, P}},
      .axis = {1.0, 1.0},
      .beta = 1.0,
      .bonds = glass_bonds},
     0.0,
     {[V_E] = {-0.8924310706590222, 0.00018267293937439778},
      [V_E2] = {0.8066598142891535, 0.00032427885362982487},
      [V_ABS] = {0.10785704975369033, 8.255937378619612e-05},
      [V_M2] = {0.014662180236414002, 2.171131354442933e-05},
      [V_M4] = {0.00041432457730129454, 1.2411948806094679e-06}}},
};

/* n = 3 and 4. */
static const vector_known vector_more_knowns[] = {
    {"on chain n=3 L=4 beta=1",
     ON_N(3, 1.0, 0.0, 1, {4}, {P}),
     0.33067940289382614,
     {[V_E] = {-0.33783780415336423, 0}, [V_M2] = {0.46689293898305106, 0}}},
    {"on chain n=3 L=8 beta=1",
     ON_N(3, 1.0, 0.0, 1, {8}, {P}),
     0.2773549389120121,
     {[V_E] = {-0.31327904936208195, 0}, [V_M2] = {0.2388657931967258, 0}}},
    {"on chain n=3 L=16 beta=2",
     ON_N(3, 2.0, 0.0, 1, {16}, {P}),
     0.6967238304155465,
     {[V_E] = {-0.537361600376685, 0}, [V_M2] = {0.20763480634860731, 0}}},
    {"on chain n=3 L=64 beta=1",
     ON_N(3, 1.0, 0.0, 1, {64}, {P}),
     0.27593833903373965,
     {[V_E] = {-0.31303528549933124, 0}, [V_M2] = {0.029864963807987654, 0}}},
    {"on chain n=4 L=4 beta=1",
     ON_N(4, 1.0, 0.0, 1, {4}, {P}),
     0.2521801161369112,
     {[V_E] = {-0.2523618719876341, 0}, [V_M2] = {0.40477934025833384, 0}}},
    {"on chain n=4 L=8 beta=1",
     ON_N(4, 1.0, 0.0, 1, {8}, {P}),
     0.22198068876686056,
     {[V_E] = {-0.2402346301116725, 0}, [V_M2] = {0.20402571287366392, 0}}},
    {"on chain n=4 L=16 beta=2",
     ON_N(4, 2.0, 0.0, 1, {16}, {P}),
     0.6508865167620134,
     {[V_E] = {-0.4331297319058446, 0}, [V_M2] = {0.1580074431040737, 0}}},
    {"on chain n=4 L=64 beta=1",
     ON_N(4, 1.0, 0.0, 1, {64}, {P}),
     0.22172580340315134,
     {[V_E] = {-0.2401937238700899, 0}, [V_M2] = {0.025503904803435617, 0}}},
    {"on chain-h n=3 L=8 beta=1 h=0.5",
     ON_N(3, 1.0, 0.5, 1, {8}, {P}),
     0.0,
     {[V_E] = {-0.5027265132704758, 0}, [V_M_2] = {0.2939239741295264, 0}}},
    {"o3 4x2 beta=0.5",
     ON_N(3, 0.5, 0.0, 2, {4, 2}, {P, P}),
     0.0,
     {[V_E] = {-0.5144833710349382, 0},
      [V_E2] = {0.3991111157343211, 0},
      [V_M2] = {0.2552518636358017, 0}}},
    {"o3 4x2 beta=1",
     ON_N(3, 1.0, 0.0, 2, {4, 2}, {P, P}),
     0.0,
     {[V_E] = {-1.0336059718192903, 0},
      [V_E2] = {1.1811720117065567, 0},
      [V_M2] = {0.4786877648732828, 0}}},
    {"o3 4x2 beta=2",
     ON_N(3, 2.0, 0.0, 2, {4, 2}, {P, P}),
     0.0,
     {[V_E] = {-1.5389395528714696, 0},
      [V_E2] = {2.39925723810176, 0},
      [V_M2] = {0.745690118298209, 0}}},
    {"o3 2x2x2 beta=0.5",
     ON_N(3, 0.5, 0.0, 3, {2, 2, 2}, {P, P, P}),
     0.0,
     {[V_E] = {-1.1286292347778244, 0},
      [V_E2] = {1.5921771721436935, 0},
      [V_M2] = {0.3786228297042275, 0}}},
    {"o3 2x2x2 beta=0.693",
     ON_N(3, 0.693, 0.0, 3, {2, 2, 2}, {P, P, P}),
     0.0,
     {[V_E] = {-1.5860115183744077, 0},
      [V_E2] = {2.775842394156501, 0},
      [V_M2] = {0.5235234634864433, 0}}},
    {"o3 2x2x2 beta=2",
     ON_N(3, 2.0, 0.0, 3, {2, 2, 2}, {P, P, P}),
     0.0,
     {[V_E] = {-2.549028915370663, 0},
      [V_E2] = {6.526759785069751, 0},
      [V_M2] = {0.8457311190523193, 0}}},
    {"o3_2d_4x4_b1",
     ON_N(3, 1.0, 0.0, 2, {4, 4}, {P, P}),
     0.0,
     {[V_E] = {-0.8844835359308878, 0.00020709424745097294},
      [V_E2] = {0.853817217259072, 0.0003576727878853236},
      [V_ABS] = {0.5998925519838362, 0.0001184428049949177},
      [V_M2] = {0.3793649727053427, 0.00013189638709823964},
      [V_M4] = {0.16809315246307882, 9.87856847468958e-05}}},
    {"o3_3d_8x8x8_b0.6_h0.2",
     ON_N(3, 0.6, 0.2, 3, {8, 8, 8}, {P, P, P}),
     0.0,
     {[V_E] = {-1.0069590993776998, 0.0006157246402762949},
      [V_E2] = {1.0222237999729584, 0.0012397681289905227},
      [V_ABS] = {0.3750980700104235, 0.00037227770803387064},
      [V_M2] = {0.14322352694557977, 0.00027162074462068106},
      [V_M4] = {0.02189303345745503, 7.825611327562227e-05},
      [V_M_2] = {0.3588436422019655, 0.00041207960059977855}}},
    {"o4_2d_8x8_b1.2",
     ON_N(4, 1.2, 0.0, 2, {8, 8}, {P, P}),
     0.0,
     {[V_E] = {-0.6669241879835333, 0.00022614173959447544},
      [V_E2] = {0.455149570547019, 0.0003101320442958176},
      [V_ABS] = {0.2947366676739803, 0.00030438734312503006},
      [V_M2] = {0.0957844820351316, 0.00018670369981750855},
      [V_M4] = {0.012484953220409437, 4.527493966564511e-05}}},
};

/* ---- one angle */

#define TWO_PI 6.283185307179586

/* I1(x) / I0(x): the mean cosine of an angle with the weight exp(x cos). */
static inline double vector_ratio(double x)
{
    double sum = 0.0, whole = 0.0;

    for (int k = 0; k < 64; k++) { /* exact for so smooth a function */
        const double c = cos(TWO_PI * k / 64), weight = exp(x * (c - 1.0));
        whole += weight;
        sum += weight * c;
    }
    return sum / whole;
}

/*
 * How often Metropolis accepts turns by 2 arctan(epsilon step), with steps uniform in (-1, 1), of
 * an angle with the weight exp(x cos).
 */
static inline double vector_acceptance(double x, double epsilon)
{
    enum { ANGLES = 500, STEPS = 500 };
    double sum = 0.0, whole = 0.0;

    for (int k = 0; k < ANGLES; k++) {
        const double angle = TWO_PI * (k + 0.5) / ANGLES, weight = exp(x * (cos(angle) - 1.0));
        whole += weight;
        for (int j = 0; j < STEPS; j++) {
            const double step = (2.0 * j + 1.0) / STEPS - 1.0;
            const double gain = x * (cos(angle + 2.0 * atan(epsilon * step)) - cos(angle));
            sum += weight * (gain < 0.0 ? exp(gain) : 1.0) / STEPS;
        }
    }
    return sum / whole;
}

/* ---- few sites: integrals over all their angles */

enum { FEW_SITES = 4 };

/* On `angles` equidistant ones for each site. */
static inline void vector_integrate(const vector_model *m, int angles, double *mean)
{
    const int sites = field_sites(&m->lattice);
    double s[VECTOR * FEW_SITES], whole = 0.0;
    long states = 1;

    assert_in_range(sites, 1, FEW_SITES);
    for (int i = 0; i < sites; i++)
        states *= angles;
    memset(mean, 0, V_QUANTITIES * sizeof *mean);
    for (long state = 0; state < states; state++) {
        double m0 = 0.0, m1 = 0.0;
        long left = state;
        for (int i = 0; i < sites; i++, left /= angles) {
            const double angle = TWO_PI * (double)(left % angles) / angles;
            m0 += s[VECTOR * i] = cos(angle);
            m1 += s[VECTOR * i + 1] = sin(angle);
        }
        const double energy = vector_energy(m, s), e = energy / sites;
        const double weight = exp(-m->beta * energy), m2 = (m0 * m0 + m1 * m1) / sites / sites;
        const double of[] = {[V_E] = e,
                             [V_E2] = e * e,
                             [V_M_0] = m0 / sites,
                             [V_M_1] = m1 / sites,
                             [V_M2] = m2,
                             [V_M4] = m2 * m2,
                             [V_HELICITY_0] = vector_helicity(m, s, 0),
                             [V_HELICITY_1] = m->lattice.dims > 1 ? vector_helicity(m, s, 1) : 0.0};
        for (size_t q = 0; q < ALL(of); q++)
            mean[q] += weight * of[q];
        whole += weight;
    }
    for (int q = 0; q < V_QUANTITIES; q++)
        mean[q] /= whole;
}

/* Those which have an answer. */
static const int integrated[] = {V_E, V_E2, V_M_0, V_M_1, V_M2, V_M4, V_HELICITY_0, V_HELICITY_1};

/* More angles change nothing. */
static inline void vector_answers(const vector_model *m, double *mean)
{
    double more[V_QUANTITIES];
    const int angles = field_sites(&m->lattice) < FEW_SITES ? 40 : 20;

    vector_integrate(m, angles, mean);
    vector_integrate(m, angles + 3, more);
    for (size_t k = 0; k < ALL(integrated); k++)
        assert_true(fabs(mean[integrated[k]] - more[integrated[k]]) < 1e-7);
}

#undef ON
#undef ON_N

#endif
