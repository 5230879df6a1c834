#ifndef CLIENT_EVP_EVP_H
#define CLIENT_EVP_EVP_H

/* `suitemark evp`; argv[0] is "evp". The program's exit status: 0 all measured, 1 something was
 * not, 2 usage, 3 interrupted with the results kept. */
int evp_main(int argc, char **argv);

#endif
