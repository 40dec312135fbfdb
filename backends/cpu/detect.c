/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds which lanes this CPU can run. It is compiled for the baseline CPU. */
#include "backends/cpu/lanes.h"

#include <stddef.h>

#if defined(__x86_64__)
#include <cpuid.h>

/* CPUID tells what the CPU can do. XCR0 tells which registers the operating system saves. */
static int cpuid7_ebx(int bit)
{
    unsigned a, b, c, d;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b >> bit & 1u);
}

static int cpuid1_ecx(int bit)
{
    unsigned a, b, c, d;
    return __get_cpuid(1, &a, &b, &c, &d) && (c >> bit & 1u);
}

static int saves(unsigned registers)
{
    unsigned low, high;
    if (!cpuid1_ecx(27)) /* OSXSAVE: xgetbv may be used */
        return 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return (low & registers) == registers;
}

enum { XMM_YMM = 0x06, ZMM = 0xE6 };

static const char *lacks_avx2(void)
{
    if (!cpuid7_ebx(5) || !cpuid1_ecx(12))
        return "the CPU lacks AVX2 or FMA";
    return saves(XMM_YMM) ? NULL : "the operating system does not save the AVX registers";
}

static const char *lacks_avx512(void)
{
    static const int needed[] = {16, 17, 30, 31}; /* F, DQ, BW, VL */
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (!cpuid7_ebx(needed[i]))
            return "the CPU lacks AVX-512 (F, DQ, BW, VL)";
    if (lacks_avx2())
        return lacks_avx2();
    return saves(ZMM) ? NULL : "the operating system does not save the AVX-512 registers";
}
#else
static const char *lacks_avx2(void)
{
    return "AVX2 is for x86-64 CPUs";
}

static const char *lacks_avx512(void)
{
    return "AVX-512 is for x86-64 CPUs";
}
#endif

static const char *lacks_neon(void)
{
#if defined(__aarch64__)
    return NULL; /* part of the architecture */
#else
    return "NEON is for AArch64 CPUs";
#endif
}

static const char *lacks_nothing(void)
{
    return NULL;
}

const lm_lane_entry lm_lane_table[] = {
    {.name = "avx512",
     .text = "AVX-512, 512 bits at a time",
     .lacks = lacks_avx512,
     .built = LM_IF_AVX512(1)},
    {.name = "avx2",
     .text = "AVX2, 256 bits at a time",
     .lacks = lacks_avx2,
     .built = LM_IF_AVX2(1)},
    {.name = "neon",
     .text = "NEON, 128 bits at a time",
     .lacks = lacks_neon,
     .built = LM_IF_NEON(1)},
    {.name = "scalar",
     .text = "plain C, 32 bits at a time; the reference",
     .lacks = lacks_nothing,
     .built = 1},
};

int lm_lane_count(void)
{
    return sizeof lm_lane_table / sizeof lm_lane_table[0];
}
