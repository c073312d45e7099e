#include <stdint.h>
#include <string.h>
#include <openssl/bio.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/provider.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>

// Macros

static inline int tls_set_versions(SSL_CTX *context, int lowest, int highest) {
    return SSL_CTX_set_min_proto_version(context, lowest) && SSL_CTX_set_max_proto_version(context, highest);
}

static inline void tls_set_modes(SSL_CTX *context) {
    SSL_CTX_set_mode(context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN);
}

static inline void tls_refuse_renegotiation(SSL_CTX *context) { SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION); }

static inline void tls_allow_renegotiation(SSL *ssl) { SSL_clear_options(ssl, SSL_OP_NO_RENEGOTIATION); }

static inline void tls_refuse_tickets(SSL_CTX *context) { SSL_CTX_set_options(context, SSL_OP_NO_TICKET); }

static inline void tls_prefer_own_ciphers(SSL_CTX *context) {
    SSL_CTX_set_options(context, SSL_OP_CIPHER_SERVER_PREFERENCE);
}

static inline void tls_set_session_cache(SSL_CTX *context, long mode) { SSL_CTX_set_session_cache_mode(context, mode); }

static inline int tls_set_host_name(SSL *ssl, const char *name) { return (int)SSL_set_tlsext_host_name(ssl, name); }

static inline void tls_set_host_name_callback(SSL_CTX *context, int (*callback)(SSL *, int *, void *)) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
}

/// Asks the server for an OCSP response of its certificate.
static inline void tls_ask_for_status(SSL_CTX *context) {
    SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
}

/// The response that came, which the connection keeps owning; returns its length, or less than 1 if none came.
static inline long tls_stapled_response(SSL *ssl, const unsigned char **bytes) {
    return SSL_get_tlsext_status_ocsp_resp(ssl, bytes);
}

static inline void tls_set_status_callback(SSL_CTX *context, int (*callback)(SSL *, void *)) {
    SSL_CTX_set_tlsext_status_cb(context, callback);
}

/// A copy of the bytes goes out with the server's certificate.
static inline int tls_staple(SSL *ssl, const unsigned char *bytes, size_t count) {
    unsigned char *copy = (unsigned char *)OPENSSL_memdup(bytes, count);
    return copy != NULL && SSL_set_tlsext_status_ocsp_resp(ssl, copy, (long)count);
}

static inline int tls_wait_for_verdict(SSL *ssl) { return (int)SSL_set_retry_verify(ssl); }

// Stacks of names

static inline int tls_names_count(const STACK_OF(X509_NAME) * stack) {
    return stack == NULL ? 0 : sk_X509_NAME_num(stack);
}

static inline const X509_NAME *tls_names_at(const STACK_OF(X509_NAME) * stack, int index) {
    return sk_X509_NAME_value(stack, index);
}

static inline STACK_OF(X509_NAME) * tls_names_new(void) { return sk_X509_NAME_new_null(); }

static inline int tls_names_push(STACK_OF(X509_NAME) * stack, X509_NAME *name) {
    return sk_X509_NAME_push(stack, name);
}

static inline void tls_names_free(STACK_OF(X509_NAME) * stack) { sk_X509_NAME_pop_free(stack, X509_NAME_free); }

// Repeatable randomness: a provider with one algorithm, SplitMix64 in the place of OpenSSL's random generators. Anyone
// who sees some of its bytes can tell the others: for simulations only.

#define TLS_SEEDED_NAME "UNDERSTUDY-SEEDED"

struct tls_seeded {
    uint64_t state;
};

static void *tls_seeded_new(void *provider, void *parent, const OSSL_DISPATCH *parentFunctions) {
    (void)provider, (void)parent, (void)parentFunctions;
    return OPENSSL_zalloc(sizeof(struct tls_seeded));
}

static void tls_seeded_free(void *generator) { OPENSSL_free(generator); }

static int tls_seeded_instantiate(
    void *generator, unsigned int strength, int isResistant, const unsigned char *text, size_t count,
    const OSSL_PARAM parameters[]) {
    (void)generator, (void)strength, (void)isResistant, (void)text, (void)count, (void)parameters;
    return 1;
}

static int tls_seeded_uninstantiate(void *generator) { return generator != NULL; }

static int tls_seeded_generate(
    void *generator, unsigned char *out, size_t count, unsigned int strength, int isResistant,
    const unsigned char *additional, size_t additionalCount) {
    (void)strength, (void)isResistant, (void)additional, (void)additionalCount;
    uint64_t *state = &((struct tls_seeded *)generator)->state;
    while (count > 0) {
        uint64_t word = *state += 0x9e3779b97f4a7c15;
        word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9;
        word = (word ^ (word >> 27)) * 0x94d049bb133111eb;
        word ^= word >> 31;
        size_t taken = count < sizeof(word) ? count : sizeof(word);
        memcpy(out, &word, taken);
        out += taken;
        count -= taken;
    }
    return 1;
}

static int tls_seeded_reseed(
    void *generator, int isResistant, const unsigned char *seed, size_t count, const unsigned char *additional,
    size_t additionalCount) {
    (void)isResistant, (void)additional, (void)additionalCount;
    struct tls_seeded *seeded = (struct tls_seeded *)generator;
    if (count == sizeof(seeded->state)) { memcpy(&seeded->state, seed, count); }
    return 1;
}

static int tls_seeded_enable_locking(void *generator) { return generator != NULL; }

static int tls_seeded_parameters(void *generator, OSSL_PARAM parameters[]) {
    (void)generator;
    OSSL_PARAM *state = OSSL_PARAM_locate(parameters, OSSL_RAND_PARAM_STATE);
    OSSL_PARAM *strength = OSSL_PARAM_locate(parameters, OSSL_RAND_PARAM_STRENGTH);
    OSSL_PARAM *largest = OSSL_PARAM_locate(parameters, OSSL_RAND_PARAM_MAX_REQUEST);
    return (state == NULL || OSSL_PARAM_set_int(state, EVP_RAND_STATE_READY))
        && (strength == NULL || OSSL_PARAM_set_uint(strength, 256))
        && (largest == NULL || OSSL_PARAM_set_size_t(largest, 1 << 30));
}

static const OSSL_ALGORITHM *tls_seeded_query(void *provider, int operation, int *isNotToBeCached) {
    (void)provider;
    static const OSSL_DISPATCH functions[] = {
        {OSSL_FUNC_RAND_NEWCTX, (void (*)(void))tls_seeded_new},
        {OSSL_FUNC_RAND_FREECTX, (void (*)(void))tls_seeded_free},
        {OSSL_FUNC_RAND_INSTANTIATE, (void (*)(void))tls_seeded_instantiate},
        {OSSL_FUNC_RAND_UNINSTANTIATE, (void (*)(void))tls_seeded_uninstantiate},
        {OSSL_FUNC_RAND_GENERATE, (void (*)(void))tls_seeded_generate},
        {OSSL_FUNC_RAND_RESEED, (void (*)(void))tls_seeded_reseed},
        {OSSL_FUNC_RAND_ENABLE_LOCKING, (void (*)(void))tls_seeded_enable_locking},
        {OSSL_FUNC_RAND_GET_CTX_PARAMS, (void (*)(void))tls_seeded_parameters},
        {0, NULL},
    };
    static const OSSL_ALGORITHM algorithms[] = {
        {TLS_SEEDED_NAME, "provider=" TLS_SEEDED_NAME, functions, "SplitMix64"},
        {NULL, NULL, NULL, NULL},
    };
    *isNotToBeCached = 0;
    return operation == OSSL_OP_RAND ? algorithms : NULL;
}

static int tls_seeded_provider(
    const OSSL_CORE_HANDLE *handle, const OSSL_DISPATCH *core, const OSSL_DISPATCH **functions, void **provider) {
    (void)core;
    static const OSSL_DISPATCH table[] = {
        {OSSL_FUNC_PROVIDER_QUERY_OPERATION, (void (*)(void))tls_seeded_query},
        {0, NULL},
    };
    *functions = table;
    *provider = (void *)handle;
    return 1;
}

/// A library context whose random generators are seeded ones; NULL if it cannot be made.
static inline OSSL_LIB_CTX *tls_seeded_library(void) {
    OSSL_LIB_CTX *library = OSSL_LIB_CTX_new();
    if (library != NULL && OSSL_PROVIDER_add_builtin(library, TLS_SEEDED_NAME, tls_seeded_provider)
        && RAND_set_DRBG_type(library, TLS_SEEDED_NAME, NULL, NULL, NULL)
        && OSSL_PROVIDER_load(library, "default") != NULL && OSSL_PROVIDER_load(library, TLS_SEEDED_NAME) != NULL) {
        return library;
    }
    OSSL_LIB_CTX_free(library);
    return NULL;
}
