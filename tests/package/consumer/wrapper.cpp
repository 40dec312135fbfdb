// SPDX-License-Identifier: BSD-3-Clause
// A user's program: a class around a lattice, with exceptions, vectors and names.
#include <latmc/latmc.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#if !LATMC_VERSION_AT_LEAST(0, 1, 0)
#error "latmc 0.1 or later is needed"
#endif

namespace mc
{
struct Error : std::runtime_error {
    latmc_status status;
    explicit Error(latmc_status s) : std::runtime_error(latmc_error_message()), status(s)
    {
    }
};

void check(latmc_status status)
{
    if (status)
        throw Error(status);
}

class Lattice
{
    struct Destroy {
        void operator()(latmc_lattice *l) const
        {
            latmc_destroy(l);
        }
    };
    std::unique_ptr<latmc_lattice, Destroy> handle;

  public:
    Lattice(latmc_model model, const std::vector<std::int64_t> &extents)
    {
        latmc_lattice *made = nullptr;

        check(
            latmc_create(&made, model, static_cast<std::int64_t>(extents.size()), extents.data()));
        handle.reset(made);
    }

    latmc_lattice *get() const
    {
        return handle.get();
    }

    latmc_lattice_info info() const
    {
        latmc_lattice_info i = LATMC_INIT(latmc_lattice_info);

        check(latmc_get_lattice_info(get(), &i));
        return i;
    }

    void set(const std::string &name, double value)
    {
        std::int32_t id;

        check(latmc_find(LATMC_PARAMS, static_cast<latmc_model>(info().model), name.c_str(), &id));
        check(latmc_set_param(get(), static_cast<latmc_param>(id), value));
    }

    latmc_quantity find(const std::string &text) const
    {
        latmc_quantity q;

        check(latmc_quantity_find(get(), text.c_str(), &q));
        return q;
    }

    std::string text(const latmc_quantity &q) const
    {
        char text[64];

        check(latmc_quantity_text(get(), q, text, sizeof text));
        return text;
    }

    std::vector<latmc_quantity> all(latmc_observable observable) const
    {
        std::int64_t sizes[2];
        std::vector<latmc_quantity> quantities;

        check(latmc_quantity_sizes(get(), observable, sizes));
        for (std::int64_t i = 0; i < sizes[0]; i++)
            for (std::int64_t j = 0; j < sizes[1]; j++)
                quantities.push_back(latmc_quantity LATMC_QUANTITY(observable, i, j));
        return quantities;
    }

    void schedule(const std::vector<latmc_step> &steps)
    {
        check(latmc_set_schedule(get(), static_cast<std::int64_t>(steps.size()), steps.data()));
    }

    std::vector<double> record(latmc_update update, std::int64_t every, std::int64_t records,
                               const std::vector<std::string> &texts)
    {
        latmc_recording recording = LATMC_INIT(latmc_recording);
        std::vector<latmc_quantity> quantities;

        for (const std::string &t : texts)
            quantities.push_back(find(t));
        std::vector<double> series(texts.size() *
                                   static_cast<std::size_t>(info().replicas * records));
        recording.update = update;
        recording.every = every;
        recording.records = records;
        recording.quantity_count = static_cast<std::int64_t>(quantities.size());
        recording.quantities = quantities.data();
        recording.series = series.data();
        check(latmc_record(get(), &recording, nullptr));
        return series;
    }

    latmc_choice choice(latmc_update update, std::int64_t part = 0) const
    {
        latmc_choice c = LATMC_INIT(latmc_choice);

        check(latmc_get_choice(get(), part, update, &c));
        return c;
    }

    std::string report() const
    {
        std::size_t bytes;

        check(latmc_report(get(), nullptr, 0, &bytes));
        std::string text(bytes, '\0');
        check(latmc_report(get(), &text[0], text.size(), nullptr));
        text.pop_back();
        return text;
    }
};
} // namespace mc

static bool refuses_a_third_axis(mc::Lattice &lattice)
{
    try {
        lattice.find("structure[2]");
    } catch (const mc::Error &e) {
        std::cout << e.what() << '\n';
        return e.status == LATMC_ERROR_ARGUMENT;
    }
    return false;
}

int main()
try {
    mc::Lattice xy(LATMC_ONVECTOR, {16, 16});
    latmc_step over = LATMC_INIT(latmc_step), heat = LATMC_INIT(latmc_step);
    std::string names;

    over.update = LATMC_OVERRELAX;
    over.sweeps = 4;
    heat.update = LATMC_HEATBATH;
    heat.sweeps = 1;
    xy.set("beta", 1.0);
    xy.schedule({over, heat});
    mc::check(latmc_start(xy.get(), LATMC_START_HOT));
    for (const latmc_quantity &q : xy.all(LATMC_HELICITY))
        names += xy.text(q) + ' ';
    const auto series =
        xy.record(LATMC_SCHEDULE, 1, 100, {"energy", "helicity[0]", "magnetization[1]"});
    std::cout << names << '\n' << xy.report() << xy.choice(LATMC_HEATBATH).kernel << '\n';
    return !(names == "helicity[0] helicity[1] " && series.size() == 300 && series[99] < -0.5 &&
             refuses_a_third_axis(xy));
} catch (const std::exception &e) {
    std::cerr << e.what() << '\n';
    return 1;
}
