#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "harness/cases/case.h"
#include "harness/document/value.h"
#include "harness/external/cluster_api/view_state.h"

namespace fixpoint::external {

/// Asks a view without a network.
class ApiClient {
 public:
  explicit ApiClient(ViewState& view) : view_(view) {}

  struct Answer {
    int status = 0;
    document::Value body = {};
    std::string content_type = {};
  };
  /// `path` may have a query.
  Answer get(const std::string& path, const std::string& accept = {});
  Answer send(const std::string& method, const std::string& path, const document::Value& body,
              const std::string& content_type = "application/json");
  Answer send_text(const std::string& method, const std::string& path, std::string body,
                   const std::string& content_type);
  /// Begins a watch; null if it is refused.
  std::shared_ptr<webhooks::HttpStream> watch(const std::string& path, const std::string& accept = {});

 private:
  webhooks::HttpAnswer ask(webhooks::HttpRequest request, const std::string& path);
  ViewState& view_;
};

/// Takes all that a stream holds now.
std::string drained(webhooks::HttpStream& stream);
/// The events that a watch's stream holds now.
std::vector<document::Value> events_of(webhooks::HttpStream& stream);
/// "ADDED default/a", one for each event; a bookmark has neither namespace nor name.
std::vector<std::string> titles_of(const std::vector<document::Value>& events);

/// Makes an object of core/v1 with a label `app` of that value, unless it is empty.
document::Value core_object(std::string_view kind, std::string_view namespace_name, std::string_view name,
                            std::string_view app = {});
cases::Cluster cluster_with(std::vector<document::Value> objects);

}  // namespace fixpoint::external
