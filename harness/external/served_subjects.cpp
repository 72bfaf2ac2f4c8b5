#include "harness/external/served_subjects.h"

#include <charconv>
#include <memory>
#include <set>
#include <utility>

#include "harness/document/document_stream.h"
#include "harness/document/output_file.h"

namespace fixpoint::external {

using document::Error;
using document::Result;
using document::Value;

std::optional<Address> parse_address(const std::string& text) {
  const auto colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return std::nullopt;
  Address address{.host = text.substr(0, colon)};
  const std::string port = text.substr(colon + 1);
  const auto [end, bad] = std::from_chars(port.data(), port.data() + port.size(), address.port);
  if (bad != std::errc() || end != port.data() + port.size() || address.port < 0 || address.port > 65535)
    return std::nullopt;
  if (address.host.starts_with('[') && address.host.ends_with(']'))
    address.host = address.host.substr(1, address.host.size() - 2);
  return address;
}

std::string url_of(const std::string& host, int port) {
  const bool is_six = host.find(':') != std::string::npos;
  return "https://" + (is_six ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

std::vector<std::string> names_of_server(const std::string& host, const std::vector<std::string>& names,
                                         const std::string& service) {
  std::vector<std::string> all{host, "localhost"};
  all.insert(all.end(), names.begin(), names.end());
  if (const auto slash = service.find('/'); slash != std::string::npos)
    all.push_back(service.substr(slash + 1) + "." + service.substr(0, slash) + ".svc");
  return all;
}

Result<Authority> read_authority(const CertificateFiles& files) {
  auto certificate = document::read_text_file(files.certificate);
  auto key = document::read_text_file(files.key);
  if (!certificate) return std::move(certificate).error();
  if (!key) return std::move(key).error();
  auto authority = files.authority.empty() ? certificate : document::read_text_file(files.authority);
  if (!authority) return std::move(authority).error();
  return Authority{.authority = {.certificate = *std::move(authority), .key = ""},
                   .server = {.certificate = *std::move(certificate), .key = *std::move(key)}};
}

std::optional<Error> same_configuration(const std::vector<runner::Subject>& subjects) {
  std::set<std::string> seen;
  for (const runner::Subject& subject : subjects) {
    const std::string name(subject.configuration["metadata"]["name"].text());
    if (!seen.insert(name).second)
      return Error{"another subject has the configuration " + name + " already", subject.name};
  }
  return std::nullopt;
}

void keep_one_a_configuration(std::vector<runner::Subject>& subjects) {
  std::set<std::string> seen;
  std::erase_if(subjects, [&](const runner::Subject& subject) {
    return !seen.insert(std::string(subject.configuration["metadata"]["name"].text())).second;
  });
}

Result<cases::Cluster> served_cluster(const std::vector<std::string>& manifests,
                                      const std::vector<runner::Subject>& subjects) {
  cases::Cluster cluster;
  for (const std::string& path : manifests) {
    auto documents = document::read_documents(path);
    if (!documents) return std::move(documents).error();
    for (Value& document : *documents) {
      if (document["kind"].text() != "List") {
        cluster.objects.push_back(std::move(document));
        continue;
      }
      for (const Value& item : document["items"].elements()) cluster.objects.push_back(item);
    }
  }
  for (const runner::Subject& subject : subjects) {
    for (const Value& object : subject.objects) {
      const Value& metadata = object["metadata"];
      if (cluster.find(object["kind"].text(), metadata["namespace"].text(), metadata["name"].text()) ==
          nullptr)
        cluster.objects.push_back(object);
    }
  }
  return cluster;
}

Result<std::map<std::string, webhooks::Server::Respond>> served_paths(
    const std::vector<runner::Subject>& subjects, const ExternalWebhooks& outside, cases::Cluster seen) {
  const auto cluster = std::make_shared<const cases::Cluster>(std::move(seen));
  const webhooks::Resolve resolve = outside.resolve();
  std::map<std::string, webhooks::Server::Respond> paths;
  for (const runner::Subject& subject : subjects) {
    cases::Case value{.cluster = {.objects = {subject.configuration}}, .webhooks = subject.webhooks};
    auto handlers = webhooks::handlers(value, resolve);
    if (!handlers) return std::move(handlers).error().within(subject.name);
    for (auto& [webhook, handler] : *handlers)
      paths.emplace(path_of(webhook), respond_with(std::move(handler), webhook, cluster));
  }
  return paths;
}

}  // namespace fixpoint::external
