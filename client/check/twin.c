#include "client/check/twin.h"

#include "certs/issue.h"
#include "client/check/suite_b.h"
#include "common/base/clock.h"
#include "common/base/host.h"
#include "common/base/memory.h"
#include "common/tls/version.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HANDSHAKES_IN_FLIGHT 16

/* --- stand-in certificates --- */

static size_t stand_in_kinds(const struct check_subject *subject,
                             const struct certificate_kind **kinds)
{
    size_t count = 0;

    for (size_t i = 0; i < subject->certificates.count; i++) {
        const struct check_certificate *certificate = &subject->certificates.items[i];
        if (certificate->stand_in && certificate->in_table)
            kinds[count++] = kind_find(certificate->kind.name);
    }
    return count;
}

/* Into a folder of their own, since the server takes its certificates from files; it is removed
 * with the twin. */
static bool make_stand_ins(struct twin *twin, const struct check_subject *subject,
                           struct error *err)
{
    const struct certificate_kind *kinds[CERTIFICATES_MAX];
    struct identity identities[CERTIFICATES_MAX] = {{.leaf = NULL}};
    size_t count = stand_in_kinds(subject, kinds);
    const char *base = getenv("TMPDIR");

    if (count == 0)
        return true;
    snprintf(twin->folder, sizeof twin->folder, "%.30s/suitemark-check-XXXXXX",
             base && base[0] && strlen(base) < 30 ? base : "/tmp");
    if (!mkdtemp(twin->folder)) {
        twin->folder[0] = '\0';
        return error_set(err, "no folder for certificates: %s", strerror(errno));
    }
    if (!issue_identities(twin->folder, kinds, count, identities, NULL, NULL, NULL, err))
        return false;
    for (size_t i = 0; i < count; i++)
        identity_cleanup(&identities[i]);
    return true;
}

static void remove_folder(struct twin *twin)
{
    DIR *folder = twin->folder[0] ? opendir(twin->folder) : NULL;

    if (!folder)
        return;
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        (void)unlinkat(dirfd(folder), entry->d_name, 0); /* fails for "." and ".." */
    closedir(folder);
    (void)rmdir(twin->folder);
    twin->folder[0] = '\0';
}

/* --- arguments --- */

static void option(struct text_list *arguments, const char *name, const char *value)
{
    text_list_add(arguments, name);
    text_list_add(arguments, value);
}

static void add_certificates(struct text_list *arguments, const struct twin *twin,
                             const struct check_subject *subject)
{
    const char *pass_file = NULL;

    for (size_t i = 0; i < subject->certificates.count; i++) {
        const struct check_certificate *certificate = &subject->certificates.items[i];
        if (!certificate->stand_in) {
            option(arguments, "--cert", certificate->file);
            option(arguments, "--key", certificate->key_file);
            pass_file = certificate->pass_file ? certificate->pass_file : pass_file;
        } else if (certificate->in_table) {
            char *file = memory_format("%s/%s.crt", twin->folder, certificate->kind.name);
            char *key = memory_format("%s/%s.key", twin->folder, certificate->kind.name);
            option(arguments, "--cert", file);
            option(arguments, "--key", key);
            free(file);
            free(key);
        }
    }
    if (pass_file)
        option(arguments, "--key-pass-file", pass_file);
}

static void add_suites(struct text_list *arguments, const char *name,
                       const struct cipher_list *list)
{
    struct text_buffer text = {0};

    for (size_t i = 0; i < list->count; i++)
        text_buffer_add(&text, "%s%s", i ? ":" : "", suite_name(list->items[i].suite));
    option(arguments, name, list->count > 0 ? text_buffer_text(&text) : "");
    text_buffer_cleanup(&text);
}

static void add_groups(struct text_list *arguments, const struct check_subject *subject)
{
    struct text_buffer text = {0};

    for (size_t i = 0; i < subject->group_count; i++)
        text_buffer_add(&text, "%s%s", i ? ":" : "", subject->group_list[i]->openssl);
    if (subject->group_count > 0)
        option(arguments, "--groups", text_buffer_text(&text));
    text_buffer_cleanup(&text);
}

/* The server takes ranges; a version in their middle is switched off by the Protocol command. */
static void add_versions(struct text_list *arguments, const struct check_subject *subject)
{
    static const char *const words[] = {"TLSv1", "TLSv1.1", "TLSv1.2", "TLSv1.3"};
    struct text_buffer range = {0}, off = {0};
    int first = SUBJECT_VERSIONS, last = -1;

    for (int v = 0; v < SUBJECT_VERSIONS; v++) {
        if (subject->version_on[v] && first == SUBJECT_VERSIONS)
            first = v;
        if (subject->version_on[v])
            last = v;
    }
    for (int v = first; v <= last; v++) {
        text_buffer_add(&range, "%s%s", range.length ? "," : "",
                        tls_version_name(subject_version_number((enum subject_version)v)));
        if (!subject->version_on[v])
            text_buffer_add(&off, "%s-%s", off.length ? "," : "Protocol=", words[v]);
    }
    option(arguments, "--versions", text_buffer_text(&range));
    if (off.length > 0)
        option(arguments, "--ssl-conf", text_buffer_text(&off));
    text_buffer_cleanup(&range);
    text_buffer_cleanup(&off);
}

static void add_switches(struct text_list *arguments, const struct check_subject *subject)
{
    char level[16];

    snprintf(level, sizeof level, "%d", subject->list.level);
    option(arguments, "--security-level", level);
    if (subject->prefer_server)
        text_list_add(arguments, "--prefer-server");
    if (subject->prioritize_chacha)
        option(arguments, "--ssl-conf", "Options=PrioritizeChaCha");
    if (subject->dh == DH_NONE)
        option(arguments, "--dhparam", "none");
    if (subject->dh == DH_PARAMS)
        option(arguments, "--dhparam", subject->dhparam.text);
}

static void add_settings(struct text_list *arguments, const struct twin *twin,
                         const struct check_subject *subject)
{
    add_certificates(arguments, twin, subject);
    add_versions(arguments, subject);
    if (subject->list.suite_b)
        option(arguments, "--ciphers", suite_b_word(subject->list.suite_b, subject->list.count));
    else
        add_suites(arguments, "--ciphers", &subject->list);
    add_suites(arguments, "--ciphersuites", &subject->list_13);
    add_groups(arguments, subject);
    add_switches(arguments, subject);
}

char *twin_describe(const struct check_subject *subject)
{
    const struct twin nowhere = {.running = false};
    struct text_list arguments = {0};
    struct text_buffer text = {0};

    add_settings(&arguments, &nowhere, subject);
    for (size_t i = 0; i < arguments.count; i++)
        text_buffer_add(&text, "%s ", arguments.items[i]);
    text_list_cleanup(&arguments);
    return text.text;
}

static void add_cpus(struct text_list *arguments, const struct cpu_list *cpus)
{
    struct text_buffer text = {0};

    for (size_t i = 0; i < cpus->count; i++)
        text_buffer_add(&text, "%s%d", i ? "," : "", cpus->cpus[i]);
    if (cpus->count > 0)
        option(arguments, "--pin", text_buffer_text(&text));
    text_buffer_cleanup(&text);
    option(arguments, "--threads", "1");
}

/* --- life --- */

void twin_init_load(struct load_settings *load)
{
    *load = (struct load_settings){
        .host = "localhost",
        .path = "/",
        .threads = 1,
        .connections = HANDSHAKES_IN_FLIGHT,
        .bulk_connections = 1,
        .confirm = CONFIRM_SERVER,
        .close = CLOSE_SERVER,
        .connect_timeout_ns = 5 * NS_PER_S,
        .handshake_timeout_ns = 10 * NS_PER_S,
        .close_timeout_ns = NS_PER_S,
    };
    for (size_t i = 0; i < sizeof load->pins / sizeof load->pins[0]; i++)
        load->pins[i] = -1;
}

static bool place(struct twin *twin, struct error *err)
{
    struct cpu_list allowed;

    return host_allowed_cpus(&allowed, err) &&
           placement_choose("auto", &allowed, true, &twin->load, &twin->placement, err);
}

static bool start(struct twin *twin, const struct text_list *arguments, struct interrupt *interrupt,
                  struct error *err)
{
    struct target target = {.host = "127.0.0.1", .path = "/", .literal = true};

    if (!embedded_start(&twin->embedded, arguments, interrupt, NULL, NULL, err))
        return false;
    twin->running = true;
    target.port = twin->embedded.port;
    snprintf(twin->load.host, sizeof twin->load.host, "localhost:%u", (unsigned)target.port);
    return resolve_target(&target, &twin->load, twin->address, err);
}

bool twin_start(struct twin *twin, const struct check_subject *subject, struct interrupt *interrupt,
                struct error *err)
{
    struct text_list arguments = {0};

    *twin = (struct twin){.running = false};
    twin_init_load(&twin->load);
    if (!place(twin, err) || !make_stand_ins(twin, subject, err))
        return false;
    add_settings(&arguments, twin, subject);
    add_cpus(&arguments, &twin->placement.server);
    bool ok = start(twin, &arguments, interrupt, err);
    text_list_cleanup(&arguments);
    return ok;
}

void twin_stop(struct twin *twin)
{
    if (twin->running)
        embedded_stop(&twin->embedded);
    twin->running = false;
    remove_folder(twin);
}
