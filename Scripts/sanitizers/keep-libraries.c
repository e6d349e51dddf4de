// Preloaded by Scripts/sanitize address: libraries stay loaded. LeakSanitizer looks at the end, and the leaks of a driver that was
// unloaded by then have no name to suppress. The driver itself is not preloaded: with its LLVM, compilers that tests start crash.
int dlclose(void *library) {
  (void)library;
  return 0;
}
