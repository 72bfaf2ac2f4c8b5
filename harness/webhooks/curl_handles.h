#pragma once

#include <curl/curl.h>

#include <memory>

namespace fixpoint::webhooks {

struct FreeCurlHandle {
  void operator()(CURL* handle) const { curl_easy_cleanup(handle); }
};
struct FreeCurlList {
  void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};
/// Owning handles of libcurl's objects, for the files that call it.
using CurlHandle = std::unique_ptr<CURL, FreeCurlHandle>;
using CurlList = std::unique_ptr<curl_slist, FreeCurlList>;

}  // namespace fixpoint::webhooks
