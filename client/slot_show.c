#include "client/slot_parts.h"

#include "common/base/clock.h"

#define SHOW_NS (NS_PER_S / 4)

static uint64_t amount_so_far(const struct slot *slot)
{
    bool bulk = slot->settings->test_case->measure == MEASURE_BULK;
    uint64_t amount = 0;
    for (unsigned i = 0; i < slot->started; i++) {
        const struct tally *tally = &slot->workers[i].tally;
        amount += counter_read(bulk ? &tally->bytes : &tally->completed);
    }
    return amount;
}

void slot_show_begin(struct slot *slot, uint64_t now_ns)
{
    slot->show_from_ns = now_ns;
    slot->show_from_amount = amount_so_far(slot);
    slot->show_ns = slot->settings->progress ? now_ns + SHOW_NS : 0;
}

void slot_show(struct slot *slot, uint64_t now_ns)
{
    const struct slot_settings *settings = slot->settings;
    if (slot->show_ns == 0 || now_ns < slot->show_ns)
        return;
    double amount = (double)(amount_so_far(slot) - slot->show_from_amount);
    settings->progress(settings->progress_context,
                       amount * NS_PER_S / (double)(now_ns - slot->show_from_ns));
    slot->show_ns = now_ns + SHOW_NS;
}
