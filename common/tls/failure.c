#include "common/tls/failure.h"

#include <stdio.h>
#include <string.h>

static const char *const class_names[FAILURE_CLASS_COUNT] = {
    [FAILURE_NONE] = "",
    [FAILURE_RESOLVE] = "resolve",
    [FAILURE_CONNECT_REFUSED] = "connect refused",
    [FAILURE_CONNECT_TIMEOUT] = "connect timeout",
    [FAILURE_CONNECT] = "connect",
    [FAILURE_HANDSHAKE_TIMEOUT] = "handshake timeout",
    [FAILURE_ALERT] = "alert",
    [FAILURE_NOT_TLS] = "peer does not speak TLS",
    [FAILURE_CERTIFICATE] = "certificate verify",
    [FAILURE_HANDSHAKE] = "TLS error",
    [FAILURE_CLOSED_EARLY] = "closed early",
    [FAILURE_RESET] = "reset",
    [FAILURE_REJECTED] = "rejected",
    [FAILURE_UNCONFIRMED] = "unconfirmed",
    [FAILURE_DRIFT] = "drift",
    [FAILURE_HTTP] = "http",
    [FAILURE_LOCAL] = "local limit",
};

const char *failure_class_name(enum failure_class class)
{
    return (unsigned)class < FAILURE_CLASS_COUNT ? class_names[class] : "";
}

void failure_set(struct failure *failure, enum failure_class class, const char *detail)
{
    const char *name = failure_class_name(class);
    /* "alert handshake failure" reads as people say it; the others are class and reason. */
    const char *separator = class == FAILURE_ALERT ? " " : ": ";

    failure->class = class;
    if (detail == NULL || detail[0] == '\0')
        (void)snprintf(failure->text, sizeof(failure->text), "%s", name);
    else
        (void)snprintf(failure->text, sizeof(failure->text), "%s%s%s", name, separator, detail);
}

void failure_reclass(struct failure *failure, enum failure_class class)
{
    char before[FAILURE_TEXT];
    memcpy(before, failure->text, sizeof(before));
    failure_set(failure, class, before);
}

static struct failure_row *find_row(struct failure_table *table, const struct failure *failure)
{
    for (size_t i = 0; i < table->count; i++) {
        struct failure_row *row = &table->rows[i];
        if (row->failure.class == failure->class && strcmp(row->failure.text, failure->text) == 0)
            return row;
    }
    return NULL;
}

/* The row of this failure, a new one while there are less than `limit`, else NULL. */
static struct failure_row *find_or_add_row(struct failure_table *table,
                                           const struct failure *failure, size_t limit)
{
    struct failure_row *row = find_row(table, failure);
    if (row != NULL || table->count >= limit)
        return row;
    row = &table->rows[table->count++];
    row->failure = *failure;
    row->count = 0;
    return row;
}

void failure_table_add(struct failure_table *table, const struct failure *failure, uint64_t count)
{
    struct failure_row *row = find_or_add_row(table, failure, FAILURE_ROWS - FAILURE_ROWS_BARE);
    if (row == NULL) {
        struct failure bare;
        failure_set(&bare, failure->class, NULL);
        row = find_or_add_row(table, &bare, FAILURE_ROWS);
    }
    if (row == NULL)
        row = &table->rows[FAILURE_ROWS - 1];
    row->count += count;
}

void failure_table_merge(struct failure_table *into, const struct failure_table *from)
{
    for (size_t i = 0; i < from->count; i++)
        failure_table_add(into, &from->rows[i].failure, from->rows[i].count);
}

uint64_t failure_table_total(const struct failure_table *table)
{
    uint64_t total = 0;
    for (size_t i = 0; i < table->count; i++)
        total += table->rows[i].count;
    return total;
}

const struct failure_row *failure_table_worst(const struct failure_table *table)
{
    const struct failure_row *worst = NULL;
    for (size_t i = 0; i < table->count; i++)
        if (worst == NULL || table->rows[i].count > worst->count)
            worst = &table->rows[i];
    return worst;
}
