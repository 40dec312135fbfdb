/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks quantities, and turns them into texts and back. */
#include "lib/measure/quantity.h"

#include <stdio.h>
#include <string.h>

#include "lib/base/status.h"
#include "lib/lattice/derived.h"
#include "lib/lattice/need.h"
#include "lib/measure/reading.h"
#include "lib/settings/momenta.h"

enum { TEXT = 64, MOST_DIGITS = 9 };

/* ---- what a lattice has */

static int64_t size_of(const latmc_lattice *lattice, latmc_index counted)
{
    return counted == LATMC_INDEX_AXIS        ? lattice->dims
           : counted == LATMC_INDEX_STATE     ? lm_states_of(lattice)
           : counted == LATMC_INDEX_COMPONENT ? lm_components_of(lattice)
           : counted == LATMC_INDEX_MOMENTUM  ? lm_momentum_count(lattice)
                                              : 1;
}

static void sizes_of(const latmc_lattice *lattice, const lm_entry *observable, int64_t sizes[2])
{
    const lm_reading in = lm_reading_of(lattice, NULL, NULL);

    sizes[0] = observable->size ? observable->size(&in) : size_of(lattice, observable->index);
    sizes[1] = !sizes[0]                 ? 0
               : observable->second_size ? observable->second_size(&in)
                                         : size_of(lattice, observable->second);
    sizes[0] = sizes[1] ? sizes[0] : 0;
}

/* Writes a text with the indices that the observable has, and with others that are not 0. */
static void write_text(const lm_entry *observable, int index, int second, char text[TEXT])
{
    if (observable->second || second)
        snprintf(text, TEXT, "%s[%d,%d]", observable->name, index, second);
    else if (observable->index || index)
        snprintf(text, TEXT, "%s[%d]", observable->name, index);
    else
        snprintf(text, TEXT, "%s", observable->name);
}

/* Returns why the lattice lacks a quantity whose indices are within the sizes, or NULL. */
static const char *lacks(const latmc_lattice *lattice, const lm_entry *observable, int index,
                         int second)
{
    lm_reading in = lm_reading_of(lattice, NULL, NULL);

    in.index = index;
    in.second = second;
    return observable->lacks ? observable->lacks(&in) : NULL;
}

/* Refuses a quantity that the lattice does not have. The message says which exist. */
static latmc_status refuse(const latmc_lattice *lattice, const char *caller,
                           const lm_entry *observable, const char *text)
{
    const char *const reason = lacks(lattice, observable, 0, 0);
    char first[TEXT], last[TEXT];
    int64_t sizes[2];

    sizes_of(lattice, observable, sizes);
    if (!sizes[0] && reason)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: the lattice has no %s: %s", caller,
                       observable->name, reason);
    if (!sizes[0])
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: the lattice has no %s with its dimensions and options (%s)", caller,
                       observable->name, observable->meaning);
    write_text(observable, 0, 0, first);
    write_text(observable, (int)sizes[0] - 1, (int)sizes[1] - 1, last);
    return lm_fail(LATMC_ERROR_ARGUMENT, "%s: the lattice has no \"%.100s\"; it has %s%s%s", caller,
                   text, first, strcmp(first, last) ? " to " : "", strcmp(first, last) ? last : "");
}

static latmc_status check(const latmc_lattice *lattice, const char *caller,
                          const lm_entry *observable, const latmc_quantity *quantity)
{
    const char *reason;
    char text[TEXT];
    int64_t sizes[2];

    sizes_of(lattice, observable, sizes);
    write_text(observable, quantity->index, quantity->second, text);
    if (quantity->index < 0 || quantity->index >= sizes[0] || quantity->second < 0 ||
        quantity->second >= sizes[1])
        return refuse(lattice, caller, observable, text);
    reason = lacks(lattice, observable, quantity->index, quantity->second);
    if (reason)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: the lattice has no %s: %s", caller, text, reason);
    if (quantity->reserved)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: reserved is %d in the quantity %s; it must be 0",
                       caller, (int)quantity->reserved, text);
    return LATMC_OK;
}

latmc_status lm_quantities_need(const latmc_lattice *lattice, const char *caller, latmc_kind kind,
                                int64_t count, const latmc_quantity *quantities, unsigned *bundles)
{
    latmc_status status = LATMC_OK;

    *bundles = 0;
    for (int64_t q = 0; q < count && !status; q++) {
        const lm_entry *observable =
            lm_model_need(lattice->model, kind, quantities[q].observable, caller);

        status =
            observable ? check(lattice, caller, observable, &quantities[q]) : LATMC_ERROR_UNKNOWN;
        *bundles |= observable ? observable->bundles : 0;
    }
    return status;
}

/* ---- public functions */

/* Returns an observable of replicas or of pairs. If there is none, it sets the message. */
static const lm_entry *need(const latmc_lattice *lattice, const char *caller, int id)
{
    const int of_pairs = id >= LATMC_OVERLAP && id < LATMC_OVERLAP + 99;

    return lm_model_need(lattice->model, of_pairs ? LATMC_PAIR_OBSERVABLES : LATMC_OBSERVABLES, id,
                         caller);
}

latmc_status latmc_quantity_sizes(const latmc_lattice *lattice, latmc_observable observable,
                                  int64_t *sizes)
{
    const latmc_status status = lm_need_lattice(lattice, __func__);
    const lm_entry *listed;

    if (status)
        return status;
    if (!sizes)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: sizes is NULL", __func__);
    listed = need(lattice, __func__, (int)observable);
    if (!listed)
        return LATMC_ERROR_UNKNOWN;
    sizes_of(lattice, listed, sizes);
    return LATMC_OK;
}

latmc_status latmc_quantity_text(const latmc_lattice *lattice, latmc_quantity quantity, char *text,
                                 size_t capacity)
{
    const lm_entry *listed;
    char whole[TEXT];
    latmc_status status = lm_need_lattice(lattice, __func__);

    if (status)
        return status;
    if (!text)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: text is NULL", __func__);
    listed = need(lattice, __func__, quantity.observable);
    status = listed ? check(lattice, __func__, listed, &quantity) : LATMC_ERROR_UNKNOWN;
    if (status)
        return status;
    write_text(listed, quantity.index, quantity.second, whole);
    if (strlen(whole) >= capacity)
        return lm_fail(LATMC_ERROR_ARGUMENT,
                       "%s: capacity is %zu, but %s needs %zu bytes; %d are always enough",
                       __func__, capacity, whole, strlen(whole) + 1, TEXT);
    memcpy(text, whole, strlen(whole) + 1);
    return LATMC_OK;
}

/* Reads decimal digits. It returns the text behind them, or NULL if there are none or too many. */
static const char *read_digits(const char *text, int32_t *number)
{
    const size_t digits = strspn(text, "0123456789");

    *number = 0;
    for (size_t i = 0; i < digits && digits <= MOST_DIGITS; i++)
        *number = 10 * *number + (text[i] - '0');
    return digits && digits <= MOST_DIGITS ? text + digits : NULL;
}

/* Reads "", "[3]" or "[3,1]". It returns the number of indices, or -1 if the text has another
 * form. */
static int read_indices(const char *text, int32_t indices[2])
{
    const char *at = text;
    int count = 0;

    while (at && count < 2 && *at == (count ? ',' : '[')) {
        at = read_digits(at + 1, &indices[count]);
        count++;
    }
    if (!at || (count && strcmp(at, "]") != 0) || (!count && *at))
        return -1;
    return count;
}

/* Finds an observable of replicas or of pairs by the first bytes of a text. */
static const lm_entry *need_named(const lm_model *model, const char *caller, const char *text)
{
    const size_t length = strcspn(text, "[");
    const lm_entry *found = lm_entry_named(model, LATMC_OBSERVABLES, text, length);
    char known[512] = "";

    if (!found)
        found = lm_entry_named(model, LATMC_PAIR_OBSERVABLES, text, length);
    if (found)
        return found;
    lm_entry_names(model, LATMC_OBSERVABLES, known, sizeof known);
    lm_entry_names(model, LATMC_PAIR_OBSERVABLES, known, sizeof known);
    lm_fail(LATMC_ERROR_UNKNOWN, "%s: the model %s has no observable of \"%.100s\"; it has %s",
            caller, model->entry.name, text, known);
    return NULL;
}

latmc_status latmc_quantity_find(const latmc_lattice *lattice, const char *text,
                                 latmc_quantity *quantity)
{
    const lm_entry *listed;
    latmc_quantity found;
    int32_t indices[2] = {0, 0};
    int count;
    latmc_status status = lm_need_lattice(lattice, __func__);

    if (status)
        return status;
    if (!text || !quantity)
        return lm_fail(LATMC_ERROR_ARGUMENT, "%s: %s is NULL", __func__,
                       text ? "quantity" : "text");
    listed = need_named(lattice->model, __func__, text);
    if (!listed)
        return LATMC_ERROR_UNKNOWN;
    count = read_indices(text + strlen(listed->name), indices);
    found = (latmc_quantity){listed->id, indices[0], indices[1], 0};
    status = count != !!listed->index + !!listed->second ? refuse(lattice, __func__, listed, text)
                                                         : check(lattice, __func__, listed, &found);
    if (!status)
        *quantity = found;
    return status;
}
