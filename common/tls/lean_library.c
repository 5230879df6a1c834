#include "common/tls/lean_library.h"

#include "common/tls/reason.h"

#include <openssl/core.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/provider.h>
#include <stddef.h>
#include <string.h>

#define DISPATCH_MAX   32
#define ALGORITHMS_MAX 64

/* The default provider as it was loaded elsewhere, and what of it we pass on. libcrypto gives a
 * built-in provider's entry point no argument of ours, and every algorithm must get the default
 * provider's own context: hence the one variable of this file, written once before any thread
 * starts. See provider-base(7). */
static struct {
    OSSL_LIB_CTX *library;
    OSSL_PROVIDER *provider; /* the default one, in a library context of its own */
    OSSL_FUNC_provider_query_operation_fn *query;
    OSSL_DISPATCH dispatch[DISPATCH_MAX];
    OSSL_ALGORITHM decoders[ALGORITHMS_MAX];
} lean;

static int is_public_key_decoder(const OSSL_ALGORITHM *algorithm)
{
    const char *properties = algorithm->property_definition;
    return properties && strstr(properties, "input=der") &&
           strstr(properties, "structure=SubjectPublicKeyInfo");
}

static const OSSL_ALGORITHM *query(void *context, int operation, int *no_cache)
{
    return operation == OSSL_OP_DECODER ? (*no_cache = 0, lean.decoders)
                                        : lean.query(context, operation, no_cache);
}

/* The provider that it all belongs to is unloaded with the process. */
static void teardown(void *context)
{
    (void)context;
}

static int start(const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *in, const OSSL_DISPATCH **out,
                 void **context)
{
    (void)handle;
    (void)in;
    *out = lean.dispatch;
    *context = OSSL_PROVIDER_get0_provider_ctx(lean.provider);
    return 1;
}

static bool copy_dispatch(void)
{
    const OSSL_DISPATCH *from = OSSL_PROVIDER_get0_dispatch(lean.provider);
    size_t count = 0;
    for (; from && from->function_id != 0; from++) {
        if (count + 1 >= DISPATCH_MAX)
            return false;
        OSSL_DISPATCH *to = &lean.dispatch[count++];
        *to = *from;
        if (from->function_id == OSSL_FUNC_PROVIDER_QUERY_OPERATION) {
            lean.query = OSSL_FUNC_provider_query_operation(from);
            to->function = (void (*)(void))query;
        } else if (from->function_id == OSSL_FUNC_PROVIDER_TEARDOWN) {
            to->function = (void (*)(void))teardown;
        }
    }
    return lean.query != NULL;
}

static bool copy_decoders(void)
{
    int no_cache;
    void *context = OSSL_PROVIDER_get0_provider_ctx(lean.provider);
    const OSSL_ALGORITHM *from = lean.query(context, OSSL_OP_DECODER, &no_cache);
    size_t count = 0;
    for (; from && from->algorithm_names && count + 1 < ALGORITHMS_MAX; from++) {
        if (is_public_key_decoder(from))
            lean.decoders[count++] = *from;
    }
    return count > 0;
}

OSSL_LIB_CTX *lean_library(struct error *err)
{
    if (lean.library)
        return lean.library;
    OSSL_LIB_CTX *inner = OSSL_LIB_CTX_new(), *outer = OSSL_LIB_CTX_new();
    lean.provider = inner ? OSSL_PROVIDER_load(inner, "default") : NULL;
    if (outer && lean.provider && copy_dispatch() && copy_decoders() &&
        OSSL_PROVIDER_add_builtin(outer, "lean", start) && OSSL_PROVIDER_load(outer, "lean"))
        return lean.library = outer;
    (void)reason_error(err, "cannot make a library context with fewer decoders");
    OSSL_LIB_CTX_free(outer);
    OSSL_LIB_CTX_free(inner);
    return NULL;
}
