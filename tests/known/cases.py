#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The cases of the known answers, tests/known/answers.txt, without their answers.

Every shape comes several times, each time with the values of the other factors that have been met
least often beside the ones already chosen: so any two values of any two factors come together
somewhere, unless they exclude each other.

    cases.py | known --print --table /dev/stdin > answers.txt
"""
import itertools
import random

from factors import *  # noqa: F403


def sites_of(shape):
    sites = 1
    for x in shape.split("x"):
        sites *= int(x)
    return sites


def boundaries(kind, dims, dice):
    if kind in ("periodic", "antiperiodic", "open"):
        return [kind] * dims
    if kind == "mixed":
        return ["open", "periodic", "antiperiodic", "open"][:dims]
    chosen = ["periodic"] * dims
    chosen[dice.randrange(dims)] = kind.split()[1]
    return chosen


def ising_steps(kind, c, sites):
    sweeps = 20 if sites < 2000 else 6
    few = max(2, sweeps // 4)
    return {
        "metropolis": f"sweep:metropolis:{sweeps};observe:energy,magnetization,changed",
        "heat bath": f"sweep:heatbath:{sweeps};observe:energy,m4,changed",
        "series": f"sweep:metropolis:{few};record:metropolis:2x5:{ISING_THINGS}",
        "series of the last": f"record:heatbath:1x4:m2;record:metropolis:{few}x3:energy,m2",
        "set": f"sweep:metropolis:{few};set:beta:0.3,0.55,-0.2;sweep:heatbath:2;"
               f"axes:{','.join(['0.7'] * c['dims'])};sweep:metropolis:{few}",
        "save": f"sweep:metropolis:{few};save;sweep:metropolis:{few};observe:changed;save",
        "start again": f"sweep:metropolis:{few};start:hot;sweep:metropolis:1;sweep:metropolis:{few}",
    }[kind]


def ising(shape, c, number, dice):
    dims, sites = c["dims"], sites_of(shape)
    words = [f"model={c.get('model', 'ising')}", f"extents={shape}",
             "boundaries=" + ",".join(boundaries(c["boundaries"], dims, dice))]
    for key, plain in (("couplings", "uniform"), ("fields", "none")):
        if c.get(key, plain) != plain:
            kind, _, rest = c[key].partition(":")
            words.append(f"{key}={kind}:{number}" + (f":{rest}" if rest else ""))
    if "samples" in c:
        words.append("samples=" + {"each replica": f"{c['replicas']}:{number}", "one": f"1:{number}",
                                   "half": f"{int(c['replicas']) // 2}:{number}",
                                   "a third": f"{int(c['replicas']) // 3}:0"}[c["samples"]])
    axes = {"equal": ["-0.8"] * 4, "different": ["1", "-0.6", "0.4", "1.3"],
            "one zero": ["0.9", "0", "1.1", "-0.5"]}
    if c["axes"] in axes:
        words.append("axes=" + ",".join(axes[c["axes"]][:dims]))
    words += [f"replicas={c['replicas']}", f"first={c['first']}", f"seed={number}",
              f"threads={c['threads']}"]
    beta = ["0.6", "0.44", "0.23", "0.15"][dims - 1]
    words.append("beta=" + {"one": beta, "ramp": f"{beta}~0.7", "negative": f"-{beta}",
                            "zero among others": f"{beta},0,0.3", "large": "3.5"}[c["beta"]])
    if c["field"] != "none":
        words.append("field=" + {"one": "0.25", "each its own": "-0.1,0.4,0"}[c["field"]])
    words.append("start=" + c["start"].replace("given", f"given:{number}"))
    words.append("steps=" + ising_steps(c["steps"], c, sites))
    return words


def capel(shape, c, number, dice):
    words = ising(shape, {**c, "model": "blume_capel"}, number, dice)
    steps = words[-1].replace("m4,", "quadrupole2,")
    return words[:-2] + [f"crystal_field={c['crystal_field']}", words[-2],
                         steps.replace("set:beta:0.3,0.55,-0.2", "set:crystal_field:1.1,0.2")]


def field_steps(kind, c, sites):
    n = 4 if sites < 3000 else 2
    things = field_things(c["inv_lambda"] != "none")
    return {
        "metropolis": f"sweep:metropolis:{n};observe:energy,acceptance",
        "block": f"sweep:block_metropolis:{n};observe:energy,acceptance",
        "overrelax": f"sweep:metropolis:1;sweep:overrelax:{n};observe:energy,acceptance",
        "all": "sweep:metropolis:2;sweep:block_metropolis:2;sweep:overrelax:2;observe:acceptance",
        "series": f"record:block_metropolis:1x3:{things};record:metropolis:2x2:m2,m4,abs_magnetization",
        "structure": f"sweep:metropolis:{n};observe:" +
                     ",".join(f"structure[{a}]" for a in range(c["dims"])) + ",energy2,energy4",
        "set": "sweep:metropolis:1;set:mu2:0.4,-0.9;set:epsilon:0.7;sweep:block_metropolis:1;"
               "set:hits:2;sweep:metropolis:1;observe:acceptance",
        "save": "sweep:block_metropolis:2;save;sweep:overrelax:1;sweep:metropolis:1;save",
        "tune": "tune:metropolis:40:0.5;sweep:metropolis:1;tune:block_metropolis:20:0.4;"
                "sweep:block_metropolis:1;observe:acceptance",
    }[kind]


def field(shape, c, number, dice):
    dims, sites = c["dims"], sites_of(shape)
    words = ["model=phi4", f"extents={shape}",
             "boundaries=" + ",".join(boundaries(c["boundaries"], dims, dice)),
             f"replicas={c['replicas']}", f"first={c['first']}", f"seed={number}",
             f"options=precision:{c['precision']},cutoff:{int(c['inv_lambda'] != 'none')}",
             f"threads={c['threads']}"]
    words.append("mu2=" + {"one": "-0.5", "each its own": "-1.2,0.3,-0.4"}[c["mu2"]])
    words.append("g=3,5,0.5" if c["mu2"] == "each its own" else "g=3")
    cutoff = {"none": "0", "one": "0.25", "some": "0.5,0,1.5"}[c["inv_lambda"]]
    words.append(f"inv_lambda={cutoff}")
    if c["field"] == "one":
        words.append("field=0.15")
    words.append("epsilon=1.1")
    words.append("hits=" + c["hits"].replace("each its own", "2,5,1"))
    words.append("local_sweeps=" + c["local_sweeps"])
    words.append("start=" + c["start"].replace("given", f"given:{number}"))
    words.append("steps=" + field_steps(c["steps"], c, sites))
    return words


def vector_steps(kind, c, sites):
    n = 6 if sites < 3000 else 2
    more = more_things(int(c.get("n", "2")))
    return {
        "metropolis": f"sweep:metropolis:{n};observe:energy,acceptance",
        "overrelax": f"sweep:metropolis:1;sweep:overrelax:{n};observe:{VECTOR_THINGS}",
        "heat bath": f"sweep:heatbath:{n};observe:{more}",
        "series of the bath": f"record:heatbath:2x3:{more};sweep:overrelax:2;observe:m4",
        "series": f"record:metropolis:2x3:{VECTOR_THINGS};record:metropolis:1x2:energy2,energy4",
        "series of reflections": f"sweep:metropolis:1;record:overrelax:1x3:{VECTOR_THINGS}",
        "series of energies": "record:overrelax:1x3:energy;record:metropolis:2x2:energy,m2;"
                              "record:heatbath:1x2:energy,acceptance;axes:"
                              f"{','.join(['-0.7', '1.2', '0.5', '0.9'][:c['dims']])};observe:energy",
        "set": f"sweep:metropolis:{n};set:beta:0.3,1.5;set:field:0.4;set:epsilon:0.7;"
               f"axes:{','.join(['-0.7', '1.2', '0.5', '0.9'][:c['dims']])};sweep:overrelax:1;"
               "set:hits:3;sweep:metropolis:1;observe:energy,acceptance",
        "save": "sweep:metropolis:2;save;sweep:overrelax:1;sweep:metropolis:1;observe:energy;save",
        "tune": "tune:metropolis:20:0.7;sweep:overrelax:1;sweep:metropolis:1;observe:acceptance",
    }[kind]


def vectors(shape, c, number, dice):
    dims, sites = c["dims"], sites_of(shape)
    words = ["model=onvector", f"extents={shape}",
             "boundaries=" + ",".join(boundaries(c["boundaries"], dims, dice))]
    for key, plain in (("couplings", "uniform"), ("fields", "none")):
        if c[key] != plain:
            kind, _, rest = c[key].partition(":")
            words.append(f"{key}={kind}:{number}:{rest}")
    if c["samples"] != "one":
        count = int(c["replicas"]) // (2 if c["samples"] == "half" else 1)
        words.append(f"samples={count}:{number}")
    axes = {"different": ["1", "-0.6", "0.4", "1.3"], "one zero": ["0.9", "0", "1.1", "-0.5"]}
    if c["axes"] in axes:
        words.append("axes=" + ",".join(axes[c["axes"]][:dims]))
    words += [f"replicas={c['replicas']}", f"first={c['first']}", f"seed={number}",
              f"options=precision:{c['precision']},n:{c.get('n', '2')}",
              f"threads={c['threads']}"]
    beta = ["1.5", "1.1", "0.45", "0.3"][dims - 1]
    words.append("beta=" + {"one": beta, "ramp": f"{beta}~2", "negative": f"-{beta}",
                            "large": "300"}[c["beta"]])
    if c["field"] != "none":
        words.append("field=" + {"one": "0.25", "each its own": "-0.1,0.4"}[c["field"]])
    words.append("epsilon=" + c["epsilon"].replace("each its own", "0.05,1"))
    words.append("hits=" + c["hits"].replace("each its own", "2,7"))
    words.append("start=" + c["start"].replace("given", f"given:{number}"))
    words.append("steps=" + vector_steps(c["steps"], c, sites))
    return words


def potts_steps(kind, c, sites):
    n = 6 if sites < 3000 else 2
    return {
        "metropolis": f"sweep:metropolis:{n};observe:energy,order_parameter,changed",
        "other": f"sweep:metropolis_other:{n};observe:energy,m2,changed",
        "heat bath": f"sweep:heatbath:{n};observe:{POTTS_THINGS}",
        "series": f"record:metropolis:2x3:{POTTS_THINGS};record:metropolis_other:1x2:energy4,m4",
        "series of the bath": f"record:heatbath:2x3:{POTTS_THINGS};sweep:metropolis:1;observe:m4",
        "set": f"sweep:metropolis:{n};set:beta:0.3,1.5;set:field:0.4;"
               f"axes:{','.join(['-0.7', '1.2', '0.5', '0.9'][:c['dims']])};sweep:heatbath:1;"
               "sweep:metropolis_other:1;observe:energy,changed",
        "save": "sweep:heatbath:2;save;sweep:metropolis:1;observe:energy;save",
    }[kind]


def clock_steps(kind, c, sites):
    n = 6 if sites < 3000 else 2
    return {
        "metropolis": f"sweep:metropolis:{n};observe:energy,m2,changed",
        "heat bath": f"sweep:heatbath:{n};observe:{CLOCK_THINGS}",
        "series": f"record:metropolis:2x3:{CLOCK_THINGS};sweep:heatbath:1;observe:energy4",
        "series of the bath": f"record:heatbath:2x3:{CLOCK_THINGS};sweep:metropolis:1;observe:m4",
        "set": f"sweep:metropolis:{n};set:beta:0.3,1.5;set:field:0.4;"
               f"axes:{','.join(['-0.7', '1.2', '0.5', '0.9'][:c['dims']])};sweep:heatbath:1;"
               "sweep:metropolis:1;observe:energy,changed",
        "save": "sweep:heatbath:2;save;sweep:metropolis:1;observe:energy;save",
    }[kind]


def clock(shape, c, number, dice):
    return states_of("clock", clock_steps, shape, c, number, dice)


def potts(shape, c, number, dice):
    return states_of("potts", potts_steps, shape, c, number, dice)


def states_of(model, steps, shape, c, number, dice):
    dims, sites = c["dims"], sites_of(shape)
    words = [f"model={model}", f"extents={shape}",
             "boundaries=" + ",".join(boundaries(c["boundaries"], dims, dice))]
    for key, plain in (("couplings", "uniform"), ("fields", "none")):
        if c[key] != plain:
            kind, _, rest = c[key].partition(":")
            words.append(f"{key}={kind}:{number}:{rest}")
    if c["samples"] != "one":
        count = int(c["replicas"]) // (2 if c["samples"] == "half" else 1)
        words.append(f"samples={count}:{number}")
    axes = {"different": ["1", "-0.6", "0.4", "1.3"], "one zero": ["0.9", "0", "1.1", "-0.5"]}
    if c["axes"] in axes:
        words.append("axes=" + ",".join(axes[c["axes"]][:dims]))
    words += [f"replicas={c['replicas']}", f"first={c['first']}", f"seed={number}",
              f"options=q:{c['q']}", f"threads={c['threads']}"]
    beta = ["1.5", "1.1", "0.6", "0.4"][dims - 1]
    words.append("beta=" + {"one": beta, "ramp": f"{beta}~2.5", "negative": f"-{beta}",
                            "large": "30"}[c["beta"]])
    if c["field"] != "none":
        words.append("field=" + {"one": "0.25", "each its own": "-0.1,0.4"}[c["field"]])
    words.append("start=" + c["start"].replace("given", f"given:{number}"))
    words.append("steps=" + steps(c["steps"], c, sites))
    return words


def cell_steps(kind):
    return {
        "synchronous": "sweep:synchronous:23;observe:density,changed",
        "series": "record:synchronous:2x5:density,changed;sweep:synchronous:1;observe:changed",
        "set": "sweep:synchronous:3;set:noise:0.25,0;sweep:synchronous:4;start:hot;"
               "sweep:synchronous:2;slots:3;sweep:synchronous:1;observe:density",
        "save": "sweep:synchronous:3;save;sweep:synchronous:2;observe:changed;save",
    }[kind]


def cells(shape, c, number, dice):
    words = ["model=automaton", f"extents={shape}",
             "boundaries=" + ",".join(boundaries(c["boundaries"], 2, dice))]
    if c["rule"] != "none":
        words.append(f"options={c['rule']}")
    words += [f"replicas={c['replicas']}", f"first={c['first']}", f"seed={number}",
              f"threads={c['threads']}"]
    if c["noise"] != "none":
        words.append(f"noise={c['noise']}")
    words.append("start=" + c["start"].replace("given", f"given:{number}"))
    words.append("steps=" + cell_steps(c["steps"]))
    return words


def cost(model, shape, c):
    replicas = int(c["replicas"])
    if model in (ising, capel):
        return sites_of(shape) * replicas / 2.0e5
    if model is cells:
        return sites_of(shape) * replicas / 5.0e6
    if model in (potts, clock):
        return sites_of(shape) * replicas / 2.0e5
    if model is vectors:
        return sites_of(shape) * replicas * (20 if c["steps"] == "tune" else 5) / 1.0e6
    hits = 5 if c["hits"] == "each its own" else int(c["hits"])
    block = int(c["local_sweeps"]) if c["steps"] in ("block", "all", "series", "save", "tune") else 1
    return sites_of(shape) * replicas * hits * block * (20 if c["steps"] == "tune" else 1) / 1.0e6


def cases(model, shapes, factors, times, number):
    met = {}
    dice = random.Random(number)
    for _, shape in itertools.product(range(times), shapes):
        best = None
        for _ in range(200):
            c = {name: dice.choice(values) for name, values in factors.items()}
            if cost(model, shape, c) > 0.2:
                continue
            if factors is REALS and c["fields"] == "none" and c["couplings"][0] in "du":
                continue
            pairs = list(itertools.combinations(sorted(c.items()), 2))
            pairs += [(("shape", shape), item) for item in c.items()]
            fewest = sum(1.0 / (1 + met.get(p, 0)) ** 2 for p in pairs)
            if best is None or fewest > best[0]:
                best = (fewest, c, pairs)
        for p in best[2]:
            met[p] = met.get(p, 0) + 1
        number += 1
        c = {**best[1], "dims": shape.count("x") + 1}
        print(" ".join(model(shape, c, number, dice)))


# Slots that are moved, and rounds with exchanges: their seeds say which (tests/random/case.h).
TEMPERED = """
model=ising extents=8x8 replicas=9 seed=11001 beta=0.3~0.5 start=hot steps=slots:5;sweep:metropolis:7;observe:energy,m2;rounds:metropolis:6:8589934849;save;rounds:heatbath:4:16843522;observe:energy
model=ising extents=64x64 replicas=5 first=7 seed=11002 beta=0.43~0.45 start=hot steps=rounds:metropolis:12:4294967552;slots:8;record:metropolis:3x4:energy,changed
model=ising extents=7x5 boundaries=periodic,open replicas=6 seed=11003 beta=0.2~0.6 field=-0.3,0.4 start=cold steps=rounds:heatbath:5:16908545;set:beta:0.3~0.7;rounds:metropolis:5:66049
model=ising extents=6x4x4 couplings=drawn:11004:20:50 samples=4:9 replicas=16 first=3 seed=11004 beta=0.4~1.1 start=hot steps=slots:3;rounds:metropolis:8:4295033345;slots:4;hash;rounds:metropolis:3:131585
model=ising extents=128x16 replicas=3 seed=11005 beta=0.42,0.44,0.43 start=hot steps=rounds:metropolis:40:257;observe:energy,changed
model=ising extents=300 replicas=4 seed=11006 beta=0.5~1.5 start=hot steps=slots:6;rounds:metropolis:5:513;save;rounds:heatbath:5:4294967809
model=ising extents=6x6x4 couplings=gaussian:11007:10:0.2:1 samples=2:5 replicas=8 seed=11007 beta=0.4~1.2 start=hot steps=slots:5;rounds:metropolis:6:4295033345;observe:energy,changed;rounds:heatbath:3:16843522
model=ising extents=9x5 fields=reals:11008:0:0:0.7 replicas=5 seed=11008 beta=0.3~0.9 start=cold steps=rounds:metropolis:7:66049;slots:9;sweep:heatbath:3;save;observe:energy
model=phi4 extents=8x8 options=precision:32,cutoff:0 replicas=6 seed=11009 mu2=-1.4~-0.9 g=6 epsilon=1.1 start=hot steps=slots:3;rounds:metropolis:5:4295033345;observe:energy,m2;rounds:overrelax:3:16843522
model=phi4 extents=9x7x5 options=precision:64,cutoff:1 replicas=3 first=5 seed=11010 mu2=-1.5~-1.2 inv_lambda=0.1,0.2 hits=3 start=hot steps=rounds:metropolis:4:66049;slots:6;tune:metropolis:3:0.5;save;rounds:metropolis:2:513
model=phi4 extents=16x16 options=precision:32,cutoff:1 replicas=4 seed=11011 mu2=-1.3~-1 g=5 inv_lambda=0.05~0.15 local_sweeps=3 start=cold steps=rounds:block_metropolis:3:4294967809;slots:7;record:block_metropolis:1x3:energy,acceptance
model=onvector extents=8x8 options=precision:32,n:2 replicas=6 seed=11012 beta=0.8~1.2 start=hot steps=slots:3;rounds:metropolis:5:4295033345;rounds:overrelax:3:16843522;observe:energy,m2
model=onvector extents=6x4x5 options=precision:64,n:2 couplings=gaussian:11013:10:0:1 fields=reals:11013:0:0:0.5 samples=3:2 replicas=9 seed=11013 beta=0.5~1.5 field=0.2 hits=2 start=hot steps=rounds:metropolis:5:66049;slots:4;tune:metropolis:3:0.4;save;rounds:overrelax:4:513
model=onvector extents=50 boundaries=open options=precision:64,n:2 replicas=4 seed=11014 beta=1~3 start=cold steps=rounds:metropolis:6:4294967809;observe:energy,acceptance
model=onvector extents=32x32x4 options=precision:32,n:3 couplings=gaussian:11015:0:0:1 replicas=20 seed=11015 beta=0.5~2 start=hot steps=rounds:metropolis:6:257;observe:energy,acceptance;record:overrelax:2x3:energy;rounds:heatbath:3:513;rounds:metropolis:2:257;observe:energy,acceptance,m2
model=phi4 extents=36x40x4 options=precision:64,cutoff:1 replicas=3 seed=11016 mu2=-1.4~-1 inv_lambda=0.1 start=hot steps=rounds:metropolis:3:257;observe:energy,m2,acceptance;record:metropolis:2x2:energy,m4;rounds:metropolis:2:257;observe:acceptance
model=onvector extents=768x512x2 options=precision:32,n:2 replicas=2 seed=11017 beta=0.9,1.1 start=hot steps=record:overrelax:1x2:energy;rounds:metropolis:2:257;observe:energy
model=onvector extents=512x2000 options=precision:32,n:2 replicas=1 seed=11018 beta=0.9 start=hot steps=record:metropolis:1x2:energy;observe:energy,acceptance
"""

# The last two have halves that begin with the second site of a pair (lib/physics/draws.h).
TEMPERED_VECTORS = """
model=onvector extents=8x8 options=precision:32,n:3 replicas=6 seed=14001 beta=0.8~1.2 start=hot steps=slots:3;rounds:heatbath:5:4295033345;rounds:overrelax:3:16843522;observe:energy,m2
model=onvector extents=6x4x5 options=precision:64,n:4 couplings=gaussian:14002:10:0:1 fields=reals:14002:0:0:0.5 samples=3:2 replicas=9 seed=14002 beta=0.5~1.5 field=0.2 hits=2 start=hot steps=rounds:heatbath:5:66049;slots:4;tune:metropolis:3:0.4;save;rounds:overrelax:4:513
model=onvector extents=6x6x6 options=precision:32,n:3 couplings=gaussian:14003:0:0:1 replicas=4 seed=14003 beta=-1e6,1e6,0,1e-20 start=hot steps=sweep:heatbath:4;observe:energy,acceptance
model=onvector extents=7x30 options=precision:32,n:3 couplings=gaussian:14004:0:0:1 replicas=1 seed=14004 beta=0.7 start=hot steps=sweep:heatbath:4;observe:energy,acceptance
model=onvector extents=6x34 options=precision:64,n:3 couplings=gaussian:14005:0:0:1 replicas=1 seed=14005 beta=1.3 start=hot steps=sweep:heatbath:4;observe:energy,acceptance
"""

# The last one draws 2^32 - 1 where all states are as likely.
TEMPERED_STATES = """
model=potts extents=8x8 options=q:3 replicas=6 seed=16001 beta=0.8~1.2 start=hot steps=slots:3;rounds:metropolis:5:4295033345;rounds:heatbath:3:16843522;observe:energy,m2
model=potts extents=6x4x5 boundaries=periodic,open,periodic options=q:200 couplings=drawn:16002:10:60 fields=reals:16002:0:0:0.5 samples=3:2 replicas=9 seed=16002 beta=0.5~2.5 field=0.2 start=hot steps=rounds:heatbath:5:66049;slots:4;save;rounds:metropolis:4:513
model=potts extents=6x4x5 boundaries=periodic,open,periodic options=q:4 couplings=drawn:16003:10:60 samples=3:2 replicas=9 seed=16003 beta=0.5~2.5 field=0.2 start=hot steps=rounds:heatbath:5:66049;slots:4;save;rounds:metropolis:4:513
model=potts extents=8x6x4 options=q:2 replicas=7 first=5 seed=16004 beta=0.3~0.9 start=hot steps=rounds:metropolis:6:4295033345;slots:3;rounds:metropolis_other:5:16843522;observe:energy,order_parameter
model=potts extents=64x4 replicas=1 options=q:4 seed=36842616 beta=0 start=cold steps=sweep:heatbath:1;observe:energy,m2
model=potts extents=256x256 replicas=2 options=q:3 seed=16005 beta=0.9,1.1 start=hot steps=sweep:metropolis:4;record:metropolis:2x3:energy,changed;record:metropolis_other:1x2:energy,occupation[1]
model=potts extents=70x20x16 replicas=3 options=q:4 seed=16006 beta=0.3,0.6,1 start=hot steps=record:metropolis_other:3x2:energy,occupation[0];sweep:metropolis:2
"""


TEMPERED_THREE = """
model=blume_capel extents=8x8 replicas=6 seed=26001 beta=0.8~1.2 crystal_field=1.2 start=hot steps=slots:3;rounds:metropolis:5:4295033345;rounds:heatbath:3:16843522;observe:energy,m2
model=blume_capel extents=6x4x5 boundaries=periodic,open,antiperiodic couplings=drawn:26002:10:60 samples=3:2 replicas=9 seed=26002 beta=0.5~2.5 crystal_field=0.3~1.8 field=0.2 start=hot steps=rounds:heatbath:5:66049;slots:4;save;rounds:metropolis:4:513
model=blume_capel extents=66x4 replicas=5 first=7 seed=26003 beta=1.6 crystal_field=1.9~2.02 start=cold steps=rounds:metropolis:12:4294967552;slots:8;record:metropolis:3x4:energy,quadrupole,changed
"""


# Samples where all bonds are the same: their ladders are still apart.
UNIFORM_SAMPLES = """
model=ising extents=8x8 samples=3:1 replicas=12 seed=27001 beta=0.4 start=hot steps=rounds:metropolis:9:257;observe:energy
model=ising extents=7x5 samples=2:0 replicas=8 seed=27002 beta=0.3~0.5 field=0.1 start=hot steps=rounds:heatbath:6:257;observe:energy
model=onvector extents=8x6 options=precision:64,n:3 samples=3:2 replicas=9 seed=27004 beta=1.1 start=hot steps=rounds:heatbath:7:257;observe:energy
model=potts extents=8x8 options=q:3 samples=2:0 replicas=10 seed=27005 beta=0.9 start=hot steps=rounds:metropolis:7:257;observe:energy
model=potts extents=8x8 options=q:20 samples=2:0 replicas=10 seed=27006 beta=0.8~1.2 start=hot steps=rounds:heatbath:5:257;observe:energy
model=blume_capel extents=2x2 samples=3:0 replicas=81 first=2 seed=27007 beta=0.7044 crystal_field=6 start=hot steps=rounds:heatbath:8:257;observe:energy,quadrupole
"""

# As many tiles as blocks of four need on a GPU of 132 multiprocessors: 532 of a sub-grid.
MANY_TILES = """
model=phi4 extents=64x64 boundaries=periodic,antiperiodic options=precision:32,cutoff:1 replicas=133 first=3 seed=29001 mu2=-0.7 g=3 inv_lambda=0.25 epsilon=1.1 hits=8,8,2,5,1 start=hot steps=sweep:block_metropolis:1;observe:energy,acceptance
model=phi4 extents=32x16x16 boundaries=antiperiodic,periodic,periodic options=precision:32,cutoff:1 replicas=133 seed=29002 mu2=-0.7 g=3 inv_lambda=0.25 field=0.1 epsilon=1.1 hits=8,8,16,3 start=hot steps=sweep:block_metropolis:1;observe:energy,acceptance
"""

# As many small lattices as on a GPU of 132 multiprocessors take longer to draw for than to walk, so
# that warps without words help (backends/cuda/bits/ising_resident.cu), for one group a walker and for two;
# the last one in more than two batches, so that they draw for one while others walk by another.
MANY_SMALL = """
model=ising extents=64x64 replicas=130 seed=31001 beta=0.3~0.6 start=hot steps=sweep:metropolis:60;observe:energy,changed
model=ising extents=64x64 replicas=220 first=9 seed=31002 beta=0.3~0.6 start=hot steps=record:metropolis:20x3:energy,changed
model=ising extents=16x16x16 couplings=drawn:31003:0:50 samples=2:5 replicas=600 seed=31003 beta=0.2~1.1 start=hot steps=sweep:metropolis:12;observe:energy
model=ising extents=64x64 replicas=100 seed=31004 beta=0.3~0.6 start=hot steps=sweep:metropolis:530;observe:energy
"""

# As few that each has a multiprocessor to itself, whose words are one to eight warps; where drawing
# takes longer than walking all the same, so that others help there; and meters beside few warps.
FEW_SMALL = """
model=ising extents=64x64 replicas=45 seed=35001 beta=0.3~0.6 start=hot steps=sweep:metropolis:530;observe:energy,changed
model=ising extents=128x128 replicas=60 seed=35002 beta=0.3~0.6 start=hot steps=sweep:metropolis:70;observe:energy,changed
model=ising extents=32x32 replicas=9 first=4 seed=35003 beta=0.3~0.6 start=hot steps=record:metropolis:1x90:energy,changed;record:metropolis:3x20:energy
model=ising extents=64x64 replicas=7 seed=35004 beta=0.3~0.6 start=hot steps=record:metropolis:1x90:energy,changed;record:metropolis:3x20:energy
model=ising extents=64x96 replicas=5 seed=35005 beta=0.3~0.6 start=hot steps=record:metropolis:1x90:energy,changed;record:metropolis:3x20:energy
model=ising extents=8x24x16 replicas=33 seed=35006 beta=0.1~0.4 start=hot steps=record:metropolis:1x60:energy,changed;record:metropolis:2x9:energy
model=ising extents=16x16x16 couplings=drawn:35007:0:50 samples=2:5 replicas=200 seed=35007 beta=0.2~1.1 start=hot steps=record:metropolis:1x40:energy,changed
model=ising extents=6x4x4x8 replicas=70 seed=35008 beta=0.1~0.3 start=hot steps=record:metropolis:1x60:energy,changed
"""

# Few whose meters have what the multiprocessor has left: two teams beside eight and twelve warps, one
# beside seventeen to twenty-four, where replicas share words and where not, none beside more; one
# where memory lacks for two. And launches of one batch, of some, of some and a short one; records that are too long for meters.
FEW_METERED = """
model=ising extents=128x126 replicas=3 seed=37001 beta=0.3~0.6 start=hot steps=record:metropolis:1x90:energy,changed;record:metropolis:3x20:energy
model=ising extents=16x16x16 replicas=11 first=2 seed=37002 beta=0.1~0.4 start=hot steps=record:metropolis:1x90:energy,changed,m2;record:metropolis:2x20:energy
model=ising extents=180x180 replicas=2 seed=37003 beta=0.3~0.6 start=hot steps=record:metropolis:1x60:energy,changed
model=ising extents=24x24x24 replicas=5 seed=37004 beta=0.1~0.4 start=hot steps=record:metropolis:1x60:energy,changed;record:metropolis:2x20:energy
model=ising extents=192x256 couplings=drawn:37005:0:50 replicas=2 seed=37005 beta=0.3~0.9 start=hot steps=record:metropolis:1x40:energy,changed
model=ising extents=200x256 replicas=2 seed=37006 beta=0.3~0.6 start=hot steps=record:metropolis:1x40:energy,changed
model=ising extents=8x8x8x8 replicas=9 seed=37007 beta=0.1~0.3 start=hot steps=record:metropolis:1x40:energy,changed
model=ising extents=4x6x8x8 replicas=19 seed=37008 beta=0.1~0.3 start=hot steps=record:metropolis:1x60:energy,changed
model=ising extents=64x62 replicas=3 seed=37009 beta=0.3~0.6 start=hot steps=sweep:metropolis:32;sweep:metropolis:33;sweep:metropolis:75;sweep:metropolis:250;observe:energy,changed
model=ising extents=16x16x16 replicas=33 seed=37010 beta=0.1~0.4 start=hot steps=record:metropolis:16x5:energy,changed;record:metropolis:17x5:energy,changed;record:metropolis:100x3:energy
"""

# Planes too large for a cache, which GPUs go through strip by strip; the last strip is a smaller one.
LARGE_PLANES = """
model=phi4 extents=2048x516x6 boundaries=periodic,periodic,antiperiodic options=precision:32,cutoff:1 seed=36001 mu2=-0.7 g=3 inv_lambda=0.25 epsilon=1.1 hits=1 start=hot steps=sweep:metropolis:1;sweep:overrelax:1;observe:energy,acceptance
model=phi4 extents=2046x264x6 options=precision:64,cutoff:1 seed=36002 mu2=-0.7 g=3 inv_lambda=0.25 epsilon=1.1 hits=2 start=hot steps=sweep:metropolis:1;observe:energy,acceptance
"""

# One call after the other with the same parameters: what a call counts is its own.
CALLS = """
model=ising extents=64x64 replicas=3 seed=30001 beta=0.44 start=hot steps=sweep:metropolis:3;observe:changed;sweep:metropolis:2;observe:changed;sweep:heatbath:1;observe:changed;sweep:metropolis:1;observe:changed,energy
model=ising extents=512x256 replicas=2 seed=30002 beta=0.4,0.5 start=hot steps=sweep:metropolis:2;observe:changed;sweep:metropolis:2;observe:changed;sweep:metropolis:1;observe:changed
model=ising extents=33x5x4 boundaries=open,periodic,antiperiodic replicas=4 seed=30003 beta=0.3 field=0.1 start=hot steps=sweep:metropolis:1;observe:changed;sweep:metropolis:2;observe:changed
model=potts extents=64x32 options=q:3 replicas=3 seed=30004 beta=0.9 start=hot steps=sweep:metropolis:2;observe:changed;sweep:metropolis:1;observe:changed
model=blume_capel extents=64x32 replicas=3 seed=30005 beta=0.9 crystal_field=1 start=hot steps=sweep:metropolis:2;observe:changed;sweep:metropolis:1;observe:changed
model=phi4 extents=16x16x16 options=precision:32,cutoff:1 replicas=2 seed=30006 mu2=-0.7 g=3 inv_lambda=0.25 epsilon=1.1 hits=2 start=hot steps=sweep:metropolis:2;observe:acceptance;sweep:metropolis:1;observe:acceptance
model=onvector extents=16x16x8 options=precision:32,n:3 replicas=2 seed=30007 beta=0.8 hits=2 start=hot steps=sweep:metropolis:2;observe:acceptance;sweep:metropolis:1;observe:acceptance
"""

# In a field and larger than what a block of a GPU keeps.
LARGE_IN_FIELD = """
model=potts extents=512x160 options=q:3 replicas=2 seed=31001 beta=0.8,1 field=0.3 start=hot steps=sweep:metropolis:3;observe:energy,changed
model=potts extents=256x40x34 options=q:4 replicas=1 seed=31002 beta=0.5 field=-0.4 start=hot steps=sweep:metropolis:2;sweep:metropolis_other:2;observe:energy,changed
model=potts extents=512x160 options=q:9 replicas=1 seed=31003 beta=1.1 field=0.2 start=hot steps=sweep:metropolis:3;observe:energy,changed
model=blume_capel extents=512x160 replicas=2 seed=31004 beta=0.9 crystal_field=1 field=0.3 start=hot steps=sweep:metropolis:3;observe:energy,changed
model=blume_capel extents=256x40x34 replicas=1 seed=31005 beta=0.5 crystal_field=1.5 field=-0.2 start=hot steps=sweep:metropolis:3;observe:energy,changed
"""


# Exchanges.
TEMPERED_CLOCKS = """
model=clock extents=8x8 options=q:6 replicas=6 seed=36001 beta=0.8~1.4 start=hot steps=slots:3;rounds:metropolis:5:4295033345;rounds:heatbath:3:16843522;observe:energy,m2
model=clock extents=6x4x5 boundaries=periodic,open,periodic options=q:64 couplings=gaussian:36002:10:0:1 fields=reals:36002:0:0:0.5 samples=3:2 replicas=9 seed=36002 beta=0.5~1.5 field=0.2 start=hot steps=rounds:heatbath:5:66049;slots:4;save;rounds:metropolis:4:513
"""

# Ensembles beyond 2^16 groups and samples: for each kernel, groups that begin a new 2^16, or the last ones.
FAR = """
model=ising extents=512x64 replicas=4 first=65534 seed=37001 beta=0.44 start=hot steps=sweep:metropolis:6;observe:energy,changed
model=ising extents=256x256 first=4294967295 seed=37002 beta=0.44 start=hot steps=record:metropolis:4x3:energy
model=ising extents=64x64 replicas=40 first=65516 seed=37003 beta=0.3~0.5 start=hot steps=sweep:metropolis:9;record:metropolis:3x4:energy,changed
model=ising extents=16x16x16 replicas=30 first=262134 seed=37004 beta=0.2~0.25 start=hot steps=sweep:metropolis:9;record:metropolis:2x4:energy
model=ising extents=128x16 couplings=drawn:37005:20:50 samples=2:65535 replicas=4 first=65533 seed=37005 beta=0.8 field=0.1 start=hot steps=sweep:metropolis:5;sweep:heatbath:3;observe:energy
model=ising extents=33x34 replicas=3 first=65534 seed=37006 beta=0.4 start=hot steps=sweep:metropolis:6;observe:energy,changed
model=ising extents=65x9x8 couplings=given:37007:0:40 replicas=3 first=65534 seed=37007 beta=0.4 start=hot steps=sweep:metropolis:5;sweep:heatbath:3
model=ising extents=24x24 couplings=gaussian:37008:10:0.2:1 samples=4:65534 replicas=4 first=65534 seed=37008 beta=0.9 start=hot steps=sweep:metropolis:5;sweep:heatbath:3;observe:energy
model=phi4 extents=64x64 options=precision:32,cutoff:1 replicas=4 first=65534 seed=37009 mu2=-0.7 g=3 inv_lambda=0.25 hits=4 start=hot steps=sweep:metropolis:3;sweep:block_metropolis:2;observe:energy,acceptance
model=phi4 extents=16x16x16 options=precision:64,cutoff:0 replicas=4 first=65534 seed=37010 mu2=-0.5 g=3 hits=2 start=hot steps=sweep:metropolis:3;sweep:block_metropolis:2;observe:energy,acceptance
model=phi4 extents=11x9x7 options=precision:32,cutoff:1 replicas=3 first=4294967293 seed=37011 mu2=-0.5 g=3 inv_lambda=0.25 start=hot steps=sweep:metropolis:4;sweep:overrelax:2
model=onvector extents=64x64 options=precision:32,n:3 replicas=4 first=65534 seed=37012 beta=1.2 start=hot steps=sweep:heatbath:3;sweep:metropolis:3;sweep:overrelax:2;observe:energy
model=onvector extents=9x14 options=precision:64,n:2 couplings=gaussian:37013:5:0:1 samples=2:4294967294 replicas=2 first=4294967294 seed=37013 beta=1.2 start=hot steps=sweep:heatbath:3;sweep:metropolis:3
model=potts extents=64x64 options=q:3 replicas=4 first=65534 seed=37014 beta=1 start=hot steps=sweep:metropolis:4;sweep:metropolis_other:3;sweep:heatbath:3;observe:energy
model=potts extents=32x32 options=q:4 replicas=9 first=131068 seed=37015 beta=1 start=hot steps=sweep:metropolis:7;record:metropolis_other:2x3:energy
model=potts extents=33x34 options=q:8 couplings=drawn:37016:20:50 samples=3:65534 replicas=3 first=65534 seed=37016 beta=1 start=hot steps=sweep:metropolis:4;sweep:heatbath:3
model=potts extents=24x20 options=q:20 replicas=4 first=65534 seed=37017 beta=1.5 start=hot steps=sweep:metropolis:4;sweep:heatbath:3;observe:energy
model=blume_capel extents=64x64 replicas=5 first=65534 seed=37018 beta=1.6 crystal_field=1.9 start=hot steps=sweep:metropolis:5;sweep:heatbath:3;observe:energy
model=blume_capel extents=33x10 replicas=3 first=65534 seed=37019 beta=1.2 crystal_field=0.5 start=hot steps=sweep:metropolis:5;sweep:heatbath:3
model=clock extents=24x20 options=q:6 replicas=4 first=65534 seed=37020 beta=1.1 start=hot steps=sweep:metropolis:4;sweep:heatbath:3;observe:energy
model=automaton extents=70x40 options=birth:8,survival:12 replicas=4 first=65534 seed=37021 noise=0.125 start=hot steps=sweep:synchronous:9;observe:density
model=automaton extents=600x70 options=birth:8,survival:12 replicas=3 first=4294967293 seed=37022 noise=0.125 start=hot steps=sweep:synchronous:5;observe:density
"""


def main():
    print("# Known answers, those of the scalar lane; tests/known/known.c. A line: the answer for the")
    print("# trajectory, that for state hashes and saves, the case. tests/known/cases.py made the cases.")
    cases(ising, ISING_SHAPES, ISING, 4, 1000)
    cases(ising, UNIFORM_SHAPES, UNIFORM, 5, 2000)
    cases(ising, SAMPLE_SHAPES, SAMPLES, 2, 3000)
    cases(field, FIELD_SHAPES, FIELD, 5, 5000)
    cases(vectors, VECTOR_SHAPES, VECTOR, 2, 7000)
    cases(ising, VECTOR_SHAPES, REALS, 2, 9000)
    print(TEMPERED.strip())
    cases(vectors, VECTOR_SHAPES, VECTOR_MORE, 3, 12000)
    cases(vectors, VECTOR_SHAPES, VECTOR_BATH, 1, 13000)
    print(TEMPERED_VECTORS.strip())
    cases(vectors, LEAVING_SHAPES, VECTOR_LEAVING, 3, 14100)
    cases(potts, POTTS_SHAPES, POTTS, 3, 15000)
    print(TEMPERED_STATES.strip())
    cases(potts, WORDS_SHAPES, WORDS, 3, 17000)
    cases(potts, PLAIN_SHAPES, PLAIN, 3, 19000)
    cases(cells, CELL_SHAPES, CELLS, 3, 20000)
    cases(potts, WORDS_SHAPES, MANY, 3, 21000)
    cases(potts, PLAIN_SHAPES, PLAIN_MANY, 3, 22000)
    cases(potts, BATH_SHAPES, BATHS, 3, 23000)
    cases(capel, WORDS_SHAPES, CAPEL, 3, 24000)
    cases(capel, PLAIN_SHAPES, PLAIN_CAPEL, 2, 25000)
    print(TEMPERED_THREE.strip())
    cases(potts, PLAIN_SHAPES, IN_FIELD, 2, 27000)
    cases(capel, PLAIN_SHAPES, CAPEL_IN_FIELD, 2, 28000)
    print(UNIFORM_SAMPLES.strip())
    print(MANY_TILES.strip())
    print(MANY_SMALL.strip())
    print(CALLS.strip())
    print(LARGE_IN_FIELD.strip())
    cases(potts, SHARED_BATH_SHAPES, SHARED_BATHS, 2, 33000)
    cases(ising, ODD_SHAPES, UNIFORM, 2, 34000)
    print(FEW_SMALL.strip())
    print(LARGE_PLANES.strip())
    print(FEW_METERED.strip())
    cases(clock, CLOCK_SHAPES, CLOCK, 3, 35000)
    print(TEMPERED_CLOCKS.strip())
    print(FAR.strip())


if __name__ == "__main__":
    main()
