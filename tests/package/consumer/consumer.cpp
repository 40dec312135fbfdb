// SPDX-License-Identifier: BSD-3-Clause
// The same from C++, with its own memory management around the handle.
#include <latmc/latmc.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

int main()
{
    const std::vector<int64_t> extents = {8, 8, 8};
    latmc_lattice *raw = nullptr;
    if (std::string(latmc_version()) != EXPECTED_VERSION ||
        latmc_create(&raw, LATMC_ISING, 3, extents.data()) != LATMC_OK)
        return 1;
    std::unique_ptr<latmc_lattice, void (*)(latmc_lattice *)> lattice(raw, latmc_destroy);
    const latmc_quantity what = LATMC_QUANTITY(LATMC_MAGNETIZATION);
    double magnetization = 2;
    if (latmc_set_device(raw, "cpu") || latmc_start(raw, LATMC_START_HOT) ||
        latmc_sweep(raw, LATMC_HEATBATH, 10) ||
        latmc_observe(raw, LATMC_BY_REPLICA, 1, &what, &magnetization)) {
        std::fprintf(stderr, "%s\n", latmc_error_message());
        return 1;
    }
    return !(magnetization >= -1 && magnetization <= 1);
}
