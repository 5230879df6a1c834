#include "client/plan_parts.h"

/* The cross product of a selection.
 *
 * Suites are the outer dimension, then versions, kinds, groups, record sizes and directions: the
 * first row is what the user named first. A combination that cannot be is a skip with its reason
 * when the user named all that clashes in it, and is left out when a default, "all" or a cipher
 * string brought part of it in. A second walk then adds a skip for each thing that was named and
 * would otherwise appear nowhere (but not for groups beside a certificate that does not fit). */

/* Where suites are not given: the first of these that the certificate serves in the version. */
static const char *const default_suites[] = {
    "TLS_AES_128_GCM_SHA256",    "ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-RSA-AES128-GCM-SHA256",
    "DHE-DSS-AES128-GCM-SHA256", "ECDHE-ECDSA-AES128-SHA",        "ECDHE-RSA-AES128-SHA",
    "DHE-DSS-AES128-SHA",
};

/* Where certificates are not given: the first of these that serves the suite; the first two when
 * suites are not given either. */
static const char *const default_kinds[] = {"ecdsa-p256", "rsa-2048", "dsa-2048"};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum mentioned {
    MENTIONED_SUITE,
    MENTIONED_VERSION,
    MENTIONED_KIND,
    MENTIONED_GROUP,
    MENTIONED_COUNT,
};

/* One combination on its way through the dimensions. A mention is NULL where a default stands. */
struct combination {
    struct test_case test_case;
    struct mention *mentions[MENTIONED_COUNT];
};

struct product {
    struct plan *plan;
    struct selection *selection;
    const struct library_facts *library;
    bool second_walk;
    struct error *err;
};

static bool is_named(const struct combination *combination, enum mentioned what)
{
    return combination->mentions[what] && combination->mentions[what]->named;
}

/* Whether the user named all that clashes. */
static bool clash_is_named(const struct combination *combination, enum case_fit fit)
{
    bool suite = is_named(combination, MENTIONED_SUITE);
    bool version = is_named(combination, MENTIONED_VERSION);
    bool kind = is_named(combination, MENTIONED_KIND);
    bool group = is_named(combination, MENTIONED_GROUP);
    const struct mention *shown = combination->mentions[MENTIONED_SUITE];

    switch (fit) {
    case CASE_FITS:
        return true;
    case CASE_SUITE_CANNOT: /* one row says it, whatever it is combined with */
        return !shown || !shown->shown;
    case CASE_VERSION_MISFIT:
        return suite && version;
    case CASE_KIND_MISFIT:
        return kind && (suite || version);
    case CASE_KIND_MISSING:
        return kind;
    case CASE_GROUP_MISFIT:
        return group && (suite || version);
    case CASE_GROUP_MISSING:
        return group;
    }
    return false;
}

static bool names_something_not_shown(const struct combination *combination)
{
    for (int i = 0; i < MENTIONED_COUNT; i++) {
        const struct mention *mention = combination->mentions[i];

        if (mention && mention->named && !mention->shown)
            return true;
    }
    return false;
}

static void mark_shown(const struct combination *combination)
{
    for (int i = 0; i < MENTIONED_COUNT; i++) {
        if (combination->mentions[i])
            combination->mentions[i]->shown = true;
    }
}

static bool add_bulk(const struct product *product, struct test_case test_case)
{
    const struct selection *selection = product->selection;

    for (size_t s = 0; s < selection->record_size_count; s++) {
        for (size_t d = 0; d < selection->direction_count; d++) {
            test_case.record_size = selection->record_sizes[s];
            test_case.direction = selection->directions[d];
            if (!plan_add(product->plan, &test_case, "", product->err))
                return false;
        }
    }
    return true;
}

/* A skip is one row, whatever record sizes and directions there are. */
static bool add_skip(const struct product *product, struct test_case test_case, const char *reason)
{
    if (test_case.measure == MEASURE_BULK) {
        test_case.record_size = product->selection->record_sizes[0];
        test_case.direction = product->selection->directions[0];
    }
    return plan_add(product->plan, &test_case, reason, product->err);
}

static bool add(const struct product *product, const struct combination *combination,
                enum case_fit fit, const char *reason)
{
    const struct test_case *test_case = &combination->test_case;
    bool wanted;

    if (product->second_walk)
        wanted = fit != CASE_FITS && names_something_not_shown(combination);
    else
        wanted = clash_is_named(combination, fit);
    if (!wanted)
        return true;
    mark_shown(combination);
    if (fit != CASE_FITS)
        return add_skip(product, *test_case, reason);
    if (test_case->measure == MEASURE_BULK)
        return add_bulk(product, *test_case);
    return plan_add(product->plan, test_case, "", product->err);
}

static bool walk_groups(const struct product *product, struct combination combination)
{
    struct selection *selection = product->selection;
    bool choice = case_has_group(combination.test_case.suite);
    char reason[CASE_REASON];

    for (size_t i = 0; i < (choice ? selection->group_count : 1); i++) {
        enum case_fit fit;

        if (choice) {
            combination.test_case.group = selection->groups[i].group;
            combination.mentions[MENTIONED_GROUP] = &selection->groups[i].mention;
        }
        fit = case_fit(&combination.test_case, product->library, reason);
        if (!add(product, &combination, fit, reason))
            return false;
        if (fit != CASE_FITS && fit < CASE_GROUP_MISFIT)
            break; /* no other group would help */
    }
    return true;
}

static const struct certificate_kind *kind_for(const struct product *product,
                                               const struct suite *suite, int version)
{
    const struct certificate_kind *lacking = NULL;
    struct suite_facts facts = suite_facts(suite);
    const char *reason;

    /* A skip for the version's sake shows the certificate that the suite is for. */
    if (version < facts.min_version || version > facts.max_version)
        version = facts.max_version;
    for (size_t i = 0; i < COUNT(default_kinds); i++) {
        const struct certificate_kind *kind = kind_find(default_kinds[i]);

        if (!kind_serves(kind, suite, version, &reason))
            continue;
        if (library_has_kind(product->library, kind))
            return kind;
        if (!lacking)
            lacking = kind;
    }
    return lacking ? lacking : kind_find(default_kinds[0]);
}

/* When no suite serves, the first of the version, so that a skip can say why. */
static const struct suite *suite_for(const struct certificate_kind *kind, int version)
{
    const struct suite *of_version = NULL;
    const char *reason;

    for (size_t i = 0; i < COUNT(default_suites); i++) {
        const struct suite *suite = suite_find(default_suites[i]);
        struct suite_facts facts = suite_facts(suite);

        if (version < facts.min_version || version > facts.max_version)
            continue;
        if (kind_serves(kind, suite, version, &reason))
            return suite;
        if (!of_version)
            of_version = suite;
    }
    return of_version;
}

/* One certificate for a given suite; two where nothing but a version or a group is given. */
static bool walk_default_kinds(const struct product *product, struct combination combination)
{
    struct test_case *test_case = &combination.test_case;

    if (test_case->suite) {
        test_case->kind = kind_for(product, test_case->suite, test_case->version);
        return walk_groups(product, combination);
    }
    for (size_t i = 0; i < 2; i++) {
        test_case->kind = kind_find(default_kinds[i]);
        test_case->suite = suite_for(test_case->kind, test_case->version);
        if (!walk_groups(product, combination))
            return false;
    }
    return true;
}

static bool walk_kinds(const struct product *product, struct combination combination)
{
    struct selection *selection = product->selection;
    const struct suite *given = combination.test_case.suite;

    if (selection->kind_count == 0)
        return walk_default_kinds(product, combination);
    for (size_t i = 0; i < selection->kind_count; i++) {
        struct test_case *test_case = &combination.test_case;

        test_case->kind = selection->kinds[i].kind;
        combination.mentions[MENTIONED_KIND] = &selection->kinds[i].mention;
        test_case->suite = given ? given : suite_for(test_case->kind, test_case->version);
        if (!walk_groups(product, combination))
            return false;
    }
    return true;
}

/* The versions to combine with a suite (NULL: suites are not given) at most four. Given versions
 * that the suite is not of are left out, unless none is left then. */
static size_t versions_for(struct selection *selection, const struct suite *suite,
                           struct selected_version defaults[2], struct selected_version *found[4])
{
    struct suite_facts facts = {.min_version = TLS1_VERSION, .max_version = TLS1_3_VERSION};
    bool given = selection->version_count > 0;
    struct selected_version *from = given ? selection->versions : defaults;
    size_t from_count = given ? selection->version_count : 2;
    size_t count = 0;

    if (suite)
        facts = suite_facts(suite);
    defaults[0] = (struct selected_version){.version = TLS1_3_VERSION};
    defaults[1] = (struct selected_version){.version = TLS1_2_VERSION};
    if (facts.max_version < TLS1_2_VERSION)
        defaults[0].version = facts.max_version;
    for (size_t i = 0; i < from_count; i++) {
        if (from[i].version >= facts.min_version && from[i].version <= facts.max_version)
            found[count++] = &from[i];
    }
    if (count == 0)
        found[count++] = &from[0];
    return count;
}

static bool walk_versions(const struct product *product, struct combination combination)
{
    struct selected_version defaults[2];
    struct selected_version *versions[4];
    size_t count =
        versions_for(product->selection, combination.test_case.suite, defaults, versions);

    for (size_t i = 0; i < count; i++) {
        combination.test_case.version = versions[i]->version;
        combination.mentions[MENTIONED_VERSION] = &versions[i]->mention;
        if (!walk_kinds(product, combination))
            return false;
    }
    return true;
}

static bool walk_suites(const struct product *product, enum measure measure)
{
    struct selection *selection = product->selection;
    struct combination combination = {.test_case.measure = measure};

    if (selection->suite_count == 0)
        return walk_versions(product, combination);
    for (size_t i = 0; i < selection->suite_count; i++) {
        combination.test_case.suite = selection->suites[i].suite;
        combination.mentions[MENTIONED_SUITE] = &selection->suites[i].mention;
        if (!walk_versions(product, combination))
            return false;
    }
    return true;
}

bool plan_product_add(struct plan *plan, struct selection *selection,
                      const struct library_facts *library, struct error *err)
{
    struct product product = {plan, selection, library, false, err};

    for (int walk = 0; walk < 2; walk++) {
        product.second_walk = walk == 1;
        for (size_t i = 0; i < selection->measure_count; i++) {
            if (!walk_suites(&product, selection->measures[i]))
                return false;
        }
    }
    return true;
}
