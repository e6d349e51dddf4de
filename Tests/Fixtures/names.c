// Preloaded into a program: the name origin.test is this machine's, until the file that NAMES_GONE names exists. From then on no server of
// names answers for it, and each question adds a line to the file that NAMES_LOG names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
  if (!node || strcmp(node, "origin.test")) return real(node, service, hints, result);
  const char *gone = getenv("NAMES_GONE"), *log = getenv("NAMES_LOG");
  if (!gone || access(gone, F_OK)) return real("127.0.0.1", service, hints, result);
  FILE *file = log ? fopen(log, "a") : NULL;
  if (file) fputs("origin.test\n", file), fclose(file);
  return EAI_AGAIN;
}
