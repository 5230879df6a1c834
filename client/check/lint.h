#ifndef CLIENT_CHECK_LINT_H
#define CLIENT_CHECK_LINT_H

#include "client/check/rows.h"

/* What there is to say about a subject as a whole, before any socket opens: dead suites, weak ones,
 * versions that do nothing, nothing usable at all. Words are subject_finish's. */
void lint(const struct check_subject *subject, const struct check_rows *rows,
          struct finding_list *findings);

#endif
