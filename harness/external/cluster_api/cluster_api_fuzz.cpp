#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "harness/document/check.h"
#include "harness/document/json.h"
#include "harness/external/cluster_api/api_client_model.h"

/// The input is a request to the API: method, path with its query, Accept and Content-Type on a line each,
/// then the body. Whatever it is, the answer is a JSON document with the status that a Status in it has, or a
/// stream; and the cluster that is shown afterwards is what a list shows.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fixpoint;
  using namespace fixpoint::external;
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  const auto line = [&] {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view text = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return text;
  };
  webhooks::HttpRequest request;
  request.method = line();
  const std::string_view target = line();
  const auto mark = std::min(target.find('?'), target.size());
  request.path = target.substr(0, mark);
  request.query = target.substr(std::min(mark + 1, target.size()));
  request.accept = line();
  request.content_type = line();
  request.body = rest;
  ViewState view({.depth_max = 64, .document_bytes_max = 1u << 16, .aliases_max = 100, .values_max = 10'000},
                 "token", std::make_shared<std::atomic<std::size_t>>(0));
  view.show(cluster_with({core_object("ConfigMap", "default", "a", "x")}), "default");
  const webhooks::HttpAnswer answer = view.answer(request);
  if (answer.stream) {
    answer.stream->attach({.sleep = [] {}, .wake = [] {}});
    const auto events = document::read_json_stream(drained(*answer.stream));
    document::check(events.ok(), "a watch's events are JSON");
  } else if (answer.body.empty() || answer.body[0] == '{') {
    const auto body = document::read_json(answer.body);
    document::check(body.ok() && body->is_object(), "an answer is a JSON object");
    const bool is_failure = (*body)["kind"].text() == "Status" && (*body)["status"].text() == "Failure";
    document::check(is_failure == (answer.status >= 400), "a failure is a Status");
  }
  view.show(cluster_with({core_object("ConfigMap", "default", "b")}), "default");
  // Each namespace has one ConfigMap more, the published kube-root-ca.crt.
  const auto list =
      ApiClient(view).get("/api/v1/configmaps?fieldSelector=metadata.name%21%3Dkube-root-ca.crt").body;
  document::check(list["items"].size() == 1, "no request changes the cluster");
  return 0;
}
