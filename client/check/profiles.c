#include "client/check/profiles.h"

#include <openssl/ssl.h>

/* Signature schemes by their RFC 8446 names, older pairs as OpenSSL writes them. */
#define BORING_SIGALGS                                                                             \
    "ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256:rsa_pkcs1_sha256:ecdsa_secp384r1_sha384:"          \
    "rsa_pss_rsae_sha384:rsa_pkcs1_sha384:rsa_pss_rsae_sha512:rsa_pkcs1_sha512"
#define OPENSSL_SIGALGS                                                                            \
    "ecdsa_secp256r1_sha256:ecdsa_secp384r1_sha384:ecdsa_secp521r1_sha512:ed25519:ed448:"          \
    "rsa_pss_pss_sha256:rsa_pss_pss_sha384:rsa_pss_pss_sha512:rsa_pss_rsae_sha256:"                \
    "rsa_pss_rsae_sha384:rsa_pss_rsae_sha512:rsa_pkcs1_sha256:rsa_pkcs1_sha384:rsa_pkcs1_sha512:"  \
    "ECDSA+SHA224:"
#define DSA_SIGALGS "DSA+SHA256:DSA+SHA384:DSA+SHA512"
#define OLD_SIGALGS                                                                                \
    "RSA+SHA512:DSA+SHA512:ECDSA+SHA512:RSA+SHA384:DSA+SHA384:ECDSA+SHA384:RSA+SHA256:"            \
    "DSA+SHA256:ECDSA+SHA256:RSA+SHA224:DSA+SHA224:ECDSA+SHA224:RSA+SHA1:DSA+SHA1:ECDSA+SHA1"
#define CHROME_12                                                                                  \
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"     \
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:"       \
    "ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES256-SHA:AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA:"    \
    "AES256-SHA"
#define ANDROID_12                                                                                 \
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:"   \
    "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-CHACHA20-POLY1305:"         \
    "ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES256-SHA:"     \
    "AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA:AES256-SHA"
#define OPENSSL_12                                                                                 \
    "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:DHE-RSA-AES256-GCM-SHA384:"         \
    "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:DHE-RSA-CHACHA20-POLY1305:"         \
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES128-GCM-SHA256:"         \
    "ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA384:DHE-RSA-AES256-SHA256:"                     \
    "ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:DHE-RSA-AES128-SHA256:"                     \
    "ECDHE-ECDSA-AES256-SHA:ECDHE-RSA-AES256-SHA:DHE-RSA-AES256-SHA:ECDHE-ECDSA-AES128-SHA:"       \
    "ECDHE-RSA-AES128-SHA:DHE-RSA-AES128-SHA:AES256-GCM-SHA384:AES128-GCM-SHA256:AES256-SHA256:"   \
    "AES128-SHA256:AES256-SHA:AES128-SHA"

const struct client_profile profile_table[] = {
    {.name = "Chrome 131",
     .date = "2024-11",
     .source = "ClientHello of Chrome 131 in uTLS; BoringSSL's defaults",
     .min_version = TLS1_2_VERSION,
     .max_version = TLS1_3_VERSION,
     .suites_13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256",
     .suites_12 = CHROME_12,
     .groups = "X25519MLKEM768:X25519:P-256:P-384",
     .sigalgs = BORING_SIGALGS},
    {.name = "Firefox 120",
     .date = "2023-11",
     .source = "ClientHello of Firefox 120 in uTLS",
     .min_version = TLS1_2_VERSION,
     .max_version = TLS1_3_VERSION,
     .suites_13 = "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384",
     .suites_12 = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
                  "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305:"
                  "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
                  "ECDHE-ECDSA-AES256-SHA:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:"
                  "ECDHE-RSA-AES256-SHA:AES128-GCM-SHA256:AES256-GCM-SHA384:AES128-SHA:AES256-SHA",
     .groups = "X25519:P-256:P-384:P-521:ffdhe2048:ffdhe3072",
     .sigalgs = "ecdsa_secp256r1_sha256:ecdsa_secp384r1_sha384:ecdsa_secp521r1_sha512:"
                "rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512:rsa_pkcs1_sha256:"
                "rsa_pkcs1_sha384:rsa_pkcs1_sha512:ECDSA+SHA1:RSA+SHA1"},
    {.name = "Safari 16",
     .date = "2022-09",
     .source = "ClientHello of Safari 16.0 in uTLS",
     .min_version = TLS1_VERSION,
     .max_version = TLS1_3_VERSION,
     .suites_13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256",
     .suites_12 = "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256:"
                  "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-AES256-GCM-SHA384:"
                  "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-CHACHA20-POLY1305:"
                  "ECDHE-ECDSA-AES256-SHA:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES256-SHA:"
                  "ECDHE-RSA-AES128-SHA:AES256-GCM-SHA384:AES128-GCM-SHA256:AES256-SHA:"
                  "AES128-SHA:ECDHE-ECDSA-DES-CBC3-SHA:ECDHE-RSA-DES-CBC3-SHA:DES-CBC3-SHA",
     .groups = "X25519:P-256:P-384:P-521",
     .sigalgs = "ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256:rsa_pkcs1_sha256:"
                "ecdsa_secp384r1_sha384:ECDSA+SHA1:rsa_pss_rsae_sha384:rsa_pkcs1_sha384:"
                "rsa_pss_rsae_sha512:rsa_pkcs1_sha512:RSA+SHA1"},
    {.name = "Android 7",
     .date = "2016-08",
     .source = "ClientHello of Android 7.0 in testssl.sh's client simulations",
     .min_version = TLS1_VERSION,
     .max_version = TLS1_2_VERSION,
     .suites_13 = "",
     .suites_12 = "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
                  "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-AES128-GCM-SHA256:"
                  "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-CHACHA20-POLY1305:"
                  "ECDHE-RSA-AES128-SHA:ECDHE-RSA-AES256-SHA:AES128-GCM-SHA256:"
                  "AES256-GCM-SHA384:AES128-SHA:AES256-SHA",
     .groups = "P-256",
     .sigalgs = "RSA+SHA512:ECDSA+SHA512:RSA+SHA384:ECDSA+SHA384:RSA+SHA256:ECDSA+SHA256:"
                "RSA+SHA224:ECDSA+SHA224:RSA+SHA1:ECDSA+SHA1"},
    {.name = "Android 14",
     .date = "2023-10",
     .source = "ClientHello of Android 13 and 14 in testssl.sh's client simulations",
     .min_version = TLS1_2_VERSION,
     .max_version = TLS1_3_VERSION,
     .suites_13 = "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256",
     .suites_12 = ANDROID_12,
     .groups = "X25519:P-256:P-384",
     .sigalgs = BORING_SIGALGS ":RSA+SHA1"},
    {.name = "Java 8u31",
     .date = "2015-01",
     .source = "ClientHello of Java 8u31 in testssl.sh's client simulations",
     .min_version = TLS1_VERSION,
     .max_version = TLS1_2_VERSION,
     .suites_13 = "",
     .suites_12 = "ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:AES128-SHA256:"
                  "ECDH-ECDSA-AES128-SHA256:ECDH-RSA-AES128-SHA256:DHE-RSA-AES128-SHA256:"
                  "DHE-DSS-AES128-SHA256:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:"
                  "AES128-SHA:ECDH-ECDSA-AES128-SHA:ECDH-RSA-AES128-SHA:DHE-RSA-AES128-SHA:"
                  "DHE-DSS-AES128-SHA:ECDHE-ECDSA-AES128-GCM-SHA256:"
                  "ECDHE-RSA-AES128-GCM-SHA256:AES128-GCM-SHA256:"
                  "ECDH-ECDSA-AES128-GCM-SHA256:ECDH-RSA-AES128-GCM-SHA256:"
                  "DHE-RSA-AES128-GCM-SHA256:DHE-DSS-AES128-GCM-SHA256:"
                  "ECDHE-ECDSA-DES-CBC3-SHA:ECDHE-RSA-DES-CBC3-SHA:DES-CBC3-SHA:"
                  "ECDH-ECDSA-DES-CBC3-SHA:ECDH-RSA-DES-CBC3-SHA:DHE-RSA-DES-CBC3-SHA:"
                  "DHE-DSS-DES-CBC3-SHA:ECDHE-ECDSA-RC4-SHA:ECDHE-RSA-RC4-SHA:RC4-SHA:"
                  "ECDH-ECDSA-RC4-SHA:ECDH-RSA-RC4-SHA:RC4-MD5",
     .groups = "P-256:sect163k1:sect163r2:secp192r1:secp224r1:sect233k1:sect233r1:"
               "sect283k1:sect283r1:P-384:sect409k1:sect409r1:P-521:sect571k1:sect571r1:"
               "secp160k1:secp160r1:secp160r2:sect163r1:secp192k1:sect193r1:sect193r2:"
               "secp224k1:sect239k1:secp256k1",
     .sigalgs = "ECDSA+SHA512:RSA+SHA512:ECDSA+SHA384:RSA+SHA384:ECDSA+SHA256:RSA+SHA256:"
                "ECDSA+SHA224:RSA+SHA224:ECDSA+SHA1:RSA+SHA1:DSA+SHA1:RSA+MD5"},
    {.name = "Java 17",
     .date = "2022-04",
     .source = "ClientHello of OpenJDK 17.0.3 in testssl.sh's client simulations",
     .min_version = TLS1_2_VERSION,
     .max_version = TLS1_3_VERSION,
     .suites_13 = "TLS_AES_256_GCM_SHA384:TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256",
     .suites_12 = "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256:"
                  "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-AES256-GCM-SHA384:"
                  "ECDHE-RSA-CHACHA20-POLY1305:ECDHE-RSA-AES128-GCM-SHA256:"
                  "DHE-RSA-AES256-GCM-SHA384:DHE-RSA-CHACHA20-POLY1305:"
                  "DHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-SHA384:"
                  "ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA256:"
                  "DHE-RSA-AES256-SHA256:DHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA:"
                  "ECDHE-RSA-AES256-SHA:ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES128-SHA:"
                  "DHE-RSA-AES256-SHA:DHE-RSA-AES128-SHA:AES256-GCM-SHA384:AES128-GCM-SHA256:"
                  "AES256-SHA256:AES128-SHA256:AES256-SHA:AES128-SHA",
     .groups = "X25519:P-256:P-384:P-521:X448:ffdhe2048:ffdhe3072:ffdhe4096:ffdhe6144:ffdhe8192",
     .sigalgs = "ecdsa_secp256r1_sha256:ecdsa_secp384r1_sha384:ecdsa_secp521r1_sha512:"
                "ed25519:ed448:rsa_pss_rsae_sha256:rsa_pss_rsae_sha384:rsa_pss_rsae_sha512:"
                "rsa_pss_pss_sha256:rsa_pss_pss_sha384:rsa_pss_pss_sha512:rsa_pkcs1_sha256:"
                "rsa_pkcs1_sha384:rsa_pkcs1_sha512:ECDSA+SHA224:RSA+SHA224"},
    {.name = "OpenSSL 1.0.2",
     .date = "2015-12",
     .source = "ClientHello of OpenSSL 1.0.2e in testssl.sh's client simulations",
     .min_version = TLS1_VERSION,
     .max_version = TLS1_2_VERSION,
     .suites_13 = "",
     .suites_12 = "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES256-GCM-SHA384:"
                  "ECDHE-RSA-AES256-SHA384:ECDHE-ECDSA-AES256-SHA384:ECDHE-RSA-AES256-SHA:"
                  "ECDHE-ECDSA-AES256-SHA:DH-DSS-AES256-GCM-SHA384:DHE-DSS-AES256-GCM-SHA384:"
                  "DH-RSA-AES256-GCM-SHA384:DHE-RSA-AES256-GCM-SHA384:DHE-RSA-AES256-SHA256:"
                  "DHE-DSS-AES256-SHA256:DH-RSA-AES256-SHA256:DH-DSS-AES256-SHA256:"
                  "DHE-RSA-AES256-SHA:DHE-DSS-AES256-SHA:DH-RSA-AES256-SHA:DH-DSS-AES256-SHA:"
                  "DHE-RSA-CAMELLIA256-SHA:DHE-DSS-CAMELLIA256-SHA:DH-RSA-CAMELLIA256-SHA:"
                  "DH-DSS-CAMELLIA256-SHA:ECDH-RSA-AES256-GCM-SHA384:"
                  "ECDH-ECDSA-AES256-GCM-SHA384:ECDH-RSA-AES256-SHA384:"
                  "ECDH-ECDSA-AES256-SHA384:ECDH-RSA-AES256-SHA:ECDH-ECDSA-AES256-SHA:"
                  "AES256-GCM-SHA384:AES256-SHA256:AES256-SHA:CAMELLIA256-SHA:"
                  "ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-GCM-SHA256:"
                  "ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES128-SHA256:ECDHE-RSA-AES128-SHA:"
                  "ECDHE-ECDSA-AES128-SHA:DH-DSS-AES128-GCM-SHA256:DHE-DSS-AES128-GCM-SHA256:"
                  "DH-RSA-AES128-GCM-SHA256:DHE-RSA-AES128-GCM-SHA256:DHE-RSA-AES128-SHA256:"
                  "DHE-DSS-AES128-SHA256:DH-RSA-AES128-SHA256:DH-DSS-AES128-SHA256:"
                  "DHE-RSA-AES128-SHA:DHE-DSS-AES128-SHA:DH-RSA-AES128-SHA:DH-DSS-AES128-SHA:"
                  "DHE-RSA-SEED-SHA:DHE-DSS-SEED-SHA:DH-RSA-SEED-SHA:DH-DSS-SEED-SHA:"
                  "DHE-RSA-CAMELLIA128-SHA:DHE-DSS-CAMELLIA128-SHA:DH-RSA-CAMELLIA128-SHA:"
                  "DH-DSS-CAMELLIA128-SHA:ECDH-RSA-AES128-GCM-SHA256:"
                  "ECDH-ECDSA-AES128-GCM-SHA256:ECDH-RSA-AES128-SHA256:"
                  "ECDH-ECDSA-AES128-SHA256:ECDH-RSA-AES128-SHA:ECDH-ECDSA-AES128-SHA:"
                  "AES128-GCM-SHA256:AES128-SHA256:AES128-SHA:SEED-SHA:CAMELLIA128-SHA:"
                  "IDEA-CBC-SHA:ECDHE-RSA-RC4-SHA:ECDHE-ECDSA-RC4-SHA:ECDH-RSA-RC4-SHA:"
                  "ECDH-ECDSA-RC4-SHA:RC4-SHA:RC4-MD5:ECDHE-RSA-DES-CBC3-SHA:"
                  "ECDHE-ECDSA-DES-CBC3-SHA:DHE-RSA-DES-CBC3-SHA:DHE-DSS-DES-CBC3-SHA:"
                  "DH-RSA-DES-CBC3-SHA:DH-DSS-DES-CBC3-SHA:ECDH-RSA-DES-CBC3-SHA:"
                  "ECDH-ECDSA-DES-CBC3-SHA:DES-CBC3-SHA:EDH-RSA-DES-CBC-SHA:"
                  "EDH-DSS-DES-CBC-SHA:DH-RSA-DES-CBC-SHA:DH-DSS-DES-CBC-SHA:DES-CBC-SHA",
     .groups = "P-256:P-521:brainpoolP512r1:brainpoolP384r1:P-384:brainpoolP256r1:"
               "secp256k1:sect571r1:sect571k1:sect409k1:sect409r1:sect283k1:sect283r1",
     .sigalgs = OLD_SIGALGS},
    {.name = "OpenSSL 1.1.1",
     .date = "2018-09",
     .source = "its DEFAULT list without PSK and SRP, and t1_lib.c; ClientHello of 1.1.1d in "
               "testssl.sh's client simulations",
     .min_version = TLS1_VERSION,
     .max_version = TLS1_3_VERSION,
     .suites_13 = "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
     .suites_12 = OPENSSL_12,
     .groups = "X25519:P-256:X448:P-521:P-384",
     .sigalgs = OPENSSL_SIGALGS "ECDSA+SHA1:RSA+SHA224:RSA+SHA1:DSA+SHA224:DSA+SHA1:" DSA_SIGALGS},
    {.name = "OpenSSL 3.0",
     .date = "2022-05",
     .source = "ClientHello of OpenSSL 3.0.3 in testssl.sh's client simulations; TLS 1.0 and 1.1, "
               "which it names too, need level 0",
     .min_version = TLS1_2_VERSION,
     .max_version = TLS1_3_VERSION,
     .suites_13 = "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256",
     .suites_12 = OPENSSL_12,
     .groups = "X25519:P-256:X448:P-521:P-384:ffdhe2048:ffdhe3072:ffdhe4096:ffdhe6144:ffdhe8192",
     .sigalgs = OPENSSL_SIGALGS "RSA+SHA224:DSA+SHA224:" DSA_SIGALGS},
    {.name = "Windows 10 Schannel",
     .date = "2016-08",
     .source = "Microsoft's TLS Cipher Suites in Windows 10 v1607 and its elliptic curves, enabled "
               "by default",
     .min_version = TLS1_VERSION,
     .max_version = TLS1_2_VERSION,
     .suites_13 = "",
     .suites_12 = "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES128-GCM-SHA256:"
                  "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-AES128-GCM-SHA256:"
                  "DHE-RSA-AES256-GCM-SHA384:DHE-RSA-AES128-GCM-SHA256:"
                  "ECDHE-ECDSA-AES256-SHA384:ECDHE-ECDSA-AES128-SHA256:"
                  "ECDHE-RSA-AES256-SHA384:ECDHE-RSA-AES128-SHA256:ECDHE-ECDSA-AES256-SHA:"
                  "ECDHE-ECDSA-AES128-SHA:ECDHE-RSA-AES256-SHA:ECDHE-RSA-AES128-SHA:"
                  "DHE-RSA-AES256-SHA:DHE-RSA-AES128-SHA:AES256-GCM-SHA384:AES128-GCM-SHA256:"
                  "AES256-SHA256:AES128-SHA256:AES256-SHA:AES128-SHA:DES-CBC3-SHA:"
                  "DHE-DSS-AES256-SHA256:DHE-DSS-AES128-SHA256:DHE-DSS-AES256-SHA:"
                  "DHE-DSS-AES128-SHA:DHE-DSS-DES-CBC3-SHA:RC4-SHA:RC4-MD5",
     .groups = "X25519:P-256:P-384",
     .sigalgs = "RSA+SHA256:RSA+SHA384:RSA+SHA1:ECDSA+SHA256:ECDSA+SHA384:ECDSA+SHA1:DSA+SHA1:"
                "RSA+SHA512:ECDSA+SHA512"},
    {.name = "IoT device, CCM8 only",
     .date = "2016-07",
     .source = "RFC 7925 section 4.4, the profile with certificates",
     .min_version = TLS1_2_VERSION,
     .max_version = TLS1_2_VERSION,
     .suites_13 = "",
     .suites_12 = "ECDHE-ECDSA-AES128-CCM8",
     .groups = "P-256",
     .sigalgs = "ecdsa_secp256r1_sha256"},
};

const size_t profile_count = sizeof profile_table / sizeof profile_table[0];
