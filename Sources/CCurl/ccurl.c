#include "ccurl.h"

#include <locale.h>

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
  return curl_easy_setopt(easy, option, list);
}

CURLcode ccurl_set_buffer(CURL *easy, CURLoption option, char *buffer) {
  return curl_easy_setopt(easy, option, buffer);
}

CURLcode ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_NOCOPY};
  return curl_easy_setopt(easy, option, &blob);
}

CURLcode ccurl_set_callbacks(
    CURL *easy, ccurl_transfer_callback on_header, ccurl_transfer_callback on_body,
    ccurl_transfer_callback on_upload, ccurl_seek_callback on_rewind,
    ccurl_prerequest_callback on_prerequest, curl_debug_callback on_trace) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, on_header);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, on_body);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_READFUNCTION, on_upload);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, on_rewind);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_PREREQFUNCTION, on_prerequest);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_DEBUGFUNCTION, on_trace);
  return code;
}

CURLcode ccurl_set_socket_callbacks(
    CURL *easy, curl_opensocket_callback on_open, curl_closesocket_callback on_close,
    void *context) {
  CURLcode code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, on_open);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETFUNCTION, on_close);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CLOSESOCKETDATA, context);
  return code;
}

CURLcode ccurl_set_context(CURL *easy, void *context) {
  static const CURLoption options[] = {
      CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
      CURLOPT_PREREQDATA, CURLOPT_DEBUGDATA};
  CURLcode code = CURLE_OK;
  for (size_t i = 0; i < sizeof options / sizeof options[0] && code == CURLE_OK; i++)
    code = curl_easy_setopt(easy, options[i], context);
  return code;
}

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return curl_easy_getinfo(easy, info, value);
}

CURLcode ccurl_get_string(CURL *easy, CURLINFO info, const char **value) {
  return curl_easy_getinfo(easy, info, value);
}

const struct curl_certinfo *ccurl_get_certificates(CURL *easy) {
  struct curl_certinfo *chain = NULL;
  return curl_easy_getinfo(easy, CURLINFO_CERTINFO, &chain) == CURLE_OK ? chain : NULL;
}

CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

CURL *ccurl_next_finished(CURLM *multi, CURLcode *result) {
  int left = 0;
  CURLMsg *message;
  while ((message = curl_multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *result = message->data.result;
    return message->easy_handle;
  }
  return NULL;
}

char *ccurl_ascii_host(const char *url) {
  char *host = NULL;
  // Since 7.88.
#ifdef CURLU_PUNYCODE
  // libidn2 takes the name for text of the thread's locale, and ours has nothing but ASCII.
  locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (utf8 == (locale_t)0) return NULL;
  locale_t before = uselocale(utf8);
  CURLU *parts = curl_url();
  if (parts != NULL && curl_url_set(parts, CURLUPART_URL, url, 0) == CURLUE_OK) {
    // A pointer that came with a failure is not ours to free.
    if (curl_url_get(parts, CURLUPART_HOST, &host, CURLU_PUNYCODE) != CURLUE_OK) host = NULL;
  }
  curl_url_cleanup(parts);
  uselocale(before);
  freelocale(utf8);
#endif
  return host;
}
