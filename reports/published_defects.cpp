#include "reports/published_defects.h"

#include <array>
#include <string>

namespace fixpoint::reports {

namespace {

/// Rows for a certain member precede those for any place.
constexpr std::array kDefects = std::to_array<PublishedDefect>({
    {"duplicate", "env", "istio/istio", 41652,
     "called again after another webhook had added a container, it appended its env variable a second time"},
    {"duplicate", "env", "kserve/kserve", 4332,
     "the metrics aggregator appended its env variables at every call, and Pods did not start"},
    {"duplicate", "", "aws/aws-app-mesh-controller-for-k8s", 216,
     "its injectors added their containers and volumes again when they were called twice"},
    {"unstable", "", "istio/istio", 25931, "a second injection rewrote probes that were rewritten already"},
    {"late", "image", "estahn/k8s-image-swapper", 28,
     "images of sidecars that a later webhook injects are not rewritten"},
    {"late", "", "istio/istio", 45233,
     "probes of a sidecar that is injected after it are never rewritten, because nothing calls it again"},
    {"late", "", "Dynatrace/dynatrace-operator", 172,
     "containers that a later webhook adds were not instrumented"},
    {"newer-fields", "", "aws/amazon-eks-pod-identity-webhook", 208,
     "built with an old library, it removed restartPolicy from native sidecars, and the API server refused "
     "the Pods"},
    {"lost", "restartPolicy", "DataDog/datadog-operator", 1116,
     "it removed restartPolicy from native sidecars, and the API server refused the Pods"},
    {"lost", "", "istio/istio", 54562, "it removed init containers that another webhook had injected"},
    {"order", "", "salesforce/generic-sidecar-injector", 22,
     "it sorted the containers, and another webhook's sidecar became the Pod's first container"},
    {"panic", "", "netbirdio/kubernetes-operator", 246,
     "it wrote to the annotations of a Pod that has none, and every such Pod was refused with 500"},
    {"request-context", "", "kata-containers/tests", 3111,
     "it crashed on Pods of every namespace but default"},
    {"foreign-object-untouched", "", "banzaicloud/hpa-operator", 11,
     "it deleted HorizontalPodAutoscalers that it did not manage"},
    {"reconcile-settles", "", "robbeverhelst/unifi-reactor", 50,
     "it and a HorizontalPodAutoscaler overwrote each other's number of replicas for ever"},
});

}  // namespace

const PublishedDefect* similar_defect(const cases::Problem& problem) {
  for (const PublishedDefect& row : kDefects) {
    const std::string_view owner = row.project.substr(0, row.project.find('/'));
    const bool is_own = problem.part.substr(0, problem.part.find('/')) == owner;
    const bool is_there = row.member.empty() || problem.place.find(row.member) != std::string::npos;
    if (row.symptom == problem.symptom && is_there && !is_own) return &row;
  }
  return nullptr;
}

}  // namespace fixpoint::reports
