/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads and writes the rules of life-like automata in the forms that pattern files use. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "rle.h"

/* Rules that files call by a name, letters large or small. */
static const struct {
    const char *name, *rule;
} names[] = {
    {"2x2", "B36/S125"},
    {"34Life", "B34/S34"},
    {"Amoeba", "B357/S1358"},
    {"Anneal", "B4678/S35678"},
    {"Assimilation", "B345/S4567"},
    {"Coagulations", "B378/S235678"},
    {"Coral", "B3/S45678"},
    {"DayNight", "B3678/S34678"},
    {"Day&Night", "B3678/S34678"},
    {"Diamoeba", "B35678/S5678"},
    {"DryLife", "B37/S23"},
    {"Flock", "B3/S12"},
    {"Gnarl", "B1/S1"},
    {"HighLife", "B36/S23"},
    {"Life", "B3/S23"},
    {"LifeWithoutDeath", "B3/S012345678"},
    {"LongLife", "B345/S5"},
    {"Maze", "B3/S12345"},
    {"Mazectric", "B3/S1234"},
    {"Morley", "B368/S245"},
    {"Move", "B368/S245"},
    {"PedestrianLife", "B38/S23"},
    {"Replicator", "B1357/S1357"},
    {"Seeds", "B2/S"},
    {"Stains", "B3678/S235678"},
    {"WalledCities", "B45678/S2345"},
};

static int same_name(const char *a, const char *b)
{
    while (*a && toupper((unsigned char)*a) == toupper((unsigned char)*b)) {
        a++;
        b++;
    }
    return !*a && !*b;
}

/* The digits at *text as a mask; moves on. 0: one of them is 9. */
static int read_counts(const char **text, int64_t *mask)
{
    for (*mask = 0; isdigit((unsigned char)**text); ++*text) {
        if (**text == '9')
            return 0;
        *mask |= INT64_C(1) << (**text - '0');
    }
    return 1;
}

static int at_letter(const char *text)
{
    const int letter = toupper((unsigned char)*text);

    return letter == 'B' || letter == 'S' ? letter : 0;
}

/* Both parts with their letters, in any order, or survivals and births without. */
static int read_parts(const char **text, rle_rule *rule)
{
    int letters[2];

    for (int i = 0; i < 2; i++) {
        const int slash = i && **text == '/';

        *text += slash;
        letters[i] = at_letter(*text);
        *text += letters[i] != 0;
        if (i && (!letters[0] != !letters[1] || !(letters[1] || slash)))
            return 0;
        if (!read_counts(text,
                         (letters[i] ? letters[i] == 'B' : i) ? &rule->birth : &rule->survival))
            return 0;
    }
    return !letters[0] || letters[0] != letters[1];
}

int rle_read_rule(const char *text, rle_rule *rule)
{
    rle_rule read = {0, 0};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (same_name(text, names[i].name)) {
            text = names[i].rule;
            break;
        }
    if (!read_parts(&text, &read) || (*text && strcmp(text, "/2") != 0))
        return 0;
    *rule = read;
    return 1;
}

static char *put_counts(char *to, char letter, int64_t mask)
{
    *to++ = letter;
    for (int n = 0; n <= 8; n++)
        if (mask >> n & 1)
            *to++ = (char)('0' + n);
    return to;
}

void rle_write_rule(rle_rule rule, char text[RLE_RULE_BYTES])
{
    char *end = put_counts(text, 'B', rule.birth);

    *end++ = '/';
    *put_counts(end, 'S', rule.survival) = '\0';
}

/* A side of a grid; moves on. 0: there is none, or it is infinite or too long. */
static int64_t read_side(const char **text)
{
    char *end;
    const unsigned long long side =
        isdigit((unsigned char)**text) ? strtoull(*text, &end, 10) : (end = NULL, 0);

    *text = end ? end : *text;
    return side <= INT32_MAX ? (int64_t)side : 0;
}

int rle_read_grid(const char *text, rle_grid *grid)
{
    rle_grid g = {0, 0, 0};
    int kind;

    if (*text) {
        kind = *text == ':' ? toupper((unsigned char)text[1]) : 0;
        if (kind != 'T' && kind != 'P')
            return 0;
        text += 2;
        g.open = kind == 'P';
        g.width = g.height = read_side(&text);
        if (*text == ',') {
            text++;
            g.height = read_side(&text);
        }
        if (*text || !g.width || !g.height)
            return 0;
    }
    *grid = g;
    return 1;
}
