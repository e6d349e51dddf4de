// As much of libdbus as answers calls on a bus, by our own declarations: neither its headers nor its library are needed to build, and
// the library is looked for at first use. Linking it by its pkg-config file would make it a condition of every start.
//
// The ABI of libdbus-1.so.3 has been stable since 1.0. `Tests/DesktopTests` compiles this file behind <dbus/dbus.h>, which then declares
// the types, and compares each function's type.
#ifndef BENCH360_CDBUS_SHIM_H
#define BENCH360_CDBUS_SHIM_H

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>

#ifndef DBUS_H
typedef struct DBusConnection DBusConnection;
typedef struct DBusMessage DBusMessage;
typedef struct DBusError DBusError;
typedef uint32_t dbus_bool_t;
typedef uint32_t dbus_uint32_t;

// No public fields.
typedef struct DBusMessageIter {
  void *dummy1, *dummy2;
  dbus_uint32_t dummy3;
  int dummy4, dummy5, dummy6, dummy7, dummy8, dummy9, dummy10, dummy11, pad1;
  void *pad2, *pad3;
} DBusMessageIter;
#endif

enum {
  BENCH_DBUS_METHOD_CALL = 1,
  BENCH_DBUS_METHOD_RETURN = 2,
  BENCH_DBUS_ERROR = 3,
};

#define BENCH_DBUS_FUNCTIONS(F)                                                                                         \
  F(dbus_connection_open_private, DBusConnection *, const char *, DBusError *)                                          \
  F(dbus_connection_close, void, DBusConnection *)                                                                      \
  F(dbus_connection_unref, void, DBusConnection *)                                                                      \
  F(dbus_connection_set_exit_on_disconnect, void, DBusConnection *, dbus_bool_t)                                        \
  F(dbus_connection_set_max_message_size, void, DBusConnection *, long)                                                 \
  F(dbus_connection_set_max_received_size, void, DBusConnection *, long)                                                \
  F(dbus_connection_get_unix_fd, dbus_bool_t, DBusConnection *, int *)                                                  \
  F(dbus_connection_get_is_connected, dbus_bool_t, DBusConnection *)                                                    \
  F(dbus_connection_get_is_authenticated, dbus_bool_t, DBusConnection *)                                                \
  F(dbus_connection_read_write, dbus_bool_t, DBusConnection *, int)                                                     \
  F(dbus_connection_pop_message, DBusMessage *, DBusConnection *)                                                       \
  F(dbus_connection_send, dbus_bool_t, DBusConnection *, DBusMessage *, dbus_uint32_t *)                                \
  F(dbus_connection_has_messages_to_send, dbus_bool_t, DBusConnection *)                                                \
  F(dbus_connection_get_outgoing_size, long, DBusConnection *)                                                          \
  F(dbus_message_new_method_call, DBusMessage *, const char *, const char *, const char *, const char *)                \
  F(dbus_message_new_method_return, DBusMessage *, DBusMessage *)                                                       \
  F(dbus_message_new_signal, DBusMessage *, const char *, const char *, const char *)                                   \
  F(dbus_message_new_error, DBusMessage *, DBusMessage *, const char *, const char *)                                   \
  F(dbus_message_unref, void, DBusMessage *)                                                                            \
  F(dbus_message_get_type, int, DBusMessage *)                                                                          \
  F(dbus_message_get_path, const char *, DBusMessage *)                                                                 \
  F(dbus_message_get_interface, const char *, DBusMessage *)                                                            \
  F(dbus_message_get_member, const char *, DBusMessage *)                                                               \
  F(dbus_message_get_no_reply, dbus_bool_t, DBusMessage *)                                                              \
  F(dbus_message_get_reply_serial, dbus_uint32_t, DBusMessage *)                                                        \
  F(dbus_message_iter_init, dbus_bool_t, DBusMessage *, DBusMessageIter *)                                              \
  F(dbus_message_iter_get_arg_type, int, DBusMessageIter *)                                                             \
  F(dbus_message_iter_get_basic, void, DBusMessageIter *, void *)                                                       \
  F(dbus_message_iter_next, dbus_bool_t, DBusMessageIter *)                                                             \
  F(dbus_message_iter_recurse, void, DBusMessageIter *, DBusMessageIter *)                                              \
  F(dbus_message_iter_init_append, void, DBusMessage *, DBusMessageIter *)                                              \
  F(dbus_message_iter_append_basic, dbus_bool_t, DBusMessageIter *, int, const void *)                                  \
  F(dbus_message_iter_open_container, dbus_bool_t, DBusMessageIter *, int, const char *, DBusMessageIter *)             \
  F(dbus_message_iter_close_container, dbus_bool_t, DBusMessageIter *, DBusMessageIter *)                               \
  F(dbus_message_iter_abandon_container, void, DBusMessageIter *, DBusMessageIter *)                                    \
  F(dbus_try_get_local_machine_id, char *, DBusError *)                                                                 \
  F(dbus_free, void, void *)

#ifdef DBUS_H
#define BENCH_DBUS_CHECK(name, result, ...)                                                                             \
  _Static_assert(__builtin_types_compatible_p(__typeof__(&name), result (*)(__VA_ARGS__)), #name);
BENCH_DBUS_FUNCTIONS(BENCH_DBUS_CHECK)
#undef BENCH_DBUS_CHECK
_Static_assert(BENCH_DBUS_METHOD_CALL == DBUS_MESSAGE_TYPE_METHOD_CALL, "calls");
_Static_assert(BENCH_DBUS_METHOD_RETURN == DBUS_MESSAGE_TYPE_METHOD_RETURN, "replies");
_Static_assert(BENCH_DBUS_ERROR == DBUS_MESSAGE_TYPE_ERROR, "errors");
#define BENCH_DBUS_ITER_SIZE (4 * sizeof(void *) + 10 * sizeof(int))
_Static_assert(sizeof(DBusMessageIter) == BENCH_DBUS_ITER_SIZE, "iterators");
#else

// Filled once; read from any thread afterwards.
typedef struct bench_dbus {
#define BENCH_DBUS_FIELD(name, result, ...) result (*_Nonnull name)(__VA_ARGS__);
  BENCH_DBUS_FUNCTIONS(BENCH_DBUS_FIELD)
#undef BENCH_DBUS_FIELD
} bench_dbus;

// NULL when something is missing, and `missing` is then the library or the first function that it lacks. The library stays loaded.
static inline const bench_dbus *_Nullable bench_dbus_load(const char *_Nullable *_Nonnull missing) {
  static const char *library = "libdbus-1.so.3";
  static const struct { const char *name; size_t place; } functions[] = {
#define BENCH_DBUS_ROW(name, ...) {#name, offsetof(bench_dbus, name)},
      BENCH_DBUS_FUNCTIONS(BENCH_DBUS_ROW)
#undef BENCH_DBUS_ROW
  };
  *missing = library;
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return NULL;
  bench_dbus *dbus = (bench_dbus *)calloc(1, sizeof *dbus);
  if (!dbus) return NULL;
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void *function = dlsym(handle, functions[i].name);
    *missing = functions[i].name;
    if (!function) {
      free(dbus);
      return NULL;
    }
    memcpy((char *)dbus + functions[i].place, &function, sizeof function);
  }
  *missing = NULL;
  return dbus;
}

#endif
#endif
