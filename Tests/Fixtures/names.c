// Preloaded into a program: the names origin.test and media.test are this machine's. The first NAMES_LOST questions for media.test, of all
// processes together, find no server of names that answers. Each of these adds a line to the file that NAMES_LOG names.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_lost(void) {
  const char *lost = getenv("NAMES_LOST"), *log = getenv("NAMES_LOG");
  FILE *file = lost && log ? fopen(log, "a+") : NULL;
  int lines = 0, letter;
  if (!file) return 0;
  rewind(file);
  while ((letter = fgetc(file)) != EOF) lines += letter == '\n';
  int is = lines < atoi(lost);
  if (is) fputs("media.test\n", file);
  fclose(file);
  return is;
}

int getaddrinfo(const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result) {
  int (*real)(const char *, const char *, const struct addrinfo *, struct addrinfo **) = dlsym(RTLD_NEXT, "getaddrinfo");
  int is_media = node && !strcmp(node, "media.test");
  if (is_media && is_lost()) return EAI_AGAIN;
  return real(is_media || (node && !strcmp(node, "origin.test")) ? "127.0.0.1" : node, service, hints, result);
}
