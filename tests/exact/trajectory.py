#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""A second implementation of doc/trajectory.md and doc/trajectory-ising.md, written from these
pages alone, one site at a time: prints the sites of an Ising lattice after some sweeps, and their
hash. Slow; for tests.

    tests/exact/trajectory.py --extents 4x4 --seed 1 --beta 0.4 --sweeps 1
"""
import argparse
import math
from decimal import Decimal, localcontext
from itertools import product

M32, M64 = 2**32 - 1, 2**64 - 1
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459")


def philox(counter, seed):
    x0, x1, x2, x3 = counter
    k0, k1 = seed & M32, seed >> 32
    for _ in range(10):
        p0, p1 = 0xD2511F53 * x0, 0xCD9E8D57 * x2
        x0, x1, x2, x3 = p1 >> 32 ^ x1 ^ k0, p1 & M32, p0 >> 32 ^ x3 ^ k1, p0 & M32
        k0, k1 = k0 + 0x9E3779B9 & M32, k1 + 0xBB67AE85 & M32
    return x0, x1, x2, x3


UPDATE, START, COUPLINGS, FIELDS = 0, 1, 2, 3


def block(seed, domain, step, group, stage, index, draw):
    high = group >> 16
    return philox((index & M32,
                   draw + (stage + (high // 16 % 16 << 4) << 16) + ((index >> 32) + high // 256 << 24),
                   step & M32,
                   (step >> 32) + (group % 65536 << 8) + (domain + (high % 16 << 4) << 24)), seed)


def exp(x):
    """e^x for x <= 0, each operation rounded to a double once."""
    if x < -700.0:
        return 0.0
    k = int(x * 1.4426950408889634 - 0.5)
    r = (x - k * float.fromhex("0x1.62e42fefa0000p-1")) - k * float.fromhex("0x1.cf79abc9e3b3ap-40")
    total = 1.0 / math.factorial(13)
    for i in range(12, -1, -1):
        total = total * r + 1.0 / math.factorial(i)
    return total * 2.0**k


def ln(u):
    """ln u for 0 < u <= 1"""
    m, e = math.frexp(u)
    if m < float.fromhex("0x1.6a09e667f3bcdp-1"):
        m, e = 2.0 * m, e - 1
    s = (m - 1.0) / (m + 1.0)
    v, total = s * s, 1.0 / 21.0
    for i in range(19, 0, -2):
        total = total * v + 1.0 / i
    return (e * float.fromhex("0x1.62e42fefa0000p-1") +
            (2.0 * s * total + e * float.fromhex("0x1.cf79abc9e3b3ap-40")))


def cos_turn(w):
    """cos(2 pi w) for 0 <= w < 1"""
    k = int(4.0 * w + 0.5)
    x = (w - 0.25 * k) * float.fromhex("0x1.921fb54442d18p+2")
    v, first = x * x, k % 2
    total = 1.0 / math.factorial(18 - first)
    for i in range(16 - first, -1, -2):
        total = 1.0 / math.factorial(i) - total * v
    return (total, -total * x, -total, total * x, total)[k]


def gaussian(words):
    a, b = (words[1] << 32 | words[0]) >> 11, (words[3] << 32 | words[2]) >> 11
    return math.sqrt(-2.0 * ln((a + 1) * 2.0**-53)) * cos_turn(b * 2.0**-53)


def threshold(p):
    return int(p * 4294967296.0 + 0.5)


def metropolis(loose, beta, s, f, h):
    g = float(-s if beta < 0.0 else s) * (f + h)
    x = -2.0 * abs(beta) * g
    weak, rests = (0.125, 0.0625) if loose else (0.015625, 0.015625)
    share = 1.0 - rests if abs(x) < weak else 1.0
    if g > 0.0:
        return min(threshold(share * exp(x)), M32)
    return int(share * 2**32)


def heat_bath(beta, f, h):
    x = 2.0 * beta * (f + h)
    if x <= 0.0:
        w = exp(x)
        return threshold(w / (1.0 + w))
    return threshold(1.0 / (1.0 + exp(-x)))


class Distribution:
    """What couplings and site fields are drawn from."""

    def __init__(self, name="pm1", plus=0.5, missing=0.0, mean=0.0, width=1.0):
        self.name, self.plus, self.missing, self.mean, self.width = name, plus, missing, mean, width

    def number(self, seed, domain, stage, i, sample=0):
        u = block(seed, domain, 0, sample, stage, i // 4, 0)[i % 4]
        gone = threshold(self.missing)
        if u < gone:
            return 0
        if self.name == "gaussian":
            return self.mean + self.width * gaussian(block(seed, domain, 0, sample, stage, i, 1))
        return 1 if u < gone + threshold((1.0 - self.missing) * self.plus) else -1


class Lattice:
    def __init__(self, extents, boundaries, seed=1, coupling_seed=None, axis=None,
                 distribution=Distribution(), sample=0):
        self.extents, self.seed, self.dims = extents, seed, len(extents)
        self.distribution, self.sample = distribution, sample
        self.axis = axis or [1.0] * self.dims
        self.sites = [x[::-1] for x in product(*(range(e) for e in extents[::-1]))]
        self.number = {x: i for i, x in enumerate(self.sites)}
        self.bonds = [[self.bond(a, x, boundaries[a], coupling_seed) for x in self.sites]
                      for a in range(self.dims)]
        odd = [a for a in range(self.dims) if extents[a] % 2]
        self.folded = not odd
        self.odd_rings = [a for a in odd if boundaries[a] != "open"]
        self.colours = 3 if self.odd_rings else 2
        self.loose = (self.dims == 1 or len(self.sites) < 64 or
                      coupling_seed is not None and distribution.missing > 0.0 or
                      any(e == 2 and b == "antiperiodic" for e, b in zip(extents, boundaries)))
        self.h = extents[0] // 2 if self.folded else extents[0]
        self.segment = next(s for s in (1, 2, 4, 8, 16, 32) if s >= min(self.h, 32))
        self.pack = 32 // self.segment
        self.width = -(-self.h // 32)

    def bond(self, a, x, boundary, seed):
        i, value = self.number[x], 1
        if seed is not None:
            value = self.distribution.number(seed, COUPLINGS, a, i, self.sample)
        if x[a] == self.extents[a] - 1:
            value *= {"periodic": 1, "antiperiodic": -1, "open": 0}[boundary]
        return value

    def colour(self, x):
        one = [2 if a in self.odd_rings and v == self.extents[a] - 1 else v % 2
               for a, v in enumerate(x)]
        return sum(one) % self.colours

    def place(self, x, replica):
        """(index of the word, its group, the site's bit)"""
        row = self.number[x] // self.extents[0]
        k = x[0] // 2 if self.folded else x[0]
        return (row * self.width + k // 32, replica // self.pack,
                k % 32 + replica % self.pack * self.segment)

    def step_along(self, x, a, by):
        return x[:a] + ((x[a] + by) % self.extents[a],) + x[a + 1:]

    def start(self, replica, hot):
        spins = [1] * len(self.sites)
        for i, x in enumerate(self.sites if hot else []):
            index, group, bit = self.place(x, replica)
            stage = sum(x) % 2 if self.folded else 0
            r = block(self.seed, START, 0, group, stage, index, 0)
            spins[i] = 1 if r[0] >> bit & 1 else -1
        return spins

    def field(self, spins, i, x):
        up = []
        for a in range(self.dims):
            below, above = (self.number[self.step_along(x, a, by)] for by in (-1, 1))
            up.append(self.bonds[a][below] * spins[below] + self.bonds[a][i] * spins[above])
        if len(set(self.axis)) == 1:
            return self.axis[0] * sum(up)
        total = 0.0
        for j, n in zip(self.axis, up):
            total += j * n
        return total

    def uniform(self, x, replica, step, stage):
        index, group, bit = self.place(x, replica)
        u = 0
        for k in range(32):
            if k % 4 == 0:
                words = block(self.seed, UPDATE, step, group, stage, index, k // 4)
            u = u << 1 | words[k % 4] >> bit & 1
        return u

    def is_loose(self, beta):
        return self.loose or any(abs(4.0 * beta * j) < 0.125 for j in self.axis)

    def sweep(self, spins, replica, step, beta, h, bath):
        changed = 0
        for c in range(self.colours):
            for i, x in enumerate(self.sites):
                if self.colour(x) != c:
                    continue
                s, f, u = spins[i], self.field(spins, i, x), self.uniform(x, replica, step, c)
                if bath:
                    spins[i] = 1 if u < heat_bath(beta, f, h) else -1
                elif u < metropolis(self.is_loose(beta), beta, s, f, h):
                    spins[i] = -s
                changed += spins[i] != s
        return changed

    def sums(self, spins):
        bonds = [sum(self.bonds[a][i] * spins[i] * spins[self.number[self.step_along(x, a, 1)]]
                     for i, x in enumerate(self.sites)) for a in range(self.dims)]
        return bonds + [sum(spins)]


def xxh64(data):
    """XXH64 with seed 0: the format's specification is public."""
    p1, p2, p3, p4, p5 = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9,
                          0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)

    def rot(x, n):
        return (x << n | x >> 64 - n) & M64

    def mix(acc, lane):
        return rot((acc + lane * p2) & M64, 31) * p1 & M64

    word = lambda at, n: int.from_bytes(data[at:at + n], "little")
    at, size, h = 0, len(data), p5
    if size >= 32:
        v = [(p1 + p2) & M64, p2, 0, -p1 & M64]
        while at + 32 <= size:
            v, at = [mix(v[j], word(at + 8 * j, 8)) for j in range(4)], at + 32
        h = sum(rot(a, n) for a, n in zip(v, (1, 7, 12, 18))) & M64
        for a in v:
            h = ((h ^ mix(0, a)) * p1 + p4) & M64
    h = (h + size) & M64
    while at + 8 <= size:
        h, at = (rot(h ^ mix(0, word(at, 8)), 27) * p1 + p4) & M64, at + 8
    if at + 4 <= size:
        h, at = (rot(h ^ word(at, 4) * p1 & M64, 23) * p2 + p3) & M64, at + 4
    while at < size:
        h, at = rot(h ^ data[at] * p5 & M64, 11) * p1 & M64, at + 1
    h = (h ^ h >> 33) * p2 & M64
    h = (h ^ h >> 29) * p3 & M64
    return h ^ h >> 32


def layer_bytes(spins):
    bits = sum((s > 0) << i for i, s in enumerate(spins))
    return bits.to_bytes(-(-len(spins) // 8), "little")


def tree(below):
    """The hash of hashes."""
    return xxh64(b"".join(h.to_bytes(8, "little") for h in below))


def replica_hash(spins, extents):
    layer = len(spins) // extents[-1] if len(extents) > 1 else 8
    layers = [layer_bytes(spins[i:i + layer]) for i in range(0, len(spins), layer)]
    some = max(1, 4096 // len(layers[0]))
    return tree(xxh64(b"".join(layers[i:i + some])) for i in range(0, len(layers), some))


# ---- momenta


def turn(m, period):
    """Cosine and sine of m / period turns, rounded from more digits."""
    with localcontext() as c:
        c.prec = 50
        t, parts = 2 * PI * m / period, [Decimal(0), Decimal(0)]
        term = Decimal(1)
        for k in range(1, 80):
            parts[(k - 1) % 2] += term * (1, 1, -1, -1)[(k - 1) % 4]
            term *= t / k
        return tuple(0.0 if 4 * m % period == 0 and abs(x) < 0.5 else float(x) for x in parts)


def times(z, w):
    return z[0] * w[0] - z[1] * w[1], z[0] * w[1] + z[1] * w[0]


def neighbours(terms):
    while len(terms) > 1:
        terms = [a + b for a, b in zip(terms[::2], terms[1::2])]
    return terms[0]


def shaped(terms):
    """The sum of real numbers: blocks of 1024, each by 32 partial sums."""
    while len(terms) > 1:
        sums = []
        for first in range(0, len(terms), 1024):
            part = [0.0] * 32
            for i, term in enumerate(terms[first:first + 1024]):
                part[i % 32] += term
            while len(part) > 1:
                half = len(part) // 2
                part = [a + b for a, b in zip(part[:half], part[half:])]
            sums += part
        terms = sums
    return terms[0]


def structure_at(n, spins, extents):
    """|(1/N) sum s exp(i k x)|^2 with k = pi n / L along each axis."""
    waves = [[turn(m, 2 * e) for m in range(2 * e)] for e in extents]

    def factor(a, x):
        return waves[a][n[a] * x % (2 * extents[a])]

    layers = extents[-1] if len(extents) > 1 else 1
    elements = [[] for _ in range(layers)]
    for row in range(len(spins) // extents[0]):
        sites = spins[row * extents[0]:(row + 1) * extents[0]]
        outer, rest = (1.0, 0.0), row
        for a in range(1, len(extents)):
            outer = times(outer, factor(a, rest % extents[a]))
            rest //= extents[a]
        for g in range(0, extents[0], 16):
            bar = sites[g:g + 16] + [0] * (16 - len(sites[g:g + 16]))
            terms = [[s * w for w in factor(0, i)] for i, s in enumerate(bar)]
            z = [neighbours([t[p] for t in terms[::2]]) + neighbours([t[p] for t in terms[1::2]])
                 for p in (0, 1)]
            elements[row * layers // (len(spins) // extents[0])].append(
                times(times(z, factor(0, g)), outer))
    c, s = (shaped([shaped([e[p] for e in layer]) for layer in elements]) for p in (0, 1))
    return (c * c + s * s) / (float(len(spins)) * float(len(spins)))


def flags():
    p = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    p.add_argument("--extents", required=True, help="such as 4x4")
    p.add_argument("--boundary", default="periodic", help="one for all axes, or a list")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--coupling-seed", type=int, help="draw +-1 couplings from it")
    p.add_argument("--couplings", choices=["pm1", "gaussian"], default="pm1",
                   help="what they are drawn from")
    p.add_argument("--coupling-plus", type=float, default=0.5)
    p.add_argument("--coupling-missing", type=float, default=0.0)
    p.add_argument("--coupling-mean", type=float, default=0.0)
    p.add_argument("--coupling-width", type=float, default=1.0)
    p.add_argument("--samples", type=int, default=1)
    p.add_argument("--first-sample", type=int, default=0)
    p.add_argument("--print-drawn", action="store_true",
                   help="print what is drawn for bonds and sites instead, as hexadecimal numbers")
    p.add_argument("--axis", help="couplings of the axes, a list")
    p.add_argument("--replicas", type=int, default=1)
    p.add_argument("--first-replica", type=int, default=0)
    p.add_argument("--beta", default="0.44068679350977151", help="one, or a list")
    p.add_argument("--field", type=float, default=0.0)
    p.add_argument("--update", choices=["metropolis", "heatbath"], default="metropolis")
    p.add_argument("--start", choices=["hot", "cold"], default="hot")
    p.add_argument("--first-sweep", type=int, default=0, help="the number of the first sweep")
    p.add_argument("--sweeps", type=int, default=0)
    p.add_argument("--hash-only", action="store_true")
    p.add_argument("--momenta", help="print structure factors at these, such as 2,0:4,0")
    return p.parse_args()


def print_drawn(args, distribution, sites, dims):
    for i in range(sites):
        print(i, *(float(distribution.number(args.coupling_seed, COUPLINGS, a, i,
                                             args.first_sample)).hex()
                   for a in range(dims)),
              float(distribution.number(args.coupling_seed, FIELDS, 0, i,
                                        args.first_sample)).hex())


def main():
    args = flags()
    extents = [int(e) for e in args.extents.split("x")]
    boundaries = args.boundary.split(",")
    boundaries *= len(extents) if len(boundaries) == 1 else 1
    betas = [float(b) for b in args.beta.split(",")]
    betas *= args.replicas if len(betas) == 1 else 1
    axis = [float(j) for j in args.axis.split(",")] if args.axis else None
    distribution = Distribution(args.couplings, args.coupling_plus, args.coupling_missing,
                                args.coupling_mean, args.coupling_width)
    if args.print_drawn:
        print_drawn(args, distribution, math.prod(extents), len(extents))
        return
    samples = [Lattice(extents, boundaries, args.seed, args.coupling_seed, axis, distribution,
                       args.first_sample + j) for j in range(args.samples)]
    state = []
    for r in range(args.replicas):
        number, changed = args.first_replica + r, 0
        lattice = samples[r // (args.replicas // args.samples)]
        spins = lattice.start(number, args.start == "hot")
        for step in range(args.first_sweep, args.first_sweep + args.sweeps):
            changed = lattice.sweep(spins, number, step, betas[r], args.field,
                                    args.update == "heatbath")
        state.append(replica_hash(spins, extents))
        for n in args.momenta.split(":") if args.momenta else []:
            print(structure_at([int(a) for a in n.split(",")], spins, extents))
        if args.hash_only:
            continue
        print("replica", r, "sums", *lattice.sums(spins), changed)
        for i in range(0, len(spins), extents[0]):
            print("".join("-+"[s > 0] for s in spins[i:i + extents[0]]))
    print("state_hash %016x" % tree(state))


if __name__ == "__main__":
    main()
