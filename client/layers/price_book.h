#ifndef CLIENT_LAYERS_PRICE_BOOK_H
#define CLIENT_LAYERS_PRICE_BOOK_H

#include "client/layers/work.h"
#include "common/primitive/key_ring.h"

#include <stddef.h>
#include <stdint.h>

/* What primitives cost in CPU time of the calling thread, as the layers above them are counted. A
 * primitive is set up and verified once and stays open: cases share it, and rounds ask again.
 * Zeroed is valid; one thread at a time. */
struct price_book {
    struct price_entry *entries; /* owned */
    size_t count;
    struct key_ring keys;
    uint64_t budget_ns; /* of one measurement; at least three batches in any case */
};

/* A work_price: measures now. `book` is a struct price_book. */
work_price price_book_ask;

void price_book_cleanup(struct price_book *book);

#endif
