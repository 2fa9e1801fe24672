#pragma once
#include <curl/curl.h>

// libcurl sets and reads options by variadic functions, which Swift does not import.
// One typed wrapper for each type of argument, nothing more.

// The return value and all callbacks' meanings are libcurl's.
typedef size_t (*ccurl_transfer_callback)(char *bytes, size_t size, size_t count, void *context);
typedef int (*ccurl_seek_callback)(void *context, curl_off_t offset, int origin);
typedef int (*ccurl_prerequest_callback)(
    void *context, char *remote_address, char *local_address, int remote_port, int local_port);

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
// A copy of `value` is kept; NULL sets the option back.
CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
// The list or buffer is not copied: it has to outlive the transfer.
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list);
CURLcode ccurl_set_buffer(CURL *easy, CURLoption option, char *buffer);
// The bytes are not copied: they have to outlive the handle.
CURLcode ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count);

CURLcode ccurl_set_callbacks(
    CURL *easy, ccurl_transfer_callback on_header, ccurl_transfer_callback on_body,
    ccurl_transfer_callback on_upload, ccurl_seek_callback on_rewind,
    ccurl_prerequest_callback on_prerequest, curl_debug_callback on_trace);
// Both get the context given here, the second possibly after the handle has gone.
CURLcode ccurl_set_socket_callbacks(
    CURL *easy, curl_opensocket_callback on_open, curl_closesocket_callback on_close,
    void *context);
// What every other callback gets as its context.
CURLcode ccurl_set_context(CURL *easy, void *context);

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
// The string belongs to the handle.
CURLcode ccurl_get_string(CURL *easy, CURLINFO info, const char **value);

// The chain that the server showed, which belongs to the handle; NULL where none was kept.
const struct curl_certinfo *ccurl_get_certificates(CURL *easy);

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);

// The handle of a finished transfer and its result; NULL when no more are finished.
CURL *ccurl_next_finished(CURLM *multi, CURLcode *result);

// The name of a URL's host in ASCII (IDNA), to be freed with curl_free; NULL where it is no such
// name, or where libcurl was built without IDN.
char *ccurl_ascii_host(const char *url);

// Constants that are macros with a cast, which Swift does not import.
static const long ccurl_auth_none = (long)CURLAUTH_NONE;
static const long ccurl_auth_basic = (long)CURLAUTH_BASIC;
static const long ccurl_auth_digest = (long)CURLAUTH_DIGEST;
