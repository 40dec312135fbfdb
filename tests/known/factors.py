# SPDX-License-Identifier: BSD-3-Clause
"""What the cases of the known answers are made of: shapes, and the values of each factor."""

# Even extents are folded (two sublattices, packed rows of half the length); others have two or three
# colours. Rows of at most 16 bits share a word with other replicas.
ISING_SHAPES = """
2 10 15 33 64 101 1000 1001
2x2 4x6 7x9 8x12 10x10 16x16 32x31 33x17 35x16 64x64 65x33 66x30 96x20 128x64 521x12 1030x4
3x3x3 5x4x3 9x7x5 2x4x6 8x8x8 6x10x14 16x16x16 24x6x4 34x8x6 64x12x10 70x5x7 12x9x4
2x2x2x2 5x4x3x6 3x4x5x5 8x4x6x4 4x6x4x6 33x2x3x5 34x6x4x6
""".split()

# Those that every fast kernel of a GPU may sweep, if the couplings are of one magnitude.
UNIFORM_SHAPES = """
2x2 4x6 8x12 10x10 16x16 34x34 64x64 66x30 96x20 128x64 256x64 1030x4
8x8x8 6x10x14 16x16x16 24x6x4 64x12x10 34x8x6 2x4x6
2x2x2x2 8x4x6x4 4x6x4x6 34x6x4x6
""".split()

# Of such couplings those in natural order, which the uniform rule serves too.
ODD_SHAPES = "7x9 33x17 65x33 64x33 521x12 2x3 3x3x3 9x7x5 34x9x8 65x33x3 33x2x3x5 5x4x3x6".split()

# Rows that replicas of several samples share, and others; odd ones too.
SAMPLE_SHAPES = """
10 33 4x6 7x9 16x6 33x5 66x30 5x4x3 8x8x8 16x6x4 40x6x4 4x4x4x4 5x2x3x4
""".split()

# Extents that a small modulus divides, that need stretched sums of coordinates, and that need
# neither; tiles with and without a rest.
FIELD_SHAPES = """
5 16 37 250 1000
5x5 8x8 16x24 20x24 24x15 34x33 48x30 7x64
5x6x7 8x8x8 16x24 16x8x12 11x9x7 29x14 29x14x35 24x24x24 20x10x15 37x8x8 17x19x5
5x5x5x5 6x5x4x8 8x8x8x8 16x4x4x8 10x5x6x9
""".split()

# Vectors that have neighbours of their own, or are one lane of several; natural and folded.
VECTOR_SHAPES = """
2 7 38 1000
2x2 5x5 8x8 16x24 33x34 7x64 96x20
2x2x2 5x6x7 8x8x8 16x8x12 11x9x7 24x24x8 17x19x5
2x3x2x4 5x4x3x6 8x8x4x4
""".split()

# Layers of whole leaves, which a sweep can leave behind, even and odd ones, and not quite such.
LEAVING_SHAPES = """
256x4 512x3 16x16x4 64x8x5 32x24x6 16x24x4
""".split()

ISING = {
    "boundaries": ["periodic", "periodic", "one antiperiodic", "one open", "mixed", "open"],
    "couplings": ["uniform", "uniform", "drawn", "given:0:40", "given:30:10"],
    "axes": ["one", "one", "equal", "different", "one zero"],
    "beta": ["one", "ramp", "negative", "zero among others", "large"],
    "field": ["none", "none", "one", "each its own"],
    "replicas": ["1", "2", "32", "37"],
    "first": ["0", "0", "5", "65000"],
    "start": ["hot", "hot", "cold", "given"],
    "threads": ["1", "2", "3"],
    "steps": ["metropolis", "metropolis", "heat bath", "series", "series of the last", "set",
              "save", "start again"],
}

SAMPLES = {
    **ISING,
    "couplings": ["drawn", "drawn:0:80", "drawn:20:50", "given:0:40", "given:30:10"],
    "samples": ["each replica", "a third", "a third", "one"],
    "replicas": ["3", "12", "33"],
}

UNIFORM = {
    **ISING,
    "boundaries": ["periodic", "periodic", "one antiperiodic", "antiperiodic"],
    "couplings": ["uniform", "uniform", "drawn", "given:0:40"],
    "axes": ["one", "one", "equal"],
    "beta": ["one", "one", "ramp", "negative", "large", "zero among others"],
    "field": ["none"],
    "replicas": ["1", "1", "1", "2", "16", "33", "64"],
    "steps": ["metropolis", "metropolis", "series", "series of the last", "save", "start again"],
}

FIELD = {
    "boundaries": ISING["boundaries"],
    "precision": ["32", "64"],
    "inv_lambda": ["none", "one", "one", "one", "some"],
    "mu2": ["one", "each its own"],
    "field": ["none", "one"],
    "hits": ["1", "3", "8", "each its own", "61"],
    "local_sweeps": ["1", "3"],
    "replicas": ["1", "1", "2", "5"],
    "first": ["0", "7"],
    "start": ISING["start"],
    "threads": ISING["threads"],
    "steps": ["metropolis", "block", "overrelax", "all", "series", "structure", "set", "save",
              "tune"],
}

# Real couplings and site fields: of these lattices each has one of both.
REALS = {
    "boundaries": ISING["boundaries"],
    "couplings": ["gaussian:0:0:1", "gaussian:20:0.5:2", "reals:10:0.3:1.5", "drawn:10:60",
                  "uniform"],
    "fields": ["gaussian:0:0.1:0.5", "reals:50:0:1", "drawn:30:50", "none"],
    "axes": ["one", "one", "different", "one zero"],
    "samples": ["one", "each replica", "half"],
    "beta": ISING["beta"],
    "field": ISING["field"],
    "replicas": ["2", "2", "4", "6"],
    "first": ["0", "7", "65000"],
    "start": ISING["start"],
    "threads": ISING["threads"],
    "steps": ISING["steps"],
}

VECTOR = {
    "boundaries": ISING["boundaries"],
    "couplings": ["uniform", "uniform", "gaussian:0:0:1", "gaussian:20:0.5:2", "drawn:10:60",
                  "reals:10:0.3:1.5"],
    "fields": ["none", "none", "gaussian:0:0.1:0.5", "reals:50:0:1", "drawn:30:50"],
    "axes": ["one", "one", "different", "one zero"],
    "samples": ["one", "each replica", "half"],
    "precision": ["32", "64"],
    "beta": ["one", "ramp", "negative", "large"],
    "field": ["none", "one", "each its own"],
    "hits": ["1", "1", "5", "each its own"],
    "epsilon": ["1", "0.4", "each its own"],
    "replicas": ["2", "2", "4", "6"],
    "first": ["0", "7", "65000"],
    "start": ISING["start"],
    "threads": ISING["threads"],
    "steps": ["metropolis", "overrelax", "series", "series of reflections", "set", "save", "tune"],
}

VECTOR_MORE = {
    **VECTOR,
    "n": ["3", "4"],
    "steps": ["metropolis", "heat bath", "heat bath", "series of the bath", "set", "save", "tune"],
}

# Two states of a byte's two halves, and as many as it has; more than a site has neighbours, and fewer.
POTTS_SHAPES = """
2 38 1000
2x2 5x5 8x8 33x34 7x64 96x20
2x2x2 5x6x7 16x8x12 17x19x5
2x3x2x4 8x8x4x4
""".split()

POTTS = {
    **REALS,
    "boundaries": ["periodic", "periodic", "one open", "open"],
    "couplings": ["uniform", "uniform", "gaussian:0:0:1", "reals:10:0.3:1.5", "drawn:10:60"],
    "fields": ["none", "none", "none", "gaussian:0:0.1:0.5", "reals:50:0:1"],
    "q": ["2", "3", "4", "20", "128", "256"],
    "beta": ["one", "ramp", "negative", "large"],
    "steps": ["metropolis", "other", "heat bath", "series", "series of the bath", "set", "save"],
}

CLOCK_SHAPES = """
2 38
2x2 5x5 33x34 96x20
5x6x7 16x8x12
2x3x2x4
""".split()

CLOCK = {
    **POTTS,
    "q": ["2", "3", "5", "6", "13", "64"],
    "steps": ["metropolis", "heat bath", "series", "series of the bath", "set", "save"],
}

# Those whose sites are in words.
WORDS_SHAPES = """
2 38 1000
2x6 7x5 8x8 33x34 6x66 96x20 128x48
2x2x2 5x6x7 4x6x8 16x8x12 66x4x6
2x3x2x4 8x4x6x4
""".split()

WORDS = {
    **POTTS,
    "couplings": ["uniform", "uniform", "drawn:10:60", "drawn:0:30"],
    "fields": ["none"],
    "boundaries": ["periodic", "periodic", "periodic", "one open", "open"],
    "field": ["none", "none", "one", "each its own"],
    "q": ["2", "3", "4"],
}

# Those of which all words are alike.
PLAIN_SHAPES = "2x2 8x8 6x66 96x20 128x48 258x6 2x2x2 4x6x8 16x8x12 66x4x6 2x4x2x4 8x4x6x4".split()

PLAIN = {
    **WORDS,
    "boundaries": ["periodic"],
    "couplings": ["uniform"],
    "axes": ["one"],
    "field": ["none"],
    "steps": ["metropolis", "other", "series", "set", "save"],
}

# Of three and four digits, with as many numbers drawn for a step as there are.
MANY = {**WORDS, "q": ["5", "6", "7", "8", "9", "10", "12", "14", "15", "16"]}
PLAIN_MANY = {**PLAIN, "q": MANY["q"]}

# Those whose heat bath goes by tables: rows of more than 32 sites.
BATH_SHAPES = "34x6 66x4 128x10 66x4x6 34x2x4x4".split()
BATHS = {**PLAIN, "q": WORDS["q"] + MANY["q"], "field": ["none", "one", "each its own"],
         "steps": ["heat bath", "series of the bath"]}
# And those whose replicas share words, each with a table of its own.
SHARED_BATH_SHAPES = "2x2 4x6 8x8 24x12 32x32 12x4x6 16x16x16 16x4x66 4x4x4x4 16x2x4x6".split()
SHARED_BATHS = {**BATHS, "replicas": ["2", "6", "18", "40"]}
# The Blume-Capel model, on shapes of words of any kind and on plain ones.
CAPEL = {
    **ISING,
    "couplings": ["uniform", "uniform", "drawn", "given:0:40", "given:30:10"],
    "crystal_field": ["0", "0.6", "1~1.9", "2", "-0.7,3"],
    "replicas": ["1", "2", "19"],
    "steps": ["metropolis", "metropolis", "heat bath", "series", "series of the last", "set", "save"],
}

PLAIN_CAPEL = {
    **CAPEL,
    "boundaries": ["periodic"],
    "couplings": ["uniform"],
    "axes": ["one", "equal"],
    "field": ["none"],
    "steps": ["metropolis", "metropolis", "series", "save"],
}

# Plain sites in a field.
IN_FIELD = {**PLAIN, "q": ["2", "3", "4", "5", "8", "9", "10", "16"],
            "field": ["one", "each its own"], "steps": ["metropolis", "other", "series"]}
CAPEL_IN_FIELD = {**PLAIN_CAPEL, "field": ["one", "each its own"]}

# Rows that share a word, that end in the middle of one, and that a block's words divide or not.
CELL_SHAPES = """
3x3 3x40 31x7 32x4 33x5 64x64 65x3 95x130 127x33 128x16 130x9 521x12 1024x8 1000x61 2050x3 4100x20
""".split()

CELLS = {
    "boundaries": ["periodic", "periodic", "one open", "open"],
    "rule": ["none", "birth:8", "birth:72", "birth:4,survival:0", "birth:511,survival:511",
             "birth:1,survival:256", "birth:200,survival:300", "birth:480,survival:496"],
    "noise": ["none", "none", "0.02", "0,0.3,1", "1e-9~0.5", "1"],
    "replicas": ["1", "2", "3", "33"],
    "first": ["0", "7", "65000"],
    "start": ["hot", "hot", "cold", "given"],
    "threads": ISING["threads"],
    "steps": ["synchronous", "series", "set", "save"],
}

VECTOR_LEAVING = {
    **VECTOR,
    "boundaries": ["periodic", "open", "mixed", "periodic"],
    "fields": ["none", "none", "none", "reals:50:0:1"],
    "field": ["none", "none", "each its own"],
    "n": ["2", "3", "4"],
    "steps": ["series of energies", "series of the bath", "series of reflections"],
}

# What n = 2 has beside VECTOR.
VECTOR_BATH = {**VECTOR, "steps": ["heat bath", "series of the bath"]}

ISING_THINGS = "energy,energy2,energy4,magnetization,abs_magnetization,m2,m4,changed"
VECTOR_THINGS = "energy,magnetization[0],magnetization[1],abs_magnetization,m2,m4,acceptance"
POTTS_THINGS = "energy,energy2,order_parameter4,abs_magnetization,m2,occupation[0],occupation[1],changed"
CLOCK_THINGS = "energy,energy2,magnetization[1],m4,structure[0],helicity[0],occupation[1],changed"


# What a lattice does not have is "none": zeros in the answers.
def more_things(components):
    m = [f"magnetization[{c}]" if c < components else "none" for c in (0, 2, 3)]
    return f"energy,{','.join(m)},abs_magnetization,m2,acceptance"


def field_things(cutoff):
    of_cutoff = "energy_cutoff" if cutoff else "none"
    return f"energy,energy_gradient,energy_potential,{of_cutoff},magnetization,phi_squared,phi_fourth,acceptance"
