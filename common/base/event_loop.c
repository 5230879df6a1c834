#include "common/base/event_loop.h"

#include <errno.h>
#include <event2/event.h>
#include <sys/eventfd.h>
#include <unistd.h>

/* Whether the loop's descriptors can be had now. */
static bool descriptors_are_free(struct error *err)
{
    int held[EVENT_LOOP_DESCRIPTORS];
    size_t count = 0;
    int error = 0;
    while (count < EVENT_LOOP_DESCRIPTORS && error == 0) {
        held[count] = eventfd(0, EFD_CLOEXEC);
        if (held[count] >= 0)
            count++;
        else
            error = errno;
    }
    while (count > 0)
        (void)close(held[--count]);
    return error == 0 || error_set(err, "%s", error_of_errno(error));
}

struct event_base *event_loop_new(struct error *err)
{
    struct event_base *base = NULL;
    if (!descriptors_are_free(err))
        return NULL;
    struct event_config *config = event_config_new();
    if (config) {
        (void)event_config_set_flag(config, EVENT_BASE_FLAG_NOLOCK | EVENT_BASE_FLAG_IGNORE_ENV);
        base = event_base_new_with_config(config);
        event_config_free(config);
    }
    if (!base)
        (void)error_set(err, "cannot make an event loop");
    return base;
}
