/* SPDX-License-Identifier: BSD-3-Clause */
/* Devices are described and chosen by their names. */
#include "tests/lib/devices.h"

static void devices_are_described(void **state)
{
    latmc_device_info info = {.size = sizeof info};
    int usable = 0;

    (void)state;
    assert_true(known_devices() >= 3);
    ok(latmc_describe_device(0, &info));
    assert_string_equal(info.name, "cuda:0");
    assert_string_equal(info.text, "its fan is missing");
    assert_int_equal(info.usable, 0);
    for (int64_t i = 1; i < known_devices(); i++) {
        ok(latmc_describe_device(i, &info));
        assert_true(strlen(info.text) > 2);
        usable += info.usable;
    }
    assert_true(usable >= 2);
    refused(LATMC_ERROR_ARGUMENT, "NULL", latmc_describe_device(0, NULL));
    refused(LATMC_ERROR_ARGUMENT, "-1", latmc_describe_device(-1, &info));
    refused(LATMC_ERROR_ARGUMENT, "there are 0 to", latmc_describe_device(known_devices(), &info));
    info.size = 4;
    refused(LATMC_ERROR_ARGUMENT, "size", latmc_describe_device(0, &info));
}

static void names_that_cannot_be_had_are_refused(void **state)
{
    latmc_lattice *lat = new_lattice(1, (int64_t[]){8});
    const latmc_status no = LATMC_ERROR_NO_DEVICE;
    char small[31];

    (void)state;
    ok(latmc_set_device(lat, "cpu:scalar"));
    refused(LATMC_ERROR_ARGUMENT, "device is NULL", latmc_set_device(lat, NULL));
    refused(no, "cuda:0 cannot be used: its fan is missing", latmc_set_device(lat, "cuda:0"));
    refused(no, "devices of cuda are: cuda:0 (not usable: its fan is missing), cuda:1",
            latmc_set_device(lat, "cuda:2"));
    refused(no, "devices of cpu are:", latmc_set_device(lat, "cpu:sse9"));
    refused(no, "no device \"tpu:0\"; there are: cuda:0", latmc_set_device(lat, "tpu:0"));
    refused(no, "no device \"\"", latmc_set_device(lat, ""));
    refused(no, "no device \"CPU\"", latmc_set_device(lat, "CPU"));
    refused(no, "no device", latmc_set_device(lat, "auto "));
    refused(no, "cpu:", latmc_set_device(lat, "cpu:"));
    refused(no, "cuda:01", latmc_set_device(lat, "cuda:01"));
    assert_string_equal(device_of(lat), "cpu:scalar");
    refused(LATMC_ERROR_ARGUMENT, "name", latmc_get_device(lat, NULL, 32));
    refused(LATMC_ERROR_ARGUMENT, "31 bytes", latmc_get_device(lat, small, sizeof small));
    latmc_destroy(lat);
}

static void auto_is_the_first_usable_and_the_environment_replaces_it(void **state)
{
    latmc_lattice *lat = new_lattice(1, (int64_t[]){8});

    (void)state;
    assert_string_equal(device_of(lat), "cuda:1");
    ok(latmc_set_device(lat, "cuda"));
    assert_string_equal(device_of(lat), "cuda:1");
    ok(latmc_set_device(lat, "cpu"));
    assert_memory_equal(device_of(lat), "cpu:", 4);
    setenv("LATMC_DEVICE", "cpu:scalar", 1);
    ok(latmc_set_device(lat, "cuda:1"));
    assert_string_equal(device_of(lat), "cuda:1");
    ok(latmc_set_device(lat, "auto"));
    assert_string_equal(device_of(lat), "cpu:scalar");
    setenv("LATMC_DEVICE", "cuda:7", 1);
    refused(LATMC_ERROR_NO_DEVICE, "variable LATMC_DEVICE: \"cuda:7\"",
            latmc_set_device(lat, "auto"));
    assert_string_equal(device_of(lat), "cpu:scalar");
    latmc_destroy(lat);
    lat = new_lattice(1, (int64_t[]){8});
    refused(LATMC_ERROR_NO_DEVICE, "LATMC_DEVICE", latmc_start(lat, LATMC_START_COLD));
    refused(LATMC_ERROR_NO_DEVICE, "LATMC_DEVICE", latmc_get_device(lat, (char[32]){0}, 32));
    setenv("LATMC_DEVICE", "auto", 1);
    assert_string_equal(device_of(lat), "cuda:1");
    setenv("LATMC_DEVICE", "", 1);
    ok(latmc_start(lat, LATMC_START_COLD));
    assert_string_equal(device_of(lat), "cuda:1");
    latmc_destroy(lat);
}

/* The fake has the Ising model alone. */
static void auto_has_the_model(void **state)
{
    latmc_lattice *lat = NULL;

    (void)state;
    ok(latmc_create(&lat, LATMC_PHI4, 1, (int64_t[]){8}));
    assert_memory_equal(device_of(lat), "cpu:", 4);
    ok(latmc_set_device(lat, "auto"));
    assert_memory_equal(device_of(lat), "cpu:", 4);
    ok(latmc_set_device(lat, "cuda"));
    refused(LATMC_ERROR_NO_DEVICE, "no model phi4", latmc_start(lat, LATMC_START_COLD));
    latmc_destroy(lat);
}

/* Lists: their devices in order, by single names. */
static void devices_are_listed(void **state)
{
    const latmc_status no = LATMC_ERROR_NO_DEVICE;
    latmc_lattice *lat = new_lattice(1, (int64_t[]){8});
    char name[512], many[512] = "cpu:scalar";

    (void)state;
    ok(latmc_set_device(lat, "cpu:scalar,scalar"));
    assert_string_equal(device_of(lat), "cpu:scalar,scalar");
    ok(latmc_set_device(lat, "cuda:1,1"));
    assert_string_equal(device_of(lat), "cuda:1,1");
    ok(latmc_set_device(lat, "cuda:1-1,all,1"));
    assert_string_equal(device_of(lat), "cuda:1,1,1");
    refused(no, "cuda:0 cannot be used: its fan is missing", latmc_set_device(lat, "cuda:0-1"));
    refused(no, "cuda:0 cannot be used: its fan is missing", latmc_set_device(lat, "cuda:1,0"));
    refused(no, "cuda:2", latmc_set_device(lat, "cuda:1-3"));
    refused(no, "cuda:3-1", latmc_set_device(lat, "cuda:3-1"));
    refused(no, "cuda:1-", latmc_set_device(lat, "cuda:1-"));
    refused(no, "cpu:-1", latmc_set_device(lat, "cpu:-1"));
    refused(no, "cpu:scalar,", latmc_set_device(lat, "cpu:scalar,"));
    refused(no, "cpu:,scalar", latmc_set_device(lat, "cpu:,scalar"));
    refused(no, "cpu:scalar,,scalar", latmc_set_device(lat, "cpu:scalar,,scalar"));
    refused(no, "cpu:cuda:1", latmc_set_device(lat, "cpu:scalar,cuda:1"));
    refused(no, "tpu", latmc_set_device(lat, "tpu:0,1"));
    for (int i = 1; i < 64; i++)
        strcat(many, ",scalar"); /* 459 bytes with the end */
    ok(latmc_set_device(lat, many));
    refused(LATMC_ERROR_ARGUMENT, "at least 452 are needed", latmc_get_device(lat, name, 451));
    ok(latmc_get_device(lat, name, 452));
    assert_string_equal(name, many);
    strcat(many, ",scalar");
    refused(no, "more than 64 devices", latmc_set_device(lat, many));
    latmc_destroy(lat);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(devices_are_described),
        cmocka_unit_test(names_that_cannot_be_had_are_refused),
        cmocka_unit_test(devices_are_listed),
        cmocka_unit_test(auto_has_the_model),
        cmocka_unit_test(auto_is_the_first_usable_and_the_environment_replaces_it),
    };

    return cmocka_run_group_tests(tests, no_wish, NULL);
}
