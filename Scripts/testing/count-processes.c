// Appends a byte to the file that BENCH360_COUNTED_PROCESSES names, in each process that it is preloaded into.
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor)) static void count(void) {
  const char *path = getenv("BENCH360_COUNTED_PROCESSES");
  int file = path ? open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644) : -1;
  if (file < 0) return;
  if (write(file, "p", 1) != 1) _exit(127);
  close(file);
}
