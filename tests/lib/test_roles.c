/* SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of each kind, the roles of observables, and the structs that begin with their size. */
#include "tests/support.h"

/* No number means two things, of whatever kinds and models. */
static latmc_model nth_model(int m)
{
    latmc_description info = LATMC_INIT(latmc_description);

    ok(latmc_describe(LATMC_MODELS, (latmc_model)0, m, &info));
    return (latmc_model)info.id;
}

static void numbers_belong_to_one_kind(void **state)
{
    enum { MOST = 4000 };
    static int owner[MOST]; /* kind, or 1 for a status */
    int64_t models = 0;

    (void)state;
    ok(latmc_count(LATMC_MODELS, (latmc_model)0, &models));
    assert_in_range(models, 2, 100);
#define OWN(name, value, text) owner[value] = 1;
    LATMC_STATUS_LIST(OWN)
#undef OWN
    for (int kind = LATMC_MODELS; kind <= LATMC_PAIR_OBSERVABLES; kind++) {
        assert_int_equal(owner[kind], 0);
        owner[kind] = -1;
    }
    for (int kind = LATMC_MODELS; kind <= LATMC_PAIR_OBSERVABLES; kind++)
        for (int m = 0; m < models; m++) {
            const latmc_model model = nth_model(m);
            int64_t count = 0;

            ok(latmc_count((latmc_kind)kind, model, &count));
            for (int i = 0; i < count; i++) {
                latmc_description info = LATMC_INIT(latmc_description);

                ok(latmc_describe((latmc_kind)kind, model, i, &info));
                assert_in_range(info.id, 1, MOST - 1);
                assert_true(owner[info.id] == 0 || owner[info.id] == kind);
                owner[info.id] = kind;
            }
        }
    for (int role = 900; role < 1000; role++)
        assert_int_equal(owner[role], 0);
}

static const latmc_role roles[] = {
    LATMC_ROLE_NONE,      LATMC_ROLE_ENERGY,     LATMC_ROLE_ENERGY2,    LATMC_ROLE_ENERGY4,
    LATMC_ROLE_ORDER,     LATMC_ROLE_ABS_ORDER,  LATMC_ROLE_ORDER2,     LATMC_ROLE_ORDER4,
    LATMC_ROLE_STRUCTURE, LATMC_ROLE_OCCUPATION, LATMC_ROLE_ACCEPTANCE, LATMC_ROLE_CHANGED,
    LATMC_ROLE_SLOT,      LATMC_ROLE_HOLDER};

/* Which observable of a model has a role; those that are not here have none. */
typedef struct part {
    latmc_model model;
    latmc_role role;
    const char *name;
} part;

static const part parts[] = {
    {LATMC_POTTS, LATMC_ROLE_ENERGY, "energy"},
    {LATMC_POTTS, LATMC_ROLE_ENERGY2, "energy2"},
    {LATMC_POTTS, LATMC_ROLE_ENERGY4, "energy4"},
    {LATMC_POTTS, LATMC_ROLE_ABS_ORDER, "abs_magnetization"},
    {LATMC_POTTS, LATMC_ROLE_ORDER2, "m2"},
    {LATMC_POTTS, LATMC_ROLE_ORDER4, "m4"},
    {LATMC_POTTS, LATMC_ROLE_CHANGED, "changed"},
    {LATMC_POTTS, LATMC_ROLE_OCCUPATION, "occupation"},
    {LATMC_CLOCK, LATMC_ROLE_ENERGY, "energy"},
    {LATMC_CLOCK, LATMC_ROLE_ENERGY2, "energy2"},
    {LATMC_CLOCK, LATMC_ROLE_ENERGY4, "energy4"},
    {LATMC_CLOCK, LATMC_ROLE_ABS_ORDER, "abs_magnetization"},
    {LATMC_CLOCK, LATMC_ROLE_ORDER2, "m2"},
    {LATMC_CLOCK, LATMC_ROLE_ORDER4, "m4"},
    {LATMC_CLOCK, LATMC_ROLE_STRUCTURE, "structure"},
    {LATMC_CLOCK, LATMC_ROLE_CHANGED, "changed"},
    {LATMC_CLOCK, LATMC_ROLE_OCCUPATION, "occupation"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ENERGY, "energy"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ENERGY2, "energy2"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ENERGY4, "energy4"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ORDER, "magnetization"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ABS_ORDER, "abs_magnetization"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ORDER2, "m2"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_ORDER4, "m4"},
    {LATMC_BLUME_CAPEL, LATMC_ROLE_CHANGED, "changed"},
    {LATMC_AUTOMATON, LATMC_ROLE_ORDER, "density"},
    {LATMC_AUTOMATON, LATMC_ROLE_CHANGED, "changed"},
    {LATMC_AUTOMATON, LATMC_ROLE_SLOT, "slot"},
    {LATMC_AUTOMATON, LATMC_ROLE_HOLDER, "holder"},
    {LATMC_ISING, LATMC_ROLE_ENERGY, "energy"},
    {LATMC_ISING, LATMC_ROLE_ENERGY2, "energy2"},
    {LATMC_ISING, LATMC_ROLE_ENERGY4, "energy4"},
    {LATMC_ISING, LATMC_ROLE_ORDER, "magnetization"},
    {LATMC_ISING, LATMC_ROLE_ABS_ORDER, "abs_magnetization"},
    {LATMC_ISING, LATMC_ROLE_ORDER2, "m2"},
    {LATMC_ISING, LATMC_ROLE_ORDER4, "m4"},
    {LATMC_ISING, LATMC_ROLE_STRUCTURE, "structure"},
    {LATMC_ISING, LATMC_ROLE_CHANGED, "changed"},
    {LATMC_ISING, LATMC_ROLE_SLOT, "slot"},
    {LATMC_ISING, LATMC_ROLE_HOLDER, "holder"},
    {LATMC_ONVECTOR, LATMC_ROLE_ENERGY, "energy"},
    {LATMC_ONVECTOR, LATMC_ROLE_ENERGY2, "energy2"},
    {LATMC_ONVECTOR, LATMC_ROLE_ENERGY4, "energy4"},
    {LATMC_ONVECTOR, LATMC_ROLE_ABS_ORDER, "abs_magnetization"},
    {LATMC_ONVECTOR, LATMC_ROLE_ORDER2, "m2"},
    {LATMC_ONVECTOR, LATMC_ROLE_ORDER4, "m4"},
    {LATMC_ONVECTOR, LATMC_ROLE_STRUCTURE, "structure"},
    {LATMC_ONVECTOR, LATMC_ROLE_ACCEPTANCE, "acceptance"},
    {LATMC_ONVECTOR, LATMC_ROLE_SLOT, "slot"},
    {LATMC_ONVECTOR, LATMC_ROLE_HOLDER, "holder"},
    {LATMC_PHI4, LATMC_ROLE_ENERGY, "energy"},
    {LATMC_PHI4, LATMC_ROLE_ENERGY2, "energy2"},
    {LATMC_PHI4, LATMC_ROLE_ENERGY4, "energy4"},
    {LATMC_PHI4, LATMC_ROLE_ORDER, "magnetization"},
    {LATMC_PHI4, LATMC_ROLE_ABS_ORDER, "abs_magnetization"},
    {LATMC_PHI4, LATMC_ROLE_ORDER2, "m2"},
    {LATMC_PHI4, LATMC_ROLE_ORDER4, "m4"},
    {LATMC_PHI4, LATMC_ROLE_STRUCTURE, "structure"},
    {LATMC_PHI4, LATMC_ROLE_ACCEPTANCE, "acceptance"},
    {LATMC_PHI4, LATMC_ROLE_SLOT, "slot"},
    {LATMC_PHI4, LATMC_ROLE_HOLDER, "holder"},
};

#define PAIRS(model, q, name)                                                                      \
    {model, LATMC_ROLE_ORDER2, q "2"}, {model, LATMC_ROLE_ORDER4, q "4"},                          \
    {                                                                                              \
        model, LATMC_ROLE_STRUCTURE, name "_structure"                                             \
    }

/* Of pairs. */
static const part pair_parts[] = {
    PAIRS(LATMC_ISING, "overlap", "overlap"),
    PAIRS(LATMC_PHI4, "overlap", "overlap"),
    PAIRS(LATMC_ONVECTOR, "tensor_overlap", "tensor"),
    {LATMC_ISING, LATMC_ROLE_ORDER, "overlap"},
    {LATMC_PHI4, LATMC_ROLE_ORDER, "overlap"},
    {LATMC_ISING, LATMC_ROLE_ABS_ORDER, "abs_overlap"},
    {LATMC_PHI4, LATMC_ROLE_ABS_ORDER, "abs_overlap"},
};

static void check_role(latmc_kind kind, latmc_model model, const latmc_description *info)
{
    const int of_pairs = kind == LATMC_PAIR_OBSERVABLES;
    const part *list = of_pairs ? pair_parts : parts;
    const size_t count = of_pairs ? ALL(pair_parts) : ALL(parts);
    int known_role = 0;

    for (size_t i = 0; i < ALL(roles); i++)
        known_role |= info->role == (int)roles[i];
    assert_true(known_role);
    assert_int_equal(info->role == LATMC_ROLE_STRUCTURE,
                     info->role != LATMC_ROLE_NONE && info->index == LATMC_INDEX_AXIS);
    assert_int_equal(info->role == LATMC_ROLE_OCCUPATION, info->index == LATMC_INDEX_STATE);
    assert_true(info->second == LATMC_INDEX_NONE || info->role == LATMC_ROLE_NONE);
    for (size_t i = 0; i < count; i++) {
        const int same = info->role == (int)list[i].role;

        if (list[i].model == model)
            assert_int_equal(strcmp(info->name, list[i].name) == 0, same);
    }
}

/* An observable has one role, a role no more than one observable, and other things have none. */
static void observables_have_their_roles(void **state)
{
    int64_t models = 0;

    (void)state;
    ok(latmc_count(LATMC_MODELS, (latmc_model)0, &models));
    for (int m = 0; m < models; m++)
        for (int kind = LATMC_MODELS; kind <= LATMC_PAIR_OBSERVABLES; kind++) {
            const latmc_model model = nth_model(m);
            unsigned char taken[1000] = {0};
            int64_t count = 0;

            ok(latmc_count((latmc_kind)kind, model, &count));
            for (int i = 0; i < count; i++) {
                latmc_description info = LATMC_INIT(latmc_description);

                ok(latmc_describe((latmc_kind)kind, model, i, &info));
                if (kind != LATMC_OBSERVABLES && kind != LATMC_PAIR_OBSERVABLES) {
                    assert_int_equal(info.role | info.index | info.second, 0);
                    continue;
                }
                check_role((latmc_kind)kind, model, &info);
                assert_true(info.role == LATMC_ROLE_NONE || !taken[info.role]++);
            }
        }
}

/* A struct of another age: shorter is refused, longer is filled up with zeros. */
static void the_size_of_a_struct_is_respected(void **state)
{
    struct {
        latmc_description info;
        unsigned char more[40];
    } newer;
    latmc_description info = {.size = offsetof(latmc_description, bits), .id = 42};

    (void)state;
    refused(LATMC_ERROR_ARGUMENT, "sizeof(latmc_description)",
            latmc_describe(LATMC_PARAMS, LATMC_ISING, 0, &info));
    info.size = 0;
    refused(LATMC_ERROR_ARGUMENT, "size", latmc_describe(LATMC_PARAMS, LATMC_ISING, 0, &info));
    info.size = (size_t)-1;
    refused(LATMC_ERROR_ARGUMENT, "size", latmc_describe(LATMC_PARAMS, LATMC_ISING, 0, &info));
    assert_int_equal(info.id, 42);
    memset(&newer, 0xaa, sizeof newer);
    newer.info.size = sizeof newer - 8;
    ok(latmc_describe(LATMC_PARAMS, LATMC_ISING, 0, &newer.info));
    assert_string_equal(newer.info.name, "beta");
    assert_true(newer.info.size == sizeof newer - 8);
    for (size_t i = 0; i < sizeof newer.more; i++)
        assert_int_equal(newer.more[i], i < sizeof newer.more - 8 ? 0 : 0xaa);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_belong_to_one_kind),
        cmocka_unit_test(observables_have_their_roles),
        cmocka_unit_test(the_size_of_a_struct_is_respected),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
