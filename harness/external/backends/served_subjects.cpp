#include "harness/external/backends/served_subjects.h"

#include <memory>
#include <set>
#include <utility>

#include "harness/document/document_stream.h"
#include "harness/document/output_file.h"

namespace fixpoint::external {

using document::Error;
using document::Result;
using document::Value;

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
    for (const Value& object : subject.objects) cluster.add_missing(object);
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
