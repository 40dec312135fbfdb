# SPDX-License-Identifier: BSD-3-Clause
"""The table of pulls.sh: pulls.py FOLDER, which has LEVEL.PROGRAM.SEED.json of each run.

A number of a run is (name, value, error, truth, marked); without a truth it is the mean of all seeds.
"""
import json
import math
import os
import sys


# D. Schaich and W. Loinaz, Phys. Rev. D 79, 056008 (2009): g = 6 and 1/Lambda = 0 in two dimensions.
MU2_C = -1.27251


def ising_binder(j):
    yield 'T_c', j['t_c'], j['error'], j['exact'], j.get('too_short', False)


def xy_helicity(j):
    yield 'T_KT', j['t_kt'], j['error'], j['known'], j.get('too_short', False)


def phi4_phase(j):
    for lattice in j['lattices']:
        name = 'x'.join(str(n) for n in lattice['extents'])
        t = lattice['transition']
        yield 'mu2 %s, alone' % name, t['mu2'], t['statistical_error'], None, t['too_short']
        if len(lattice['extents']) == 2:
            yield 'mu2_c ' + name, t['mu2'], t['error'], MU2_C, t['too_short']


def ising_glass(j):
    for x in j['crossings']:
        name = 'T_x %d %d' % (x['size'], x['larger_size'])
        yield name, x['temperature'], x['temperature_error'], None, x.get('too_short', False)
    for size in j['sizes']:
        for k in (0, len(size['points']) - 1):
            p = size['points'][k]
            for key in ('energy', 'g', 'xi_over_l'):
                yield '%s L=%d, all' % (key, size['size']), p[key], p[key + '_error'], k, False


def heisenberg_glass(j):
    for size in j['sizes']:
        for p in size['bins'][-1]['points']:
            d = p['observables']['difference']
            yield 'identity L=%d' % size['size'], d['mean'], d['error'], 0.0, d['too_short']


def potts_thermodynamics(j):
    for curve in j['two_states']:
        for p in curve['points']:
            for key in ('energy', 'specific_heat'):
                if p['exact'][key] is not None:
                    name = '%s of two states' % key
                    yield name, p[key]['mean'], p[key]['error'], p['exact'][key], p[key]['too_short']
    ten = j['ten_states']
    for phase in ('ordered', 'disordered'):
        yield phase, ten[phase]['energy'], ten[phase]['error'], ten[phase]['exact'], False
    yield 'latent heat', ten['latent_heat'], ten['latent_heat_error'], ten['latent_heat_exact'], False


def blume_capel_tricritical(j):
    hot, cold = j['points'][0]['hot'], j['points'][0]['cold']
    error = math.hypot(hot['error'], cold['error'])
    yield 'hot less cold', hot['quadrupole'] - cold['quadrupole'], error, 0.0, False


PROGRAMS = {'latmc-' + f.__name__.replace('_', '-'): f for f in
            (ising_binder, xy_helicity, phi4_phase, ising_glass, heisenberg_glass, potts_thermodynamics,
             blume_capel_tricritical)}


def is_number(x):
    return isinstance(x, (int, float)) and math.isfinite(x)


def pulls_of(found):
    """The pulls of one number's (value, error, truth), in the order of the seeds."""
    free = [v for v, _, truth in found if truth is None]
    mean, n = (sum(free) / len(free), len(free)) if free else (0, 2)
    widen = math.sqrt(n / (n - 1)) if n > 1 else math.nan
    return [(v - mean) / e * widen if truth is None else (v - truth) / e for v, e, truth in found]


def rows_of(program, runs):
    """Lines of the table: by name, what all seeds say."""
    found, marked, missing, names = {}, {}, {}, []
    for run in runs:
        said = list(PROGRAMS[program](run))
        for name, value, error, truth, mark in said:
            key = (name, truth if program == 'latmc-ising-glass' else None)
            if name not in names:
                names.append(name)
            if program == 'latmc-ising-glass':
                truth = None
            if is_number(value) and is_number(error) and error > 0:
                found.setdefault(name, {}).setdefault(key, []).append((value, error, truth))
            else:
                missing[name] = missing.get(name, 0) + 1
            marked[name] = marked.get(name, 0) + bool(mark)
    for name in names:
        parts = found.get(name, {}).values()
        pulls = [p for part in parts for p in pulls_of(part)]
        if pulls:
            errors = sorted(e for part in parts for _, e, _ in part)
            rms = math.sqrt(sum(p * p for p in pulls) / len(pulls))
            yield (name, len(pulls), rms, sum(pulls) / len(pulls), max(pulls, key=abs),
                   errors[len(errors) // 2], marked[name], missing.get(name, 0))


def main(folder):
    runs, failed = {}, {}
    for name in os.listdir(folder):
        if name.endswith('.json'):
            level, program, seed, _ = name.split('.')
            try:
                with open(os.path.join(folder, name), encoding='utf-8') as file:
                    runs.setdefault((level, program), []).append((int(seed), json.load(file)))
            except ValueError:
                failed[level, program] = failed.get((level, program), 0) + 1
    line = '%-24s %-7s %-28s %6s %6s %6s %6s %10s %6s %5s %8s'
    print(line % ('program', 'effort', 'number', 'pulls', 'rms', 'mean', 'most', 'error', 'marked',
                  'none', 'seconds'))
    for level, program in sorted(runs, key=lambda k: (k[1], k[0])):
        all_runs = [run for _, run in sorted(runs[level, program], key=lambda r: r[0])]
        seconds = sum(run['seconds'] for run in all_runs) / len(all_runs)
        for name, n, rms, mean, most, error, marked, missing in rows_of(program, all_runs):
            print(line % (program, level, name, n, '%.2f' % rms, '%+.2f' % mean, '%+.1f' % most,
                          '%.2g' % error, marked, missing, '%.1f' % seconds))
    for (level, program), count in sorted(failed.items()):
        print('%s at %s effort: %d runs without an output' % (program, level, count))


main(sys.argv[1])
