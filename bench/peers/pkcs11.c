// Signs digests with a new secp256k1 key of a PKCS #11 module, on several threads with a session each.
// usage: pkcs11 MODULE PIN THREADS SIGNATURES
// Prints signatures per second, processor time of a signature, and the median latency, both in µs.

#include <dlfcn.h>
#include <p11-kit/pkcs11.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static CK_FUNCTION_LIST_PTR module;
static CK_SLOT_ID slot;
static CK_OBJECT_HANDLE private_key;
static long per_thread;
static double *latencies;

static void require(CK_RV result, const char *call) {
  if (result == CKR_OK) return;
  fprintf(stderr, "%s: 0x%lx\n", call, result);
  exit(1);
}

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return now.tv_sec + now.tv_nsec / 1e9;
}

static CK_SESSION_HANDLE open_session(void) {
  CK_SESSION_HANDLE session;
  CK_FLAGS flags = CKF_SERIAL_SESSION | CKF_RW_SESSION;
  require(module->C_OpenSession(slot, flags, NULL, NULL, &session), "C_OpenSession");
  return session;
}

static void create_key(CK_SESSION_HANDLE session) {
  CK_BYTE secp256k1[] = {0x06, 0x05, 0x2b, 0x81, 0x04, 0x00, 0x0a};
  CK_BBOOL yes = CK_TRUE;
  CK_ATTRIBUTE of_public[] = {
      {CKA_EC_PARAMS, secp256k1, sizeof secp256k1},
      {CKA_TOKEN, &yes, sizeof yes},
      {CKA_VERIFY, &yes, sizeof yes},
  };
  CK_ATTRIBUTE of_private[] = {
      {CKA_TOKEN, &yes, sizeof yes},
      {CKA_PRIVATE, &yes, sizeof yes},
      {CKA_SENSITIVE, &yes, sizeof yes},
      {CKA_SIGN, &yes, sizeof yes},
  };
  CK_MECHANISM generation = {CKM_EC_KEY_PAIR_GEN, NULL, 0};
  CK_OBJECT_HANDLE public_key;
  require(module->C_GenerateKeyPair(session, &generation, of_public, 3, of_private, 4, &public_key,
                                    &private_key),
          "C_GenerateKeyPair");
}

static void *sign_all(void *argument) {
  long thread = (long)argument;
  CK_SESSION_HANDLE session = open_session();
  CK_MECHANISM ecdsa = {CKM_ECDSA, NULL, 0};
  CK_BYTE digest[32] = {(CK_BYTE)thread};
  for (long i = 0; i < per_thread; i += 1) {
    memcpy(digest + 8, &i, sizeof i);
    CK_BYTE signature[64];
    CK_ULONG length = sizeof signature;
    double begun = seconds(CLOCK_MONOTONIC);
    require(module->C_SignInit(session, &ecdsa, private_key), "C_SignInit");
    require(module->C_Sign(session, digest, sizeof digest, signature, &length), "C_Sign");
    latencies[thread * per_thread + i] = seconds(CLOCK_MONOTONIC) - begun;
  }
  require(module->C_CloseSession(session), "C_CloseSession");
  return NULL;
}

static int by_size(const void *a, const void *b) {
  double difference = *(const double *)a - *(const double *)b;
  return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
  if (count != 5) return 2;
  void *library = dlopen(arguments[1], RTLD_NOW);
  if (library == NULL) return 3;
  CK_RV (*list)(CK_FUNCTION_LIST_PTR_PTR);
  *(void **)&list = dlsym(library, "C_GetFunctionList");
  require(list(&module), "C_GetFunctionList");
  CK_C_INITIALIZE_ARGS locking = {.flags = CKF_OS_LOCKING_OK};
  require(module->C_Initialize(&locking), "C_Initialize");
  CK_SLOT_ID found[16];
  CK_ULONG slots = 16;
  require(module->C_GetSlotList(CK_TRUE, found, &slots), "C_GetSlotList");
  slot = found[0];
  CK_SESSION_HANDLE session = open_session();
  CK_UTF8CHAR *pin = (CK_UTF8CHAR *)arguments[2];
  require(module->C_Login(session, CKU_USER, pin, strlen(arguments[2])), "C_Login");
  create_key(session);

  long threads = atol(arguments[3]);
  per_thread = atol(arguments[4]) / threads;
  long total = threads * per_thread;
  latencies = calloc(total, sizeof *latencies);
  pthread_t *running = calloc(threads, sizeof *running);
  double begun = seconds(CLOCK_MONOTONIC);
  double used = seconds(CLOCK_PROCESS_CPUTIME_ID);
  for (long i = 0; i < threads; i += 1) {
    if (pthread_create(&running[i], NULL, sign_all, (void *)i) != 0) return 4;
  }
  for (long i = 0; i < threads; i += 1) pthread_join(running[i], NULL);
  double took = seconds(CLOCK_MONOTONIC) - begun;
  used = seconds(CLOCK_PROCESS_CPUTIME_ID) - used;
  qsort(latencies, total, sizeof *latencies, by_size);
  printf("%f %f %f\n", total / took, used / total * 1e6, latencies[total / 2] * 1e6);
  return 0;
}
