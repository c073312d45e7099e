#include <arpa/inet.h>
#include <string.h>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/ocsp.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/provider.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

// Stacks of certificates. A stack made here owns none of its certificates: `certificates_free` frees the stack alone.

static inline STACK_OF(X509) * certificates_new(void) { return sk_X509_new_null(); }

static inline int certificates_push(STACK_OF(X509) * stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}

static inline int certificates_count(const STACK_OF(X509) * stack) { return stack == NULL ? 0 : sk_X509_num(stack); }

static inline X509 *certificates_at(const STACK_OF(X509) * stack, int index) { return sk_X509_value(stack, index); }

static inline void certificates_free(STACK_OF(X509) * stack) { sk_X509_free(stack); }

/// For stacks whose certificates the caller owns, as those that OpenSSL's `get1` functions return.
static inline void certificates_free_all(STACK_OF(X509) * stack) { sk_X509_pop_free(stack, X509_free); }

// OCSP

/// When a response says that it was made: by itself, OpenSSL writes the time of the wall clock.
static inline void ocsp_set_time(OCSP_BASICRESP *response, time_t seconds) {
    ASN1_GENERALIZEDTIME_set((ASN1_GENERALIZEDTIME *)OCSP_resp_get0_produced_at(response), seconds);
}

/// The digest of a signature of the kind RSASSA-PSS, by its parameters (RFC 4055 3.1: SHA-1 where they name none);
/// NID_undef if they cannot be read.
static inline int ocsp_pss_digest(const X509_ALGOR *signature) {
    int digest = NID_undef, kind = V_ASN1_UNDEF;
    const void *value = NULL;
    X509_ALGOR_get0(NULL, &kind, &value, signature);
    if (kind != V_ASN1_SEQUENCE) return NID_undef;
    const ASN1_STRING *text = (const ASN1_STRING *)value;
    const unsigned char *bytes = ASN1_STRING_get0_data(text);
    RSA_PSS_PARAMS *parameters = d2i_RSA_PSS_PARAMS(NULL, &bytes, ASN1_STRING_length(text));
    if (parameters == NULL) return NID_undef;
    digest = NID_sha1;
    if (parameters->hashAlgorithm != NULL) {
        const ASN1_OBJECT *name = NULL;
        X509_ALGOR_get0(&name, NULL, NULL, parameters->hashAlgorithm);
        digest = OBJ_obj2nid(name);
    }
    RSA_PSS_PARAMS_free(parameters);
    return digest;
}

// Trust stores: those that are not changed any more may be read without OpenSSL's lock.

static inline int trust_store_count(X509_STORE *store) { return sk_X509_OBJECT_num(X509_STORE_get0_objects(store)); }

/// NULL for what is no certificate.
static inline X509 *trust_store_certificate(X509_STORE *store, int index) {
    return X509_OBJECT_get0_X509(sk_X509_OBJECT_value(X509_STORE_get0_objects(store), index));
}

// Names: unions and stacks, which Swift does not see.

static inline int general_names_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }

static inline int general_name_type(const GENERAL_NAMES *names, int index) {
    return sk_GENERAL_NAME_value(names, index)->type;
}

/// The text of a name of type GEN_DNS, GEN_EMAIL or GEN_URI, or the bytes of one of type GEN_IPADD; else NULL.
static inline const ASN1_STRING *general_name_string(const GENERAL_NAMES *names, int index) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    switch (name->type) {
    case GEN_DNS: case GEN_EMAIL: case GEN_URI: return name->d.ia5;
    case GEN_IPADD: return name->d.ip;
    default: return NULL;
    }
}

/// Whether the certificate says where its issuer's can be fetched.
static inline int certificate_names_issuer_address(const X509 *certificate) {
    AUTHORITY_INFO_ACCESS *access = (AUTHORITY_INFO_ACCESS *)X509_get_ext_d2i(certificate, NID_info_access, NULL, NULL);
    int found = 0;
    for (int index = 0; access != NULL && index < sk_ACCESS_DESCRIPTION_num(access); index++) {
        found |= OBJ_obj2nid(sk_ACCESS_DESCRIPTION_value(access, index)->method) == NID_ad_ca_issuers;
    }
    AUTHORITY_INFO_ACCESS_free(access);
    return found;
}

// Memory

static inline void openssl_free(void *memory) { OPENSSL_free(memory); }

static inline void openssl_free_secret(void *memory, size_t count) { OPENSSL_clear_free(memory, count); }

/// What a memory BIO holds, which keeps owning it.
static inline long bio_bytes(BIO *bio, char **bytes) { return BIO_get_mem_data(bio, bytes); }

// Passphrases: a callback for PEM_read_bio_…, whose argument is a `struct passphrase_question`.

struct passphrase_question {
    const char *bytes;
    int count;
    /// Whether one was asked for at all.
    int wasAsked;
};

static inline int passphrase_answer(char *buffer, int size, int isWriting, void *argument) {
    (void)isWriting;
    struct passphrase_question *question = (struct passphrase_question *)argument;
    question->wasAsked = 1;
    if (question->bytes == NULL || question->count > size) { return -1; }
    memcpy(buffer, question->bytes, (size_t)question->count);
    return question->count;
}

/// Reads the first private key of a PEM text, without ever asking a terminal.
static inline EVP_PKEY *private_key_from_pem(BIO *bio, struct passphrase_question *question) {
    return PEM_read_bio_PrivateKey(bio, NULL, passphrase_answer, question);
}

// Addresses

/// Writes 4 or 16 bytes and returns how many, or 0 when the text is no literal of an IP address.
static inline int address_bytes(const char *text, unsigned char *bytes) {
    if (inet_pton(AF_INET, text, bytes) == 1) { return 4; }
    return inet_pton(AF_INET6, text, bytes) == 1 ? 16 : 0;
}

/// The text of 4 or 16 bytes, into 46 bytes of memory; NULL for another count.
static inline const char *address_text(const unsigned char *bytes, int count, char *text) {
    if (count != 4 && count != 16) { return NULL; }
    return inet_ntop(count == 4 ? AF_INET : AF_INET6, bytes, text, INET6_ADDRSTRLEN);
}

// How often a container of PKCS#12 has its passphrase hashed: the container names the numbers.

/// Of one encryption, `most` + 1 for more; 0 if its parameters are of an unknown form, which OpenSSL refuses later.
static inline long encryption_rounds(const X509_ALGOR *algorithm, long most) {
    const ASN1_OBJECT *kind = NULL;
    const void *value = NULL;
    const ASN1_INTEGER *iterations = NULL;
    int type = 0, is_other = 0;
    X509_ALGOR_get0(&kind, &type, &value, algorithm);
    if (type != V_ASN1_SEQUENCE) return 0;
    PBE2PARAM *scheme = NULL;
    PBKDF2PARAM *derivation = NULL;
    PBEPARAM *old = NULL;
    if (OBJ_obj2nid(kind) == NID_pbes2) {
        scheme = (PBE2PARAM *)ASN1_item_unpack((ASN1_STRING *)value, ASN1_ITEM_rptr(PBE2PARAM));
        if (scheme != NULL) X509_ALGOR_get0(NULL, &type, &value, scheme->keyfunc);
        if (scheme != NULL && type == V_ASN1_SEQUENCE)
            derivation = (PBKDF2PARAM *)ASN1_item_unpack((ASN1_STRING *)value, ASN1_ITEM_rptr(PBKDF2PARAM));
        if (derivation != NULL) iterations = derivation->iter;
        // What another function costs, such as scrypt, is said in other numbers.
        is_other = scheme != NULL && OBJ_obj2nid(scheme->keyfunc->algorithm) != NID_id_pbkdf2;
    } else {
        old = (PBEPARAM *)ASN1_item_unpack((ASN1_STRING *)value, ASN1_ITEM_rptr(PBEPARAM));
        if (old != NULL) iterations = old->iter;
    }
    long rounds = iterations == NULL ? 0 : ASN1_INTEGER_get(iterations);
    PBE2PARAM_free(scheme);
    PBKDF2PARAM_free(derivation);
    PBEPARAM_free(old);
    // A number that does not fit is -1.
    return is_other || rounds < 0 || rounds > most ? most + 1 : rounds;
}

/// Adds what is in these bags to `rounds`, and stops above `most`.
static inline void bags_add_rounds(const STACK_OF(PKCS12_SAFEBAG) * bags, int depth, long most, long *rounds) {
    for (int i = 0; i < sk_PKCS12_SAFEBAG_num(bags) && *rounds <= most; i++) {
        const PKCS12_SAFEBAG *bag = sk_PKCS12_SAFEBAG_value(bags, i);
        const X509_ALGOR *algorithm = NULL;
        switch (PKCS12_SAFEBAG_get_nid(bag)) {
        case NID_pkcs8ShroudedKeyBag:
            X509_SIG_get0(PKCS12_SAFEBAG_get0_pkcs8(bag), &algorithm, NULL);
            *rounds += encryption_rounds(algorithm, most);
            break;
        case NID_safeContentsBag:
            // Nobody nests them deeply.
            if (depth == 0) *rounds = most + 1;
            else bags_add_rounds(PKCS12_SAFEBAG_get0_safes(bag), depth - 1, most, rounds);
            break;
        default: break;
        }
    }
}

/// Beside those of the MAC; more than `most` when it stopped counting. Decrypts what it can to look into it.
static inline long container_rounds(const PKCS12 *container, const char *passphrase, long most) {
    int length = passphrase == NULL ? 0 : -1;
    STACK_OF(PKCS7) *safes = PKCS12_unpack_authsafes(container);
    long rounds = 0;
    for (int i = 0; i < sk_PKCS7_num(safes) && rounds <= most; i++) {
        PKCS7 *safe = sk_PKCS7_value(safes, i);
        STACK_OF(PKCS12_SAFEBAG) *bags = NULL;
        if (PKCS7_type_is_data(safe)) bags = PKCS12_unpack_p7data(safe);
        if (PKCS7_type_is_encrypted(safe) && safe->d.encrypted != NULL && safe->d.encrypted->enc_data != NULL) {
            rounds += encryption_rounds(safe->d.encrypted->enc_data->algorithm, most);
            if (rounds <= most) bags = PKCS12_unpack_p7encdata(safe, passphrase, length);
        }
        bags_add_rounds(bags, 4, most, &rounds);
        sk_PKCS12_SAFEBAG_pop_free(bags, PKCS12_SAFEBAG_free);
    }
    sk_PKCS7_pop_free(safes, PKCS7_free);
    return rounds;
}
