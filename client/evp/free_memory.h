#ifndef CLIENT_EVP_FREE_MEMORY_H
#define CLIENT_EVP_FREE_MEMORY_H

#include <stdint.h>

/* Bytes that this process can still take before the kernel ends it: what the host has left
 * (MemAvailable of /proc/meminfo), or what the control groups that it is in (those of a container,
 * of a systemd unit) leave of their limits, whichever is less. `root` stands before the files'
 * names: "". 0: not known. */
uint64_t free_memory_find(const char *root);

#endif
