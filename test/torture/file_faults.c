/*
 * Makes file operations of a process fail, as a failing disk would: loaded before the C library
 * (LD_PRELOAD), steered through a small file that the process and the test share.
 *
 * The first byte of the file named by FILE_FAULTS is the number of an order. From byte 16 on stands the order,
 * ended by a zero byte:
 *   <operation> <end of the path> <skip> <times> <action> <errno>
 * Another number means a new order. It is one byte, written last, so no reader sees half of it. From the call after `skip` on, `times` calls of the operation
 * on such a path are hit; 32 bits at byte 1024 count them.
 *   fail   does nothing and gives the error
 *   short  does half of the first write, and gives the error from then on
 *   tear   does half of a write and ends the process
 *   end    ends the process before the call
 *   ended  ends the process after the call
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { orderOffset = 16, hitsOffset = 1024, sharedBytes = 4096 };

struct order {
  int number, skip, times, error;
  char operation[16], path[512], action[16];
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *shared;
static struct order order;
static int seen;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

__attribute__((constructor)) static void share(void) {
  const char *path = getenv("FILE_FAULTS");
  int file = path == NULL ? -1 : REAL(open64)(path, O_RDWR | O_CLOEXEC);
  if (file < 0) return;
  void *found = REAL(mmap64)(NULL, sharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  REAL(close)(file);
  if (found != MAP_FAILED) shared = found;
}

static int endsWith(const char *text, const char *end) {
  size_t length = strlen(text), endLength = strlen(end);
  return length >= endLength && strcmp(text + length - endLength, end) == 0;
}

/* The action for this call; none where it is to be left alone. */
static const char *hit(const char *operation, const char *path) {
  const char *action = NULL;
  if (shared == NULL || path == NULL) return NULL;
  pthread_mutex_lock(&lock);
  int number = *(volatile unsigned char *)shared;
  if (number != order.number) {
    memset(&order, 0, sizeof order);
    order.number = number;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    sscanf(shared + orderOffset, "%15s %511s %d %d %15s %d", order.operation, order.path,
           &order.skip, &order.times, order.action, &order.error);
    seen = 0;
  }
  if (strcmp(order.operation, operation) == 0 && endsWith(path, order.path)) {
    seen += 1;
    if (seen > order.skip && seen <= order.skip + order.times) {
      action = order.action;
      if (strcmp(action, "short") == 0 && seen > order.skip + 1) action = "fail";
      *(volatile uint32_t *)(shared + hitsOffset) += 1;
    }
  }
  pthread_mutex_unlock(&lock);
  return action;
}

static const char *hitFile(const char *operation, int file) {
  char link[64], path[4096];
  if (shared == NULL) return NULL;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  return hit(operation, path);
}

static int is(const char *action, const char *name) {
  return action != NULL && strcmp(action, name) == 0;
}

/* Around a call: what it gives, or -1 and the error. */
#define FAULTED(action, call)                      \
  do {                                             \
    const char *chosen = (action);                 \
    if (is(chosen, "end")) raise(SIGKILL);         \
    if (is(chosen, "fail")) {                      \
      errno = order.error;                         \
      return (__typeof__(call))-1;                 \
    }                                              \
    __typeof__(call) given = (call);               \
    if (is(chosen, "ended")) raise(SIGKILL);       \
    return given;                                  \
  } while (0)

/* The same around a write, which can be done by half. */
#define FAULTED_WRITE(action, whole, half)         \
  do {                                             \
    const char *wanted = (action);                 \
    if (is(wanted, "short")) return (half);        \
    if (is(wanted, "tear")) {                      \
      (void)!(half);                               \
      raise(SIGKILL);                              \
    }                                              \
    FAULTED(wanted, whole);                        \
  } while (0)

#define MODE                                       \
  mode_t mode = 0;                                 \
  if (flags & (O_CREAT | O_TMPFILE)) {             \
    va_list rest;                                  \
    va_start(rest, flags);                         \
    mode = va_arg(rest, mode_t);                   \
    va_end(rest);                                  \
  }

int open(const char *path, int flags, ...) {
  MODE FAULTED(hit("open", path), REAL(open)(path, flags, mode));
}
int open64(const char *path, int flags, ...) {
  MODE FAULTED(hit("open", path), REAL(open64)(path, flags, mode));
}
int openat(int directory, const char *path, int flags, ...) {
  MODE FAULTED(hit("open", path), REAL(openat)(directory, path, flags, mode));
}
ssize_t read(int file, void *bytes, size_t size) {
  FAULTED(hitFile("read", file), REAL(read)(file, bytes, size));
}
ssize_t pread64(int file, void *bytes, size_t size, off64_t at) {
  FAULTED(hitFile("read", file), REAL(pread64)(file, bytes, size, at));
}
ssize_t write(int file, const void *bytes, size_t size) {
  FAULTED_WRITE(hitFile("write", file), REAL(write)(file, bytes, size),
                REAL(write)(file, bytes, size / 2));
}
ssize_t pwrite64(int file, const void *bytes, size_t size, off64_t at) {
  FAULTED_WRITE(hitFile("write", file), REAL(pwrite64)(file, bytes, size, at),
                REAL(pwrite64)(file, bytes, size / 2, at));
}
int fsync(int file) { FAULTED(hitFile("sync", file), REAL(fsync)(file)); }
int fdatasync(int file) { FAULTED(hitFile("sync", file), REAL(fdatasync)(file)); }
int ftruncate64(int file, off64_t size) {
  FAULTED(hitFile("truncate", file), REAL(ftruncate64)(file, size));
}
int fchmod(int file, mode_t mode) { FAULTED(hitFile("chmod", file), REAL(fchmod)(file, mode)); }
void *mmap64(void *at, size_t size, int access, int flags, int file, off64_t offset) {
  FAULTED(file < 0 ? NULL : hitFile("mmap", file),
          REAL(mmap64)(at, size, access, flags, file, offset));
}
int rename(const char *from, const char *to) {
  FAULTED(hit("rename", to), REAL(rename)(from, to));
}
int link(const char *from, const char *to) { FAULTED(hit("link", to), REAL(link)(from, to)); }
int unlink(const char *path) { FAULTED(hit("unlink", path), REAL(unlink)(path)); }
int remove(const char *path) { FAULTED(hit("unlink", path), REAL(remove)(path)); }
int fcntl64(int file, int command, ...) {
  va_list rest;
  va_start(rest, command);
  void *value = va_arg(rest, void *);
  va_end(rest);
  int locks = command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK;
  FAULTED(locks ? hitFile("lock", file) : NULL, REAL(fcntl64)(file, command, value));
}
