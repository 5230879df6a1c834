#include "client/check/rows.h"

#include "common/base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The newest version that works counts; where none does, the one that comes nearest. */
static void judge(const struct check_subject *subject, const struct library_facts *library,
                  struct check_row *row)
{
    char why[EXPECT_TEXT];
    bool works = false;

    for (int v = SUBJECT_VERSIONS; v-- > 0;) {
        enum dead_reason reason =
            expect(subject, library, row->certificate, row->choice, (enum subject_version)v, why);
        row->works[v] = reason == DEAD_NOT;
        if (works || (reason != DEAD_NOT && reason <= row->reason))
            continue;
        works = reason == DEAD_NOT;
        row->reason = reason;
        row->version = (enum subject_version)v;
        snprintf(row->why, sizeof row->why, "%s", why);
    }
}

static void add(struct check_rows *rows, const struct check_row *row)
{
    rows->items = memory_grow(rows->items, rows->count + 1, sizeof *rows->items);
    rows->items[rows->count++] = *row;
    rows->usable += row->reason == DEAD_NOT;
}

static bool needs_certificate(const struct suite *suite)
{
    return suite_facts(suite).auth != AUTH_NONE;
}

/* A row for each certificate that the suite could use; one that says what is missing where there
 * is none. */
static void add_choice(struct check_rows *rows, const struct check_subject *subject,
                       const struct library_facts *library, const struct cipher_choice *choice)
{
    struct check_row best = {.choice = choice};
    bool any = false;

    for (size_t i = 0; i <= subject->certificates.count; i++) {
        struct check_row row = {
            .choice = choice, .handshake_case = SIZE_MAX, .bulk_case = SIZE_MAX};
        bool last = i == subject->certificates.count;
        if (last != !needs_certificate(choice->suite) && subject->certificates.count > 0)
            continue;
        row.certificate = last ? NULL : &subject->certificates.items[i];
        judge(subject, library, &row);
        if (row.reason == DEAD_NOT || row.reason > DEAD_KEYLESS) {
            add(rows, &row);
            any = true;
        } else if (row.reason > best.reason) {
            best = row;
        }
    }
    if (any)
        return;
    best.certificate = NULL;
    add(rows, &best);
}

void rows_build(struct check_rows *rows, const struct check_subject *subject,
                const struct library_facts *library)
{
    *rows = (struct check_rows){.count = 0};
    if (subject->list.refused || subject->list_13.refused)
        return;
    for (size_t i = 0; i < subject->list_13.count; i++)
        add_choice(rows, subject, library, &subject->list_13.items[i]);
    for (size_t i = 0; i < subject->list.count; i++)
        add_choice(rows, subject, library, &subject->list.items[i]);
}

void rows_refuse(struct check_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct check_row *row = &rows->items[i];
        memset(row->works, 0, sizeof row->works);
        row->reason = DEAD_REFUSED;
        snprintf(row->why, sizeof row->why, "the server does not start");
    }
    rows->usable = 0;
}

void rows_cleanup(struct check_rows *rows)
{
    free(rows->items);
    *rows = (struct check_rows){.count = 0};
}

const struct check_row *rows_find(const struct check_rows *rows, const struct suite *suite,
                                  const struct check_certificate *certificate)
{
    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].choice->suite == suite && rows->items[i].certificate == certificate)
            return &rows->items[i];
    return NULL;
}
