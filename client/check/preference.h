#ifndef CLIENT_CHECK_PREFERENCE_H
#define CLIENT_CHECK_PREFERENCE_H

#include "client/check/clients.h"
#include "client/check/price.h"
#include "client/check/rows.h"
#include "client/check/soft.h"

/* Who chooses the suite, and what that costs: findings from measurements alone. */

/* With the client's preference in force: profiles that get a suite although they offer one that
 * was measured to cost the server less. Pure. */
void preference_find_costly(const struct check_subject *subject, const struct check_rows *rows,
                            const struct price *price, const struct client_outcome *clients,
                            size_t count, struct finding_list *findings);

/* Whether the server's order puts AES before ChaCha20 also for clients that ask for ChaCha20 first,
 * as those without AES instructions do. Pure. */
bool preference_forces_aes(const struct check_subject *subject, const struct check_rows *rows);
void preference_find_aes(const struct check_subject *subject, const struct soft_speeds *speeds,
                         struct finding_list *findings);

#endif
