#include "server/sni.h"

#include "common/base/memory.h"
#include "common/base/text.h"

#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define BIT(index) (UINT64_C(1) << (index))

static const char *const base_kinds[] = {"rsa-2048", "ecdsa-p256", "ed25519"};

static bool same_key_type(const struct identity *a, const struct identity *b)
{
    const char *name_a = EVP_PKEY_get0_type_name(a->key);
    const char *name_b = EVP_PKEY_get0_type_name(b->key);
    return name_a != NULL && name_b != NULL && strcmp(name_a, name_b) == 0;
}

/* Adds an identity to a set unless its key type is there already: the first one stays. */
static uint64_t with(uint64_t set, const struct identity *identities, size_t index)
{
    for (size_t i = 0; i < index; i++) {
        if ((set & BIT(i)) != 0 && same_key_type(&identities[i], &identities[index]))
            return set;
    }
    return set | BIT(index);
}

static void add_name(struct sni_plan *plan, const char *name, const struct identity *identities,
                     size_t index)
{
    for (size_t i = 0; i < plan->count; i++) {
        if (strcasecmp(plan->names[i].name, name) == 0) {
            plan->names[i].identities = with(plan->names[i].identities, identities, index);
            return;
        }
    }
    plan->names = memory_grow(plan->names, plan->count + 1, sizeof *plan->names);
    plan->names[plan->count++] = (struct sni_name){memory_copy_text(name), BIT(index)};
}

/* A name with a NUL in it could pass for a shorter one: it is left out. */
static void add_string(struct sni_plan *plan, const ASN1_STRING *string,
                       const struct identity *identities, size_t index)
{
    unsigned char *text = NULL;
    const int length = ASN1_STRING_to_UTF8(&text, string);
    if (length > 0 && strlen((const char *)text) == (size_t)length)
        add_name(plan, (const char *)text, identities, index);
    OPENSSL_free(text);
}

/* The certificate's DNS names; its common name only where it has no subjectAltName (RFC 9525 knows
 * no common names, but old private certificates have nothing else). */
static void add_dns_names(struct sni_plan *plan, const struct identity *identities, size_t index)
{
    const X509 *leaf = identities[index].leaf;
    GENERAL_NAMES *names = X509_get_ext_d2i(leaf, NID_subject_alt_name, NULL, NULL);
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, i);
        if (name->type == GEN_DNS)
            add_string(plan, name->d.dNSName, identities, index);
    }
    if (names == NULL) {
        const X509_NAME *subject = X509_get_subject_name(leaf);
        const int at = X509_NAME_get_index_by_NID(subject, NID_commonName, -1);
        if (at >= 0)
            add_string(plan, X509_NAME_ENTRY_get_data(X509_NAME_get_entry(subject, at)), identities,
                       index);
    }
    GENERAL_NAMES_free(names);
}

static void plan_own(struct sni_plan *plan, const struct identity *identities, size_t own)
{
    for (size_t i = 0; i < own; i++)
        plan->base = with(plan->base, identities, i);
    if (plan->base == (own < SNI_IDENTITIES_MAX ? BIT(own) - 1 : UINT64_MAX))
        return; /* one of each type: no name needs another set */
    for (size_t i = 0; i < own; i++)
        add_dns_names(plan, identities, i);
}

static bool is_base_kind(const struct identity *identity)
{
    for (size_t i = 0; i < sizeof base_kinds / sizeof base_kinds[0]; i++) {
        if (strcmp(identity->name, base_kinds[i]) == 0)
            return true;
    }
    return false;
}

static void plan_made(struct sni_plan *plan, const struct identity *identities, size_t own,
                      size_t count)
{
    uint64_t base = 0;
    for (size_t i = own; i < count; i++) {
        char *name = memory_format("%s.suitemark.test", identities[i].name);
        add_name(plan, name, identities, i);
        free(name);
        if (is_base_kind(&identities[i]))
            base = with(base, identities, i);
    }
    if (own == 0)
        plan->base = base != 0 ? base : BIT(0);
}

bool sni_plan_build(const struct identity *identities, size_t count, size_t own,
                    struct sni_plan *plan, struct error *err)
{
    *plan = (struct sni_plan){0};
    if (count == 0)
        return error_set(err, "there is no certificate to serve");
    if (count > SNI_IDENTITIES_MAX)
        return error_set(err, "%zu certificates are more than the %d that one server holds", count,
                         SNI_IDENTITIES_MAX);
    plan_own(plan, identities, own);
    plan_made(plan, identities, own, count);
    return true;
}

void sni_plan_cleanup(struct sni_plan *plan)
{
    for (size_t i = 0; i < plan->count; i++)
        free(plan->names[i].name);
    free(plan->names);
    *plan = (struct sni_plan){0};
}

const struct sni_name *sni_plan_find(const struct sni_plan *plan, const char *host)
{
    const char *dot = strchr(host, '.'); /* a wildcard stands for the first label (RFC 9525) */
    const struct sni_name *wild = NULL;
    for (size_t i = 0; i < plan->count; i++) {
        const char *name = plan->names[i].name;
        if (strcasecmp(name, host) == 0)
            return &plan->names[i];
        if (dot != NULL && name[0] == '*' && strcasecmp(name + 1, dot) == 0)
            wild = &plan->names[i];
    }
    return wild;
}
