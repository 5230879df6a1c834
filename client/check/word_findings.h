#ifndef CLIENT_CHECK_WORD_FINDINGS_H
#define CLIENT_CHECK_WORD_FINDINGS_H

#include "client/check/ciphers.h"
#include "client/check/scratch.h"
#include "client/check/words.h"

/* What there is to say about single words of a cipher string; for ciphers.c. */

/* Words that OpenSSL drops, translations, and, when it refuses the string, the place where. */
void word_findings(struct scratch *scratch, const char *string, bool refused,
                   const struct cipher_place *place, struct finding_list *findings);

/* Whether OpenSSL drops a word since it is written right behind one that it does not know, or
 * behind a command. Ask for each word of a string in turn; *dropping is false at first. */
bool word_is_dropped(struct scratch *scratch, const char *string, const struct cipher_word *word,
                     bool *dropping);

/* A word that can be left out without any effect. */
void word_finding_idle(const char *string, const struct cipher_word *word,
                       const struct cipher_place *place, struct finding_list *findings);

#endif
