#include "harness/oracle/oracle_rules.h"

#include <algorithm>
#include <array>

#include "harness/oracle/oracle_formats.h"
#include "harness/oracle/oracle_quantity.h"

namespace fixpoint::oracle {

namespace {

using NameSet = std::set<std::string>;

constexpr std::size_t kAnnotationBytesMax = 262144;

bool is_port(const Json& number) { return number.is_number_integer() && number >= 1 && number <= 65535; }

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return text;
}

/// Returns true if the text is a JSON list of objects, or null.
bool are_objects(const std::string& text) {
  const Json read = Json::parse(text, nullptr, false);
  const auto& all = each(read);
  return read.is_null() || (read.is_array() && std::all_of(all.begin(), all.end(), [](const Json& element) {
                              return element.is_object() || element.is_null();
                            }));
}

std::string generated_name(const Json& metadata) {
  const std::string name = text_at(metadata, "name"), base = text_at(metadata, "generateName");
  return name.empty() && !base.empty() ? base.substr(0, 58) + "xxxxx" : name;
}

void judge_ports(const Json& container, const std::string& path, const Blame& blame) {
  NameSet names;
  std::size_t index = 0;
  for (const Json& port : each(at(container, "ports"))) {
    const std::string here = nth(path + ".ports", index++), name = text_at(port, "name");
    if (!name.empty() && !is_port_name(name)) {
      blame("I", here + ".name");
    } else if (!name.empty() && !names.insert(name).second) {
      blame("D", here + ".name");
    }
    if (port["containerPort"] == 0) {
      blame("R", here + ".containerPort");
    } else if (!is_port(port["containerPort"])) {
      blame("I", here + ".containerPort");
    }
    if (port.contains("hostPort") && !is_port(port["hostPort"])) blame("I", here + ".hostPort");
    if (!NameSet{"TCP", "UDP", "SCTP"}.contains(text_at(port, "protocol"))) blame("NS", here + ".protocol");
  }
}

/// Checks a field reference with podshelper.ConvertDownwardAPIFieldLabel and against the fields allowed for
/// env.
void judge_field_ref(const Json& ref, const std::string& path, const NameSet& allowed, const Blame& blame) {
  static const NameSet known{
      "metadata.annotations", "metadata.labels", "metadata.name",      "metadata.namespace",
      "metadata.uid",         "spec.nodeName",   "spec.restartPolicy", "spec.serviceAccountName",
      "spec.schedulerName",   "status.phase",    "status.hostIP",      "status.hostIPs",
      "status.podIP",         "status.podIPs"};
  if (text_at(ref, "apiVersion").empty()) return blame("R", path + ".apiVersion");
  std::string field = text_at(ref, "fieldPath");
  if (field.empty()) return blame("R", path + ".fieldPath");
  const auto bracket = field.find("['");
  const bool has_subscript =
      field.ends_with("']") && bracket != std::string::npos && bracket + 4 <= field.size();
  if (field == "spec.host") field = "spec.nodeName";
  if (text_at(ref, "apiVersion") != "v1") return blame("I", path + ".fieldPath");
  if (!has_subscript) {
    if (!known.contains(field)) return blame("I", path + ".fieldPath");
    if (!allowed.contains(field)) blame("NS", path + ".fieldPath");
    return;
  }
  const std::string subscript = field.substr(bracket + 2, field.size() - bracket - 4);
  field.resize(bracket);
  if (field != "metadata.annotations" && field != "metadata.labels") return blame("I", path + ".fieldPath");
  if (!is_qualified_name(field == "metadata.annotations" ? lowered(subscript) : subscript)) blame("I", path);
}

void judge_key_ref(const Json& ref, const std::string& path, const Blame& blame) {
  if (!is_dns_subdomain(text_at(ref, "name"))) blame("I", path + ".name");
  const std::string key = text_at(ref, "key");
  if (key.empty()) {
    blame("R", path + ".key");
  } else if (!is_config_key(key)) {
    blame("I", path + ".key");
  }
}

void judge_env(const Json& container, const std::string& path, const Blame& blame) {
  static const NameSet allowed{"metadata.name",           "metadata.namespace", "metadata.uid",
                               "spec.nodeName",           "status.hostIP",      "status.hostIPs",
                               "spec.serviceAccountName", "status.podIP",       "status.podIPs"};
  std::size_t index = 0;
  for (const Json& env : each(at(container, "env"))) {
    const std::string here = nth(path + ".env", index++), name = text_at(env, "name");
    if (name.empty()) {
      blame("R", here + ".name");
    } else if (!is_env_name(name)) {
      blame("I", here + ".name");
    }
    const Json& from = at(env, "valueFrom");
    if (from.is_null()) continue;
    if (from.size() != 1 || !text_at(env, "value").empty()) blame("I", here + ".valueFrom");
    if (from.contains("fieldRef"))
      judge_field_ref(from["fieldRef"], here + ".valueFrom.fieldRef", allowed, blame);
    for (const char* source : {"configMapKeyRef", "secretKeyRef"}) {
      if (from.contains(source)) judge_key_ref(from[source], here + ".valueFrom." + source, blame);
    }
  }
}

void judge_env_from(const Json& container, const std::string& path, const Blame& blame) {
  std::size_t index = 0;
  for (const Json& from : each(at(container, "envFrom"))) {
    const std::string here = nth(path + ".envFrom", index++);
    if (from.contains("prefix") && !is_env_name(text_at(from, "prefix"))) blame("I", here + ".prefix");
    int sources = 0;
    for (const char* source : {"configMapRef", "secretRef"}) {
      if (!from.contains(source)) continue;
      ++sources;
      const std::string name = text_at(from[source], "name");
      if (name.empty()) {
        blame("R", here + "." + source + ".name");
      } else if (!is_dns_subdomain(name)) {
        blame("I", here + "." + source + ".name");
      }
    }
    if (sources != 1) blame("I", path + ".envFrom");
  }
}

bool may_overcommit(const std::string& resource) {
  const bool is_native =
      resource.find('/') == std::string::npos || resource.find("kubernetes.io/") != std::string::npos;
  return is_native && !resource.starts_with("hugepages-");
}

void judge_resources(const Json& resources, const std::string& path, const Blame& blame) {
  const Json &limits = at(resources, "limits"), &requests = at(resources, "requests");
  bool has_huge = false, has_compute = false;
  for (const auto& [list, quantities] : resources.items()) {
    if (list == "claims") continue;
    for (const auto& [name, quantity] : quantities.items()) {
      if (parse_amount(quantity.get<std::string>())->negative)
        blame("I", path + "." + list + "[" + name + "]");
      has_huge = has_huge || name.starts_with("hugepages-");
      has_compute = has_compute || name == "cpu" || name == "memory";
    }
  }
  if (has_huge && !has_compute) blame("F", path);
  for (const auto& [name, quantity] : requests.items()) {
    const Json& limit = at(limits, name);
    if (limit.is_null()) {
      if (!may_overcommit(name)) blame("R", path + ".limits");
      continue;
    }
    const int order =
        parse_amount(quantity.get<std::string>())->compare(*parse_amount(limit.get<std::string>()));
    if (order > 0 || (order != 0 && !may_overcommit(name))) blame("I", path + ".requests");
  }
}

}  // namespace

std::string nth(const std::string& path, std::size_t index) {
  return path + "[" + std::to_string(index) + "]";
}

void judge_metadata(const Json& metadata, const Blame& blame) {
  const std::string name = generated_name(metadata);
  std::string base = text_at(metadata, "generateName");
  if (name.empty()) {
    blame("R", "metadata.name");
  } else if (!is_dns_subdomain(name)) {
    blame("I", "metadata.name");
  }
  if (base.size() > 1 && base.ends_with('-')) base = base.substr(0, base.size() - 2) + "a";
  if (!base.empty() && !is_dns_subdomain(base)) blame("I", "metadata.generateName");
  for (const auto& [key, value] : at(metadata, "labels").items()) {
    if (!is_qualified_name(key) || !is_label_value(value.get<std::string>())) blame("I", "metadata.labels");
  }
  std::size_t bytes = 0;
  for (const auto& [key, value] : at(metadata, "annotations").items()) {
    if (!is_qualified_name(lowered(key))) blame("I", "metadata.annotations");
    bytes += key.size() + value.get<std::string>().size();
  }
  if (bytes > kAnnotationBytesMax) blame("TL", "metadata.annotations");
  const std::string tolerations =
      text_at(at(metadata, "annotations"), "scheduler.alpha.kubernetes.io/tolerations");
  if (!tolerations.empty() && !are_objects(tolerations)) blame("I", "metadata.annotations");
}

void judge_tolerations(const Json& tolerations, const Blame& blame) {
  std::size_t index = 0;
  for (const Json& toleration : each(tolerations)) {
    const std::string here = nth("spec.tolerations", index++);
    const std::string key = text_at(toleration, "key"), op = text_at(toleration, "operator"),
                      value = text_at(toleration, "value"), effect = text_at(toleration, "effect");
    if (!key.empty() && !is_qualified_name(key)) blame("I", here + ".key");
    if (key.empty() && op != "Exists") blame("I", here + ".operator");
    if (toleration.contains("tolerationSeconds") && effect != "NoExecute") blame("I", here + ".effect");
    if (op.empty() || op == "Equal") {
      if (!is_label_value(value)) blame("I", here + ".operator");
    } else if (op == "Exists") {
      if (!value.empty()) blame("I", here + ".operator");
    } else {
      blame("NS", here + ".operator");
    }
    if (!effect.empty() && !NameSet{"NoSchedule", "PreferNoSchedule", "NoExecute"}.contains(effect))
      blame("NS", here + ".effect");
  }
}

void judge_container(const Json& container, const std::string& path, const Blame& blame) {
  const std::string image = text_at(container, "image");
  const auto is_blank = [](char c) {
    return std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos;
  };
  if (image.empty()) {
    blame("R", path + ".image");
  } else if (is_blank(image.front()) || is_blank(image.back())) {
    blame("I", path + ".image");
  }
  if (!NameSet{"Always", "IfNotPresent", "Never"}.contains(text_at(container, "imagePullPolicy")))
    blame("NS", path + ".imagePullPolicy");
  if (!NameSet{"File", "FallbackToLogsOnError"}.contains(text_at(container, "terminationMessagePolicy")))
    blame("NS", path + ".terminationMessagePolicy");
  judge_ports(container, path, blame);
  judge_env(container, path, blame);
  judge_env_from(container, path, blame);
  judge_resources(container["resources"], path + ".resources", blame);
}

void judge_probe(const Json& probe, const std::string& path, const char* which, const Blame& blame) {
  int handlers = 0;
  const auto is_handled_by = [&](const char* handler) {
    if (!probe.contains(handler)) return false;
    if (handlers++ > 0) blame("F", path + "." + handler);
    return handlers == 1;
  };
  const auto judge_port = [&](const Json& port, const std::string& here) {
    if (port.is_string() ? !is_port_name(port.get<std::string>()) : !is_port(port)) blame("I", here);
  };
  is_handled_by("exec");
  if (is_handled_by("httpGet")) {
    const Json& get = probe["httpGet"];
    judge_port(get["port"], path + ".httpGet.port");
    if (!NameSet{"HTTP", "HTTPS"}.contains(text_at(get, "scheme"))) blame("NS", path + ".httpGet.scheme");
    for (const Json& header : each(at(get, "httpHeaders"))) {
      if (!is_header_name(text_at(header, "name"))) blame("I", path + ".httpGet.httpHeaders");
    }
  }
  if (is_handled_by("tcpSocket")) judge_port(probe["tcpSocket"]["port"], path + ".tcpSocket.port");
  if (is_handled_by("grpc")) judge_port(probe["grpc"]["port"], path + ".grpc.port");
  if (handlers == 0) blame("R", path);
  for (const char* number :
       {"initialDelaySeconds", "timeoutSeconds", "periodSeconds", "successThreshold", "failureThreshold"}) {
    if (probe.value(number, 0) < 0) blame("I", path + "." + number);
  }
  const bool is_readiness = std::string_view(which) == "readinessProbe";
  if (!is_readiness && probe.value("successThreshold", 0) != 1) blame("I", path + ".successThreshold");
  if (probe.contains("terminationGracePeriodSeconds") &&
      (is_readiness || probe["terminationGracePeriodSeconds"] <= 0)) {
    blame("I", path + ".terminationGracePeriodSeconds");
  }
}

void judge_mounts(const Json& container, const std::string& path, const std::set<std::string>& volumes,
                  const Blame& blame) {
  NameSet names, paths, taken;
  for (const Json& device : each(at(container, "volumeDevices"))) {
    names.insert(text_at(device, "name"));
    paths.insert(text_at(device, "devicePath"));
  }
  std::size_t index = 0;
  for (const Json& mount : each(at(container, "volumeMounts"))) {
    const std::string here = nth(path + ".volumeMounts", index++);
    const std::string name = text_at(mount, "name"), where = text_at(mount, "mountPath");
    if (name.empty()) blame("R", here + ".name");
    if (!volumes.contains(name)) blame("NF", here + ".name");
    if (where.empty()) blame("R", here + ".mountPath");
    if (!taken.insert(where).second || paths.contains(where)) blame("I", here + ".mountPath");
    if (names.contains(name)) blame("I", here + ".name");
  }
}

}  // namespace fixpoint::oracle
