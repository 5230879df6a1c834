#ifndef CLIENT_PLAN_PARTS_H
#define CLIENT_PLAN_PARTS_H

#include "client/plan.h"
#include "client/selection.h"

/* The two ways to fill a plan with cases; for plan_build. */

/* The default experiment, as far as its measures are selected. */
bool plan_default_add(struct plan *plan, const struct selection *selection,
                      const struct library_facts *library, struct error *err) MUST_CHECK;

/* Every combination of what is selected. Marks in *selection what has been shown. */
bool plan_product_add(struct plan *plan, struct selection *selection,
                      const struct library_facts *library, struct error *err) MUST_CHECK;

#endif
