#ifndef CLIENT_REPORT_REPORT_H
#define CLIENT_REPORT_REPORT_H

#include "client/plan.h"
#include "client/runner.h"
#include "common/base/error.h"

#include <jansson.h>
#include <stdio.h>

/* Reports read a const result document and nothing else. Both write the whole text into `out`, in
 * UTF-8 whatever the locale; tables fit 120 columns. */
void report_table(FILE *out, const json_t *result);
void report_json(FILE *out, const json_t *result);

/* --dry-run: the cases, the skips with their reasons, the schedule. */
void report_plan(FILE *out, const struct plan *plan);
/* The run's first line: "25 cases × 6 rounds, window 360 ms, about 78 s, seed 42". */
void report_plan_line(FILE *out, const struct plan *plan);

/* One line on a terminal that is written over and over: case, round, rate now, time left. Nothing
 * at all when `out` is no terminal. */
struct progress_line {
    FILE *out;
    bool terminal;
    size_t width;       /* of the line that stands there now */
    char last_rate[32]; /* of the slot that ended last, with its unit */
};

void progress_line_init(struct progress_line *line, FILE *out);
void progress_line_show(void *line, const struct progress *progress); /* a runner_progress */
void progress_line_text(struct progress_line *line,
                        const char *text); /* any other one-line state */
void progress_line_clear(struct progress_line *line);

#endif
