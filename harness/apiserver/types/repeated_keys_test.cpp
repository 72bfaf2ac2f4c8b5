#include "harness/apiserver/types/repeated_keys.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/apiserver/registry/whole_request.h"
#include "harness/document/json.h"

namespace fixpoint::apiserver {
namespace {

/// Two containers with one name are a duplicate of their own; the lists inside each are still checked
/// separately.
TEST(RepeatedKeys, ContainersOfOneNameHaveListsOfTheirOwn) {
  const char* text = R"({"spec": {"containers": [
    {"name": "a", "env": [{"name": "X"}, {"name": "X"}]},
    {"name": "a", "env": [{"name": "X"}, {"name": "Y"}, {"name": "Y"}]}]}})";
  std::vector<std::string> paths;
  for (const Repeated& repeated : repeated_keys(*document::read_json(text))) paths.push_back(repeated.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"spec.containers[1].name", "spec.containers[0].env[1].name",
                                             "spec.containers[1].env[2].name"}));
}

/// Returns the list of which the text names an element or a member of one: `spec.volumes` of
/// `spec.volumes[1].name: Duplicate value`.
std::string list_in(const std::string& text) {
  const std::string path = text.substr(0, text.find(": "));
  return path.substr(0, path.rfind('['));
}

/// A Pod in which every list with keys has two elements of one key, and nothing else is wrong.
constexpr const char* kRepeating = R"({"metadata": {"name": "p", "namespace": "d"}, "spec": {
  "volumes": [{"name": "v", "emptyDir": {}}, {"name": "v", "emptyDir": {}}],
  "imagePullSecrets": [{"name": "s"}, {"name": "s"}],
  "hostAliases": [{"ip": "10.0.0.1", "hostnames": ["h"]}, {"ip": "10.0.0.1", "hostnames": ["h"]}],
  "topologySpreadConstraints": [
    {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}},
    {"maxSkew": 1, "topologyKey": "z", "whenUnsatisfiable": "DoNotSchedule", "labelSelector": {}}],
  "schedulingGates": [{"name": "g"}, {"name": "g"}],
  "resourceClaims": [{"name": "r", "resourceClaimName": "r"}, {"name": "r", "resourceClaimName": "r"}],
  "securityContext": {"sysctls": [{"name": "kernel.shm_rmid_forced", "value": "0"},
                                  {"name": "kernel.shm_rmid_forced", "value": "0"}]},
  "initContainers": [{"name": "i", "image": "i"}, {"name": "i", "image": "i"}],
  "containers": [{"name": "a", "image": "i",
    "ports": [{"containerPort": 80}, {"containerPort": 80}],
    "env": [{"name": "E", "value": "1"}, {"name": "E", "value": "2"}],
    "resources": {"claims": [{"name": "r"}, {"name": "r"}]},
    "resizePolicy": [{"resourceName": "cpu", "restartPolicy": "NotRequired"},
                     {"resourceName": "cpu", "restartPolicy": "NotRequired"}],
    "volumeMounts": [{"name": "v", "mountPath": "/m"}, {"name": "v", "mountPath": "/m"}]},
   {"name": "a", "image": "i",
    "ports": [{"containerPort": 81, "name": "p"}, {"containerPort": 82, "name": "p"}]},
   {"name": "d", "image": "i",
    "volumeDevices": [{"name": "v", "devicePath": "/d"}, {"name": "v", "devicePath": "/d"}]}]}})";

/// The table's keys and severities are the server's, of which recordings are the judge.
TEST(RepeatedKeys, AreInTheListsOfWhichTheServerSpeaks) {
  const auto pod = document::read_json(kRepeating).value();
  const auto errors = errors_of_request("create", pod, {}).value();
  const auto warnings = warnings_of_request(pod).value();
  std::set<std::string> refused, warned, with_errors, with_warnings;
  for (const Repeated& repeated : repeated_keys(defaulted_pod(pod).value()))
    (repeated.duplicate == Duplicate::error ? with_errors : with_warnings).insert(list_in(repeated.path));
  for (const cases::FieldError& error : errors) refused.insert(list_in(error.field));
  for (const std::string& text : warnings) {
    if (!with_errors.contains(list_in(text))) warned.insert(list_in(text));
  }
  EXPECT_EQ(refused, with_errors);
  EXPECT_EQ(warned, with_warnings);
  EXPECT_EQ(with_errors.size() + with_warnings.size(), 16U);
}

}  // namespace
}  // namespace fixpoint::apiserver
