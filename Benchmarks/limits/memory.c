// memory THREADS: bytes a second that this many threads read and copy together, in GB: "read copy". Each has 128 MiB of its own, more than
// caches hold; a copy counts the bytes copied once. The best of seven rounds of each.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { size = 128 << 20, rounds = 7 };
static pthread_barrier_t barrier;
static double best[2];

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec + time.tv_nsec * 1e-9;
}

typedef uint64_t vector __attribute__((vector_size(32)));

static void read_all(const vector *bytes) {
  vector sums[4] = {0};
  for (size_t i = 0; i < size / sizeof(vector); i += 4)
    for (int j = 0; j < 4; j++) sums[j] += bytes[i + j];
  vector sum = sums[0] + sums[1] + sums[2] + sums[3];
  __asm__ volatile("" : : "r"(sum[0] + sum[1] + sum[2] + sum[3]));
}

static void *work(void *leads) {
  char *from = aligned_alloc(4096, size), *to = aligned_alloc(4096, size);
  if (!from || !to) {
    fputs("memory: there is too little of it\n", stderr);
    exit(1);
  }
  memset(from, 1, size);
  memset(to, 2, size);
  for (int round = 0; round < 2 * rounds; round++) {
    pthread_barrier_wait(&barrier);
    double start = now();
    if (round % 2) memcpy(to, from, size);
    else read_all((const vector *)from);
    pthread_barrier_wait(&barrier);
    double rate = 1 / (now() - start);
    if (leads && rate > best[round % 2]) best[round % 2] = rate;
  }
  __asm__ volatile("" : : "r"(to[0]) : "memory");
  free(from);
  free(to);
  return NULL;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 1;
  if (count < 1 || count > 1024) return 1;
  pthread_t threads[1024];
  pthread_barrier_init(&barrier, NULL, count);
  for (int i = 1; i < count; i++) pthread_create(&threads[i], NULL, work, NULL);
  work(&barrier);
  for (int i = 1; i < count; i++) pthread_join(threads[i], NULL);
  printf("%.3f %.3f\n", best[0] * count * size / 1e9, best[1] * count * size / 1e9);
  return 0;
}
