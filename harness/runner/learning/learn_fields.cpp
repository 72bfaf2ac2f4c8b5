#include "harness/runner/learning/learn_fields.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

#include "harness/apiserver/types/pod_types.h"
#include "harness/document/json.h"
#include "harness/runner/learning/learn.h"
#include "harness/runner/learning/trigger.h"

namespace fixpoint::runner {

namespace {

using apiserver::Field;
using apiserver::Shape;

/// Fields that hold the name of another object in the cluster, or one of a few legal words.
constexpr std::array kOfNames = std::to_array<std::string_view>(
    {"serviceAccountName", "priorityClassName", "runtimeClassName", "schedulerName", "nodeName"});

/// Whole quantities as an extended resource may have them, in each way that the server writes or takes one.
constexpr std::array kAmounts =
    std::to_array<std::string_view>({"1", "2", "10k", "1Ki", "0", "1e3", "10000"});

/// Returns the identifiers in a program's texts, as far as names of fields consist of the same characters.
std::set<std::string_view> identifiers_of(std::span<const ProgramText> texts) {
  const auto is_inner = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  std::set<std::string_view> found;
  for (const ProgramText& file : texts) {
    const std::string_view text = file.text;
    for (auto at = text.begin(); at != text.end();) {
      const auto begin = std::find_if(at, text.end(), is_inner);
      at = std::find_if_not(begin, text.end(), is_inner);
      if (begin != at) found.emplace(begin, at);
    }
  }
  return found;
}

std::string capitalised(std::string_view word) {
  std::string text(word);
  text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

std::string quoted(std::string_view text) { return document::write_json(Value(text)); }

/// A value of a field, as JSON.
struct FieldValue {
  std::string_view path;
  std::string_view value;
};
/// A part of a Pod that webhooks look at, and change, only where it is there.
struct Part {
  std::string_view word;  ///< of the program, as JSON has it; programs in Go begin it with a capital
  FieldValue field;
};
constexpr const char* kNodeAffinity =
    R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)"
    R"({"matchExpressions":[{"key":"disk","operator":"In","values":["ssd"]}]}]}}})";
constexpr const char* kPodAntiAffinity =
    R"({"podAntiAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,)"
    R"("podAffinityTerm":{"topologyKey":"kubernetes.io/hostname","labelSelector":{"matchLabels":)"
    R"({"app":"web"}}}}]}})";
constexpr std::array kParts = std::to_array<Part>(
    {{"command", {"spec.containers[*].command", R"(["sh","-c","app"])"}},
     {"args", {"spec.containers[*].args", R"(["--port=8080"])"}},
     {"livenessProbe", {"spec.containers[*].livenessProbe", R"({"httpGet":{"path":"/live","port":8080}})"}},
     {"readinessProbe",
      {"spec.containers[*].readinessProbe", R"({"httpGet":{"path":"/ready","port":8080}})"}},
     {"lifecycle", {"spec.containers[*].lifecycle", R"({"preStop":{"exec":{"command":["true"]}}})"}},
     {"envFrom", {"spec.containers[*].envFrom", R"([{"configMapRef":{"name":"settings","optional":true}}])"}},
     {"persistentVolumeClaim", {"spec.volumes", kClaimedVolume}},
     {"emptyDir", {"spec.volumes", R"([{"name":"scratch","emptyDir":{}}])"}},
     {"hostPath", {"spec.volumes", R"([{"name":"host","hostPath":{"path":"/var/log"}}])"}},
     {"configMap", {"spec.volumes", R"([{"name":"settings","configMap":{"name":"settings"}}])"}},
     {"csi", {"spec.volumes", R"([{"name":"csi","csi":{"driver":"csi.example.com"}}])"}},
     {"nfs", {"spec.volumes", R"([{"name":"nfs","nfs":{"server":"nfs.example.com","path":"/"}}])"}},
     {"nodeSelector", {"spec.nodeSelector", R"({"kubernetes.io/arch":"amd64"})"}},
     {"tolerations", {"spec.tolerations", R"([{"key":"dedicated","operator":"Exists"}])"}},
     {"nodeSelectorTerms", {"spec.affinity", kNodeAffinity}},
     {"nodeAffinity", {"spec.affinity", kNodeAffinity}},
     {"podAntiAffinity", {"spec.affinity", kPodAntiAffinity}},
     {"topologySpreadConstraints",
      {"spec.topologySpreadConstraints",
       R"([{"maxSkew":1,"topologyKey":"topology.kubernetes.io/zone","whenUnsatisfiable":"DoNotSchedule"}])"}},
     {"dnsConfig", {"spec.dnsConfig", R"({"options":[{"name":"ndots","value":"2"}]})"}},
     {"hostAliases", {"spec.hostAliases", R"([{"ip":"10.0.0.1","hostnames":["db.example.com"]}])"}},
     {"startupProbe", {"spec.containers[*].startupProbe", R"({"httpGet":{"path":"/live","port":8080}})"}},
     {"secretKeyRef",
      {"spec.containers[*].env",
       R"([{"name":"KEY","valueFrom":{"secretKeyRef":{"name":"keys","key":"key","optional":true}}}])"}},
     {"projected",
      {"spec.volumes",
       R"([{"name":"token","projected":{"sources":[{"serviceAccountToken":{"path":"token"}}]}}])"}},
     {"runAsUser", {"spec.securityContext", R"({"runAsUser":1000})"}},
     {"runAsUser", {"spec.containers[*].securityContext", R"({"runAsUser":1000})"}},
     {"imagePullSecrets", {"spec.imagePullSecrets", R"([{"name":"registry"}])"}}});
constexpr std::array kConventions = std::to_array<FieldValue>(
    {{"spec.containers[*].ports", R"([{"name":"metrics","containerPort":9090}])"},
     {"spec.containers[*].ports", R"([{"name":"http","containerPort":8080}])"},
     {"spec.containers[*].readinessProbe", R"({"httpGet":{"path":"/ready","port":8080}})"},
     {"spec.containers[*].resources.limits['nvidia.com/gpu']", R"("1")"},
     {"spec.containers[*].securityContext.readOnlyRootFilesystem", "true"},
     {"spec.containers[*].securityContext.privileged", "true"},
     {"spec.containers[*].image", R"("registry.example.com/app:latest")"},
     {"spec.volumes", kClaimedVolume},
     {"spec.hostNetwork", "true"}});

class Fields {
 public:
  Fields(Vocabulary& words, std::span<const ProgramText> texts, const ProgramWords& program)
      : words_(words), named_(identifiers_of(texts)), program_(program) {}

  void learn() {
    learn_switches(apiserver::kPodSpec, "spec");
    for (const std::string_view field : kOfNames) {
      if (is_named(field)) learn_each("spec." + std::string(field), program_.names);
    }
    if (is_named("image")) learn_images();
    if (is_named("limits") || is_named("requests")) learn_resources();
    if (is_named("env") || is_named("Env")) learn_texts_of_env();
    if (is_named("ports") || is_named("containerPort")) learn_ports();
    for (const auto& [word, field] : kParts)
      if (is_named(word) || is_named(capitalised(word))) learn_one(std::string(field.path), field.value);
  }

 private:
  bool is_named(std::string_view field) const { return named_.contains(field); }

  void learn_one(const std::string& path, std::string_view value) {
    learn_trigger(words_, Trigger::Where::field, path, value, true);
  }
  void learn_each(const std::string& path, std::span<const std::string> names) {
    for (const std::string& name : names) learn_one(path, quoted(name));
  }

  /// Learns the switches of the Pod, its containers, and the security contexts of both, and the names that
  /// these contexts hold.
  void learn_switches(const apiserver::Type& type, const std::string& path) {
    for (const Field& field : type.fields) {
      const std::string name = path + "." + std::string(field.name.text);
      if (field.shape == Shape::boolean && field.many == apiserver::Many::one && is_named(field.name.text)) {
        learn_one(name, "true");
        learn_one(name, "false");
      }
      const bool is_reference = field.shape == Shape::text && field.name.text.ends_with("Name");
      if (is_reference && path.ends_with("Options") && is_named(field.name.text))
        learn_one(name, quoted("example"));
      if (field.name.text == "securityContext" || field.name.text == "windowsOptions")
        learn_switches(*field.type, name);
      if (field.name.text == "containers") learn_switches(*field.type, name + "[*]");
    }
  }

  void learn_images() {
    for (const std::string_view image : {"app", "docker.io/library/app:1.2", "quay.io/team/app:1"})
      learn_one("spec.containers[*].image", quoted(image));
    for (const std::string& name : program_.names)
      learn_one("spec.containers[*].image", quoted("registry.example.com/app:" + name));
  }

  void learn_resources() {
    for (const std::string& name : program_.resources)
      for (const std::string_view amount : kAmounts) learn_one(limit_path(name), quoted(amount));
  }

  /// Learns variables whose values begin, or end, with a text that the program searches for.
  void learn_texts_of_env() {
    constexpr std::size_t kTextsMax = 4;
    const auto& fragments = words_.names[NameKind::fragment];
    const std::size_t count = std::min(kTextsMax, fragments.size());
    for (std::size_t i = 0; i < count; ++i) {
      for (const std::string& text :
           {std::string(fragments[i].text()) + "x", "x" + std::string(fragments[i].text())}) {
        const Value env = Value::list({{{"name", "TEXT"}, {"value", text}}});
        learn_one("spec.containers[*].env", document::write_json(env));
      }
    }
  }

  void learn_ports() {
    constexpr std::size_t kPortNameMax = 15;
    Value ports = Value::empty_list();
    for (const std::string& name : program_.names)
      if (name.size() <= kPortNameMax) ports.push_back({{"name", name}});
    learn_from_pod(words_, {{"spec", {{"containers", Value::list({Value{{"ports", ports}}})}}}});
  }

  Vocabulary& words_;
  std::set<std::string_view> named_;
  const ProgramWords& program_;
};

}  // namespace

std::string limit_path(std::string_view resource) {
  return "spec.containers[*].resources.limits['" + std::string(resource) + "']";
}

void learn_conventions(Vocabulary& words) {
  for (const auto& [path, value] : kConventions)
    learn_trigger(words, Trigger::Where::field, path, value, true);
}

void learn_fields_of_program(Vocabulary& words, std::span<const ProgramText> texts,
                             const ProgramWords& program) {
  Fields(words, texts, program).learn();
}

}  // namespace fixpoint::runner
