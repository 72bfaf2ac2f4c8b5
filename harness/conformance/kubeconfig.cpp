#include "harness/conformance/kubeconfig.h"

#include <array>
#include <cstdlib>
#include <filesystem>

#include "harness/document/base64.h"
#include "harness/document/document_stream.h"

namespace fixpoint::conformance {

namespace {

using document::Error;
using document::Result;
using document::Value;
using webhooks::RestOptions;

/// Returns the part `part` of the list's element with that name.
const Value* named(const Value& list, std::string_view name, const char* part) {
  for (const Value& element : list.elements()) {
    if (element["name"].text() == name) return element.find(part);
  }
  return nullptr;
}

struct Refused {
  const char* member;
  const char* why;
};
constexpr std::array<Refused, 2> kRefusedOfCluster{
    {{"insecure-skip-tls-verify", "TLS is always verified: give certificate-authority"},
     {"proxy-url", "proxies are not supported"}}};
constexpr std::array<Refused, 5> kRefusedOfUser{
    {{"exec", "credential plugins are not run: give a token or a client certificate"},
     {"auth-provider", "credential plugins are not run: give a token or a client certificate"},
     {"username", "passwords are not supported: give a token or a client certificate"},
     {"password", "passwords are not supported: give a token or a client certificate"},
     {"as", "impersonation is not supported"}}};

template <class Rows>
std::optional<Error> refused(const Value& part, const std::string& place, const Rows& rows) {
  for (const auto& [member, why] : rows) {
    const Value& value = part[member];
    const bool is_unset = value.is_null() || (value.is_boolean() && !value.is_true()) ||
                          (value.is_string() && value.text().empty());
    if (!is_unset) return Error{why, place + "/" + member};
  }
  return std::nullopt;
}

/// Reads the settings of one part of a kubeconfig. text() returns the text in NAME-data (base64) or in the
/// file that NAME names; empty if both are absent.
class Texts {
 public:
  Texts(const Value& part, std::string place, std::filesystem::path folder)
      : part_(part), place_(std::move(place)), folder_(std::move(folder)) {}

  std::string text(const std::string& name) {
    const std::string data_name = name + "-data";
    if (const Value* data = part_.find(data_name); data != nullptr && !data->text().empty()) {
      auto bytes = document::decode_base64(std::string(data->text()));
      if (!bytes) fail({"expected base64", place_ + "/" + data_name});
      return bytes.value_or("");
    }
    return file(name);
  }
  std::string file(const std::string& name) {
    const std::string said(part_[name].text());
    if (said.empty()) return "";
    auto read = document::read_text_file((folder_ / said).string());
    if (!read) fail(std::move(read).error());
    return read ? *std::move(read) : "";
  }
  const std::optional<Error>& problem() const { return problem_; }

 private:
  void fail(Error error) {
    if (!problem_) problem_ = std::move(error);
  }
  const Value& part_;
  const std::string place_;
  const std::filesystem::path folder_;
  std::optional<Error> problem_ = {};
};

Result<RestOptions> read_parts(const Value& cluster, const Value& user, const std::filesystem::path& folder) {
  if (auto problem = refused(cluster, "/clusters/cluster", kRefusedOfCluster)) return *std::move(problem);
  if (auto problem = refused(user, "/users/user", kRefusedOfUser)) return *std::move(problem);
  RestOptions options{.server = std::string(cluster["server"].text())};
  if (!options.server.starts_with("https://"))
    return Error{"expected an https URL", "/clusters/cluster/server"};
  while (options.server.ends_with('/')) options.server.pop_back();
  options.server_name = cluster["tls-server-name"].text();
  Texts of_cluster(cluster, "/clusters/cluster", folder), of_user(user, "/users/user", folder);
  options.ca_bundle = of_cluster.text("certificate-authority");
  options.client_certificate = of_user.text("client-certificate");
  options.client_key = of_user.text("client-key");
  options.token = user["token"].text();
  if (options.token.empty()) options.token = of_user.file("tokenFile");
  while (!options.token.empty() && options.token.back() == '\n') options.token.pop_back();
  for (const auto* problem : {&of_cluster.problem(), &of_user.problem()}) {
    if (*problem) return **problem;
  }
  if (options.client_certificate.empty() != options.client_key.empty())
    return Error{"expected client-certificate and client-key, both or neither", "/users/user"};
  return options;
}

}  // namespace

Result<RestOptions> read_kubeconfig(const std::string& path, const std::string& context) {
  auto documents = document::read_documents(path);
  if (!documents) return std::move(documents).error();
  if (documents->size() != 1 || documents->front()["kind"].text() != "Config")
    return Error{"expected one kubeconfig (kind: Config)", path};
  const Value& config = documents->front();
  const std::string name = context.empty() ? std::string(config["current-context"].text()) : context;
  const Value* chosen = named(config["contexts"], name, "context");
  if (chosen == nullptr) return Error{"there is no context \"" + name + "\"", path + ": /contexts"};
  const Value* cluster = named(config["clusters"], (*chosen)["cluster"].text(), "cluster");
  const Value* user = named(config["users"], (*chosen)["user"].text(), "user");
  if (cluster == nullptr) return Error{"the context's cluster is not there", path + ": /clusters"};
  if (user == nullptr) return Error{"the context's user is not there", path + ": /users"};
  auto options = read_parts(*cluster, *user, std::filesystem::path(path).parent_path());
  if (!options) return std::move(options).error().within(path);
  return options;
}

std::string kubeconfig_path() {
  if (const char* said = std::getenv("KUBECONFIG"); said != nullptr && *said != '\0') return said;
  const char* home = std::getenv("HOME");
  return std::string(home != nullptr ? home : "") + "/.kube/config";
}

}  // namespace fixpoint::conformance
