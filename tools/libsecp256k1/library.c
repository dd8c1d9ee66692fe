/* The whole library as one unit, with its own tables. This file adds no computation. */

#include "src/secp256k1.c"
#include "src/precomputed_ecmult.c"
#include "src/precomputed_ecmult_gen.c"

/* Without these two functions the library would need a standard output. A misuse ends the call. */
void secp256k1_default_illegal_callback_fn(const char *message, void *data) {
  (void)message;
  (void)data;
  __builtin_trap();
}

void secp256k1_default_error_callback_fn(const char *message, void *data) {
  (void)message;
  (void)data;
  __builtin_trap();
}
