// A webhook of a user's own, checked within the user's own program: once with a bug, once without.
#include <fixpoint/fixpoint.h>

#include <cstdio>
#include <string>

namespace {

constexpr const char* kConfiguration = R"(
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: my-sidecar}
webhooks:
  - name: inject.example.io
    admissionReviewVersions: [v1]
    sideEffects: None
    reinvocationPolicy: IfNeeded
    rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
)";

/// The first value of a member in the text of a JSON object.
std::string member(const std::string& review, const std::string& name) {
  const auto at = review.find("\"" + name + "\":\"") + name.size() + 4;
  return review.substr(at, review.find('"', at) - at);
}

/// Adds a container; with the guard only when the Pod does not have it.
std::string inject(const std::string& review, bool has_guard) {
  std::string answer = R"({"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":")" +
                       member(review, "uid") + R"(","allowed":true)";
  if (!has_guard || review.find(R"("name":"my-sidecar")") == std::string::npos) {
    // [{"op":"add","path":"/spec/containers/-","value":{"name":"my-sidecar","image":"sidecar:1"}}]
    answer +=
        R"(,"patchType":"JSONPatch","patch":"W3sib3AiOiJhZGQiLCJwYXRoIjoiL3NwZWMvY29udGFpbmVycy8tIiwidmFsdW)"
        R"(UiOnsibmFtZSI6Im15LXNpZGVjYXIiLCJpbWFnZSI6InNpZGVjYXI6MSJ9fV0=")";
  }
  return answer + "}}";
}

}  // namespace

int main() {
  const auto buggy = fixpoint::check([](const std::string& review) { return inject(review, false); },
                                     kConfiguration, {.cases = 100});
  const auto guarded = fixpoint::check([](const std::string& review) { return inject(review, true); },
                                       kConfiguration, {.cases = 100});
  bool is_found = false;
  for (const fixpoint::CheckFinding& finding : buggy.findings)
    is_found = is_found || (finding.property == "no-duplicate-names" && finding.verdict == "growing");
  for (const fixpoint::CheckFinding& finding : guarded.findings)
    is_found = is_found && finding.property != "no-duplicate-names";
  std::printf("fixpoint %s\n%s%s", fixpoint::version().c_str(), buggy.text.c_str(), guarded.problem.c_str());
  return is_found ? 0 : 1;
}
