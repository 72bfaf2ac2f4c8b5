#include "harness/external/cluster_api/api_client_model.h"

#include <algorithm>
#include <array>
#include <utility>

#include "harness/document/json.h"

namespace fixpoint::external {

using document::Value;

webhooks::HttpAnswer ApiClient::ask(webhooks::HttpRequest request, const std::string& path) {
  const auto mark = std::min(path.find('?'), path.size());
  request.path = path.substr(0, mark);
  request.query = path.substr(std::min(mark + 1, path.size()));
  return view_.answer(request);
}

ApiClient::Answer ApiClient::get(const std::string& path, const std::string& accept) {
  webhooks::HttpRequest request;
  request.method = "GET";
  request.accept = accept;
  auto answer = ask(std::move(request), path);
  const auto body = document::read_json(answer.body);
  return {.status = answer.status, .body = body ? *body : Value(), .content_type = answer.content_type};
}

ApiClient::Answer ApiClient::send(const std::string& method, const std::string& path, const Value& body,
                                  const std::string& content_type) {
  return send_text(method, path, body.is_null() ? "" : document::write_json(body), content_type);
}

ApiClient::Answer ApiClient::send_text(const std::string& method, const std::string& path, std::string text,
                                       const std::string& content_type) {
  webhooks::HttpRequest request;
  request.method = method;
  request.body = std::move(text);
  request.content_type = content_type;
  auto answer = ask(std::move(request), path);
  const auto body = document::read_json(answer.body);
  return {.status = answer.status, .body = body ? *body : Value(), .content_type = answer.content_type};
}

std::shared_ptr<webhooks::HttpStream> ApiClient::watch(const std::string& path, const std::string& accept) {
  webhooks::HttpRequest request;
  request.method = "GET";
  request.accept = accept;
  auto stream = ask(std::move(request), path).stream;
  if (stream) stream->attach({.sleep = [] {}, .wake = [] {}});
  return stream;
}

std::string drained(webhooks::HttpStream& stream) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    std::size_t size = buffer.size();
    if (stream.take(buffer.data(), size) != webhooks::HttpStream::Taken::some) return text;
    text.append(buffer.data(), size);
  }
}

std::vector<Value> events_of(webhooks::HttpStream& stream) {
  const auto events = document::read_json_stream(drained(stream));
  return events ? *events : std::vector<Value>{};
}

std::vector<std::string> titles_of(const std::vector<Value>& events) {
  std::vector<std::string> titles;
  for (const Value& event : events) {
    const Value& metadata = event["object"]["metadata"];
    std::string title(event["type"].text());
    if (!metadata["name"].text().empty()) title.append(" ");
    if (!metadata["namespace"].text().empty()) title.append(metadata["namespace"].text()).append("/");
    titles.push_back(title.append(metadata["name"].text()));
  }
  return titles;
}

Value core_object(std::string_view kind, std::string_view namespace_name, std::string_view name,
                  std::string_view app) {
  Value metadata{{"name", name}};
  if (!namespace_name.empty()) metadata.set("namespace", namespace_name);
  if (!app.empty()) metadata.set("labels", {{"app", app}});
  return {{"apiVersion", "v1"}, {"kind", kind}, {"metadata", metadata}};
}

cases::Cluster cluster_with(std::vector<Value> objects) {
  cases::Cluster cluster;
  cluster.objects = std::move(objects);
  return cluster;
}

}  // namespace fixpoint::external
