/* SPDX-License-Identifier: BSD-3-Clause */
// liblatmc from C++: errors as exceptions, a lattice that frees itself, and two lattices in
// two threads at the same time.
#include <latmc/latmc.h>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace
{

void check(latmc_status status)
{
    if (status != LATMC_OK)
        throw std::runtime_error(latmc_error_message());
}

struct Destroy {
    void operator()(latmc_lattice *lattice) const
    {
        latmc_destroy(lattice);
    }
};
using Lattice = std::unique_ptr<latmc_lattice, Destroy>;

Lattice ising(const std::vector<std::int64_t> &extents)
{
    latmc_lattice *lattice = nullptr;

    check(latmc_create(&lattice, LATMC_ISING, static_cast<int>(extents.size()), extents.data()));
    return Lattice(lattice);
}

// Mean energy per site at one temperature.
latmc_estimate energy(const std::vector<std::int64_t> &extents, double beta)
{
    const Lattice lattice = ising(extents);
    const latmc_quantity what = LATMC_QUANTITY(LATMC_ENERGY);
    std::vector<double> series(10000);
    latmc_estimate estimate = LATMC_INIT(latmc_estimate);
    latmc_recording run = LATMC_INIT(latmc_recording);

    run.update = LATMC_METROPOLIS;
    run.every = 5;
    run.records = 10000;
    run.quantity_count = 1;
    run.quantities = &what;
    run.series = series.data();
    check(latmc_set_param(lattice.get(), LATMC_BETA, beta));
    check(latmc_set_device(lattice.get(), "cpu"));
    check(latmc_set_threads(lattice.get(), 1));
    check(latmc_start(lattice.get(), LATMC_START_COLD));
    check(latmc_sweep(lattice.get(), LATMC_METROPOLIS, 1000));
    check(latmc_record(lattice.get(), &run, nullptr));
    check(latmc_analyse(series.data(), 10000, &estimate));
    return estimate;
}

struct Task {
    std::vector<std::int64_t> extents;
    double beta;
    latmc_estimate result;
    std::string error;

    void operator()() noexcept
    {
        try {
            result = energy(extents, beta);
        } catch (const std::exception &e) {
            error = e.what();
        }
    }
};

} // namespace

int main()
{
    Task tasks[] = {{{64, 64}, 0.43, {}, {}}, {{16, 16, 16}, 0.22, {}, {}}};
    std::thread first(std::ref(tasks[0])), second(std::ref(tasks[1]));
    int failed = 0;

    first.join();
    second.join();
    for (const Task &task : tasks) {
        if (task.error.empty())
            std::printf("%zuD, beta %.2f: energy per site %.5f +- %.5f\n", task.extents.size(),
                        task.beta, task.result.value, task.result.error);
        else
            std::fprintf(stderr, "%s\n", task.error.c_str());
        failed |= !task.error.empty();
    }
    return failed;
}
