#ifndef CLIENT_EVP_EVP_OPTIONS_H
#define CLIENT_EVP_EVP_OPTIONS_H

#include "common/base/error.h"
#include "common/base/option.h"
#include "common/primitive/primitive.h"

#include <stdbool.h>
#include <stdint.h>

enum evp_direction {
    EVP_BOTH_DIRECTIONS,
    EVP_ENCRYPT_ONLY,
    EVP_DECRYPT_ONLY,
};

#define EVP_SIZES_MAX   32
#define EVP_COLUMNS_MAX 16 /* of --cpu-without */

/* `suitemark evp [ALGORITHM…]` as typed. Ends at the plan. */
struct evp_options {
    bool help, list, dry_run, legacy, openssl_config;
    struct text_list algorithms; /* operands; empty: the default table */
    struct text_list size_words, shape_words;
    struct text_list cpu_without; /* one item a column: "aes,vaes" */
    int direction;                /* enum evp_direction */
    int backend;                  /* 1: mcrypt beside EVP */
    const char *precision_word;
    uint64_t max_time_ns, threads, rounds, seed; /* seed 0: drawn at start */
    int format;                                  /* enum output_format */
    const char *output;
    const char *column; /* set in a child process only: the label of the column it measures */

    /* Read from the words. */
    size_t sizes[EVP_SIZES_MAX];
    size_t size_count;
    unsigned shapes;  /* set of PRIMITIVE_BIT(shape); 0: each algorithm's usual one */
    double precision; /* half the interval's width over the median */
};

/* Parses argv behind the subcommand's name and checks all that needs no library. After a failure
 * there is nothing to clean up. */
bool evp_options_parse(int argc, char **argv, struct evp_options *options,
                       struct error *err) MUST_CHECK;
void evp_options_cleanup(struct evp_options *options);
void evp_options_help(void);

#endif
