#include "harness/external/manifests/policy_tests.h"

#include <algorithm>
#include <array>

#include "harness/apiserver/decoding/decode.h"
#include "harness/apiserver/policies/admission_policy.h"
#include "harness/cases/webhook_configuration.h"
#include "harness/document/document_stream.h"
#include "harness/document/fields.h"
#include "harness/webhooks/review.h"

namespace fixpoint::external {

namespace {

using document::Error;
using document::Result;
using document::Value;

constexpr std::string_view kValidatingPolicy = "ValidatingAdmissionPolicy";

std::string_view name_of(const Value& object) { return object["metadata"]["name"].text(); }
std::string_view namespace_of(const Value& object) { return object["metadata"]["namespace"].text(); }

/// Adds a member unless it is there.
void put_missing(Value& object, const char* member, std::string_view text) {
  const document::Name name(member);
  if (object["metadata"][name].text().empty()) object.edit("metadata").set(name, Value(text));
}

/// The permissions of the authorizer of a test, as a role of the user who asks.
std::vector<Value> roles_of(const Value& rules, const std::optional<cases::UserInfo>& user) {
  std::vector<Value> objects;
  for (const Value& rule : rules.elements()) {
    if (rule["decision"].text() != "allow") continue;
    const std::string_view space = rule["namespace"].text();
    const std::string name = "allowed-" + std::to_string(objects.size() / 2),
                      prefix = space.empty() ? "Cluster" : "", version = "rbac.authorization.k8s.io/v1";
    std::string resource(rule["resource"].text());
    if (!rule["subresource"].text().empty()) resource.append("/").append(rule["subresource"].text());
    Value metadata{{"name", name}};
    if (!space.empty()) metadata.set("namespace", Value(space));
    Value allowed{{"verbs", Value::list({rule["verb"]})},
                  {"apiGroups", Value::list({Value(rule["group"].text())})},
                  {"resources", Value::list({Value(resource)})}};
    if (!rule["name"].text().empty()) allowed.set("resourceNames", Value::list({rule["name"]}));
    const Value someone{{"apiGroup", "rbac.authorization.k8s.io"},
                        {"kind", "User"},
                        {"name", user ? user->username : std::string()}};
    objects.push_back({{"apiVersion", version},
                       {"kind", prefix + "Role"},
                       {"metadata", metadata},
                       {"rules", Value::list({allowed})}});
    objects.push_back(
        {{"apiVersion", version},
         {"kind", prefix + "RoleBinding"},
         {"metadata", metadata},
         {"roleRef", {{"apiGroup", "rbac.authorization.k8s.io"}, {"kind", prefix + "Role"}, {"name", name}}},
         {"subjects", Value::list({someone})}});
  }
  return objects;
}

/// A definition for the params of a policy whose folder has none: tests bring custom resources as they are.
std::optional<Value> definition_for(const Value& policy, const std::vector<PlacedDocument>& known) {
  const Value& kind = policy["spec"]["paramKind"];
  const std::string_view version = kind["apiVersion"].text();
  const std::string group(version.substr(0, version.find('/')));
  const bool is_custom =
      group.size() < version.size() && group.find('.') != std::string::npos && !group.ends_with(".k8s.io");
  if (!is_custom) return std::nullopt;
  for (const PlacedDocument& one : known) {
    const Value& spec = one.document["spec"];
    if (one.document["kind"].text() == "CustomResourceDefinition" && spec["group"].text() == group &&
        spec["names"]["kind"].text() == kind["kind"].text())
      return std::nullopt;
  }
  std::string plural(kind["kind"].text());
  std::transform(plural.begin(), plural.end(), plural.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  plural += "s";
  return Value{{"apiVersion", "apiextensions.k8s.io/v1"},
               {"kind", "CustomResourceDefinition"},
               {"metadata", {{"name", plural + "." + group}}},
               {"spec",
                {{"group", group},
                 {"names", {{"kind", kind["kind"]}, {"plural", plural}}},
                 {"scope", "Namespaced"},
                 {"versions",
                  Value::list({Value{
                      {"name", version.substr(group.size() + 1)}, {"served", true}, {"storage", true}}})}}}};
}

/// The parts of a request, each with the file that has it.
struct Parts {
  Value request = {}, object = {}, old_object = {}, namespace_object = {}, authorizer = {};
  std::vector<Value> params = {};
};

const Value* find_policy(const TestFiles& files, const PolicyTests& folder) {
  const Value *found = nullptr, *only = nullptr;
  int count = 0;
  for (const PlacedDocument& one : folder.documents) {
    if (!cases::is_policy(one.document) && one.document["kind"].text() != kValidatingPolicy) continue;
    ++count;
    only = &one.document;
    const std::string_view name = name_of(one.document);
    if (files.name.starts_with(std::string(name) + ".") &&
        (found == nullptr || name.size() > name_of(*found).size()))
      found = &one.document;
  }
  return found != nullptr ? found : count == 1 ? only : nullptr;
}

std::string first_path(const TestFiles& files) { return files.paths.begin()->second; }

Error unmatched(const TestFiles& files, const PolicyTests& folder) {
  std::string names;
  std::vector<std::string_view> known;
  for (const PlacedDocument& one : folder.documents) {
    if (!cases::is_policy(one.document) && one.document["kind"].text() != kValidatingPolicy) continue;
    known.push_back(name_of(one.document));
    names.append(names.empty() ? "" : ", ").append(name_of(one.document));
  }
  const std::string begins = files.name.substr(0, files.name.find('.'));
  return {"the name begins with no policy of the folder (" + names + ")" +
              document::did_you_mean_suffix(begins, known) + ": call it POLICY." + files.name + ".…",
          first_path(files)};
}

class TestReader {
 public:
  TestReader(const TestFiles& files, const PolicyTests& folder, const Limits& limits)
      : files_(files), folder_(folder), limits_(limits) {
    test_.name = files.name;
  }

  Result<PolicyTest> read() {
    const Value* policy = find_policy(files_, folder_);
    if (policy == nullptr) return unmatched(files_, folder_);
    test_.policy = name_of(*policy);
    if ((*policy)["kind"].text() == kValidatingPolicy) {
      test_.not_run = "policy " + test_.policy + " is a ValidatingAdmissionPolicy";
      return std::move(test_);
    }
    for (const auto& step : {&TestReader::read_parts, &TestReader::find_operation, &TestReader::make_request})
      if (auto problem = (this->*step)()) return *std::move(problem);
    if (!test_.not_run.empty()) return std::move(test_);
    if (auto problem = expect()) return *std::move(problem);
    add_cluster(*policy);
    return std::move(test_);
  }

 private:
  /// Reads the one object in a file.
  std::optional<Error> read_one(const std::string& content, Value& into) const {
    const std::string path = files_.path_of(content);
    if (path.empty()) return std::nullopt;
    if (!into.is_null()) return Error{"request.yaml has " + content + ", too: remove one of the two", path};
    auto documents = document::read_documents(path, document::Strictness::foreign, limits_);
    if (!documents) return std::move(documents).error();
    if (documents->size() != 1)
      return Error{"expected one document, found " + std::to_string(documents->size()), path};
    into = std::move(documents->front());
    if (content == "authorizer" ? into.is_array() : into.is_object()) return std::nullopt;
    return Error{content == "authorizer" ? "expected a list of decisions" : "expected an object", path};
  }

  std::optional<Error> read_parts() {
    if (auto problem = read_one("request", parts_.request)) return problem;
    const auto part = [&](const char* name, Value& into) -> std::optional<Error> {
      into = parts_.request[document::Name(name)];
      if (!into.is_null() && !into.is_object())
        return Error{"expected an object", files_.path_of("request") + ": /" + name};
      return read_one(name, into);
    };
    if (auto problem = part("object", parts_.object)) return problem;
    if (auto problem = part("oldObject", parts_.old_object)) return problem;
    if (auto problem = part("namespaceObject", parts_.namespace_object)) return problem;
    if (auto problem = read_one("authorizer", parts_.authorizer)) return problem;
    if (parts_.request["params"].is_object()) parts_.params.push_back(parts_.request["params"]);
    const std::string path = files_.path_of("params");
    if (path.empty()) return std::nullopt;
    if (!parts_.params.empty()) return Error{"request.yaml has params, too: remove one of the two", path};
    auto documents = document::read_documents(path, document::Strictness::foreign, limits_);
    if (!documents) return std::move(documents).error();
    parts_.params = *std::move(documents);
    for (const Value& one : parts_.params)
      if (name_of(one).empty()) return Error{"expected the name of the params", path + ": /metadata/name"};
    return std::nullopt;
  }

  std::optional<Error> find_operation() {
    const bool has_new = !parts_.object.is_null(), has_old = !parts_.old_object.is_null();
    const std::string_view implied = has_new   ? (has_old ? "UPDATE" : "CREATE")
                                     : has_old ? "DELETE"
                                               : "",
                           said = parts_.request["operation"].text();
    if (said.empty() && implied.empty())
      return Error{"the test has no object: expected " + files_.name + ".object.yaml or " + files_.name +
                       ".oldObject.yaml beside it",
                   first_path(files_)};
    if (said != "CONNECT" && !said.empty() && said != implied)
      return Error{"expected " + std::string(implied.empty() ? "an object" : implied) + " by the files of " +
                       "the test, found " + std::string(said),
                   files_.path_of("request") + ": /operation"};
    operation_ = said.empty() ? implied : said;
    if (operation_ != "CREATE" && operation_ != "UPDATE")
      test_.not_run = "mutating policies do not see " + operation_;
    return std::nullopt;
  }

  std::string kind_of_object() const { return std::string(parts_.object["kind"].text()); }

  std::optional<Error> make_request() {
    if (!test_.not_run.empty()) return std::nullopt;
    const std::string place = files_.path_of(files_.path_of("object").empty() ? "request" : "object");
    for (const char* member : {"apiVersion", "kind"}) {
      if (parts_.object[document::Name(member)].text().empty())
        return Error{std::string("expected ") + member + " of the object", place};
    }
    cases::Request& request = test_.value.request;
    request.sub_resource = parts_.request["subResource"].text();
    constexpr std::array<std::string_view, 3> kSubResources{"", "ephemeralcontainers", "resize"};
    if (kind_of_object() != "Pod" || parts_.object["apiVersion"].text() != "v1") {
      test_.not_run = "the object is a " + kind_of_object() + ", and only Pods are simulated";
    } else if (std::find(kSubResources.begin(), kSubResources.end(), request.sub_resource) ==
               kSubResources.end()) {
      test_.not_run = "the sub-resource " + request.sub_resource + " is not simulated";
    }
    if (!test_.not_run.empty()) return std::nullopt;
    request.operation = operation_;
    request.object = parts_.object;
    request.old_object = parts_.old_object;
    request.dry_run = parts_.request["dryRun"].is_true();
    if (const Value& user = parts_.request["userInfo"]; user.is_object())
      request.user_info = webhooks::read_user(user);
    for (const std::string_view one : {parts_.request["namespace"].text(), namespace_of(parts_.object),
                                       name_of(parts_.namespace_object)}) {
      if (one.empty()) continue;
      request.namespace_name = one;
      break;
    }
    const std::string_view named = name_of(parts_.namespace_object);
    if (!named.empty() && named != request.namespace_name)
      return Error{"namespaceObject is " + std::string(named) + ", but the request is in the namespace " +
                       request.namespace_name,
                   first_path(files_)};
    if (auto decoded = apiserver::decode_pod(parts_.object); !decoded)
      return std::move(decoded).error().within(place);
    if (parts_.old_object.is_null()) return std::nullopt;
    if (auto decoded = apiserver::decode_pod(parts_.old_object); !decoded)
      return std::move(decoded).error().within(files_.path_of("oldObject"));
    return std::nullopt;
  }

  std::optional<Error> expect() {
    test_.expects_denial = files_.name.find(".deny.") != std::string::npos || files_.name.ends_with(".deny");
    if (const std::string path = files_.path_of("message"); !path.empty()) {
      auto text = document::read_text_file(path, limits_);
      if (!text) return std::move(text).error();
      const auto first = text->find_first_not_of(" \t\r\n"), last = text->find_last_not_of(" \t\r\n");
      test_.message = first == std::string::npos ? "" : text->substr(first, last - first + 1);
    }
    test_.gold_path = files_.path_of("gold");
    if (auto problem = read_one("gold", test_.gold)) return problem;
    if (test_.gold.is_null()) return std::nullopt;
    if (auto decoded = apiserver::decode_pod(test_.gold); !decoded)
      return std::move(decoded).error().within(test_.gold_path);
    return std::nullopt;
  }

  void add_cluster(const Value& policy) {
    cases::Cluster& cluster = test_.value.cluster;
    for (const PlacedDocument& one : folder_.documents)
      if (one.document["kind"].text() == "CustomResourceDefinition") cluster.objects.push_back(one.document);
    if (Value& space = parts_.namespace_object; !space.is_null()) {
      put_missing(space, "name", test_.value.request.namespace_name);
      space.set("apiVersion", "v1");
      space.set("kind", "Namespace");
      cluster.objects.push_back(space);
    }
    test_.policies.push_back(policy);
    for (const PlacedDocument& one : folder_.documents)
      if (cases::is_policy_binding(one.document) && one.document["spec"]["policyName"].text() == test_.policy)
        test_.policies.push_back(one.document);
    const bool is_bound = test_.policies.size() > 1;
    if (!is_bound) test_.policies.push_back(own_binding(policy));
    apiserver::policies::Policy about{.name = test_.policy, .spec = policy["spec"]};
    find_param_kind(about, cluster);
    const std::string_view of_binding = test_.policies[1]["spec"]["paramRef"]["namespace"].text();
    for (Value& param : parts_.params) {
      if (about.has_namespaced_params)
        put_missing(param, "namespace", of_binding.empty() ? test_.value.request.namespace_name : of_binding);
      cluster.objects.push_back(param);
      if (is_bound) continue;
      Value reference{{"name", name_of(param)}, {"parameterNotFoundAction", "Allow"}};
      if (about.has_namespaced_params) reference.set("namespace", param["metadata"]["namespace"]);
      test_.policies[1].edit("spec").set("paramRef", reference);
    }
    for (Value& role : roles_of(parts_.authorizer, test_.value.request.user_info))
      cluster.objects.push_back(std::move(role));
  }

  static Value own_binding(const Value& policy) {
    return {{"apiVersion", policy["apiVersion"]},
            {"kind", cases::kPolicyBinding.kind},
            {"metadata", {{"name", name_of(policy)}}},
            {"spec", {{"policyName", name_of(policy)}}}};
  }

  const TestFiles& files_;
  const PolicyTests& folder_;
  const Limits& limits_;
  Parts parts_ = {};
  std::string operation_ = {};
  PolicyTest test_ = {};
};

bool is_bound(const PolicyTests& all, const std::string& policy) {
  return std::any_of(all.documents.begin(), all.documents.end(), [&](const PlacedDocument& one) {
    return cases::is_policy_binding(one.document) && one.document["spec"]["policyName"].text() == policy;
  });
}

}  // namespace

Result<PolicyTests> read_policy_tests(const PolicyFolder& folder, const Limits& limits) {
  PolicyTests all;
  for (const std::string& path : folder.policy_files) {
    auto documents = document::read_documents(path, document::Strictness::foreign, limits);
    if (!documents) return std::move(documents).error();
    for (std::size_t i = 0; i < documents->size(); ++i)
      all.documents.push_back({path + ": document " + std::to_string(i + 1), std::move((*documents)[i])});
  }
  for (std::size_t i = 0, count = all.documents.size(); i < count; ++i) {
    if (!cases::is_policy(all.documents[i].document)) continue;
    if (auto definition = definition_for(all.documents[i].document, all.documents))
      all.documents.push_back({all.documents[i].place, *std::move(definition)});
  }
  for (const TestFiles& files : folder.tests) {
    auto test = TestReader(files, all, limits).read();
    if (!test) return std::move(test).error();
    all.tests.push_back(*std::move(test));
  }
  // A run takes the binding that a test made for its params, if the folder has none.
  for (const PolicyTest& test : all.tests) {
    const bool has_own = test.not_run.empty() && test.policies[1]["spec"]["paramRef"].is_object();
    if (has_own && !is_bound(all, test.policy))
      all.documents.push_back({folder.path + ": binding of " + test.policy, test.policies[1]});
  }
  return all;
}

Result<PolicyTests> read_tested_policies(const std::string& path, const Limits& limits) {
  const auto folders = find_policy_folders(path);
  if (!folders) return folders.error();
  PolicyTests all;
  for (const PolicyFolder& folder : *folders) {
    auto one = read_policy_tests(folder, limits);
    if (!one) return std::move(one).error();
    all.documents.insert(all.documents.end(), one->documents.begin(), one->documents.end());
    for (PolicyTest& test : one->tests) all.tests.push_back(std::move(test));
  }
  return all;
}

void give_tests(const PolicyTests& folder, std::vector<runner::Subject>& subjects,
                std::vector<std::string>& notes) {
  for (const PolicyTest& test : folder.tests) {
    if (!test.not_run.empty()) continue;
    if (test.value.request.object["spec"]["containers"].empty()) {
      notes.push_back("test " + test.name + ": its Pod has no container and is no example");
      continue;
    }
    for (runner::Subject& subject : subjects) {
      if (subject.name != test.policy) continue;
      cases::Case example = test.value;
      example.note = "The Pod of the test " + test.name + ".";
      cases::Cluster known{.objects = subject.objects};
      for (const document::Value& object : example.cluster.objects) known.add_missing(object);
      subject.objects = std::move(known.objects);
      subject.examples.push_back(std::move(example));
    }
  }
}

std::optional<Error> give_objects_of_tests(const std::string& folder, const Limits& limits,
                                           std::vector<runner::Subject>& subjects) {
  for (const TestFiles& test : tests_in(folder + "/tests").tests) {
    const std::string path = test.path_of("object");
    if (path.empty()) continue;
    auto documents = document::read_documents(path, document::Strictness::foreign, limits);
    if (!documents) return std::move(documents).error();
    if (documents->size() != 1)
      return Error{"expected one document, found " + std::to_string(documents->size()), path};
    const Value& object = documents->front();
    const std::string_view kind = object["kind"].text(), space = namespace_of(object);
    if (kind == "Pod")
      if (auto decoded = apiserver::decode_pod(object); !decoded)
        return std::move(decoded).error().within(path);
    cases::Case example{.note = "An object of a test."};
    example.request.object = object;
    if (!space.empty()) example.request.namespace_name = space;
    for (runner::Subject& subject : subjects) {
      const bool is_drawn = std::any_of(subject.kinds.begin(), subject.kinds.end(), [&](const auto& drawn) {
        return drawn.name == kind && drawn.api_version == object["apiVersion"].text();
      });
      if (is_drawn) subject.examples.push_back(example);
    }
  }
  return std::nullopt;
}

}  // namespace fixpoint::external
