#include "common/base/clock.h"

#include <stdio.h>
#include <time.h>

uint64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

void clock_utc_text(char text[static 21])
{
    time_t now = time(NULL);
    struct tm utc;
    if (gmtime_r(&now, &utc) == NULL || strftime(text, 21, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
        snprintf(text, 21, "1970-01-01T00:00:00Z");
    }
}
