#include "generators/pod/feature.h"

namespace fixpoint::generators {

namespace {

using enum Tier;

constexpr Feature kResourceFeatures[] = {
    {"resources/both", common, Place::any_container,
     R"({"resources": {"limits": {"cpu": "1", "memory": "2Gi"}, "requests": {"cpu": "100m",
         "memory": "1Gi"}}})"},
    {"resources/limits-only", common, Place::any_container,
     R"({"resources": {"limits": {"cpu": "1", "memory": "512Mi"}}})"},
    {"resources/requests-only", common, Place::any_container,
     R"({"resources": {"requests": {"cpu": "250m", "memory": "64Mi"}}})"},
    // Units as the server writes them: code that expects only 100m, or only 64Mi, fails.
    {"resources/other-units", common, Place::any_container,
     R"([{"resources": {"requests": {"cpu": "2", "memory": "1M"}}},
         {"resources": {"limits": {"cpu": "1500u", "memory": "2e9"}}},
         {"resources": {"limits": {"memory": "500000k"}}},
         {"resources": {"requests": {"cpu": "1k", "memory": "1Ti"}}},
         {"resources": {"requests": {"cpu": "1Ki", "memory": "1e9"}}},
         {"resources": {"requests": {"cpu": "100u", "memory": "64"}, "limits": {"memory": "1T"}}}])"},
    {"resources/empty", exotic, Place::any_container,
     R"([{"resources": {}}, {"resources": {"limits": {}}}, {"resources": {"limits": {}, "requests": {}}},
         {"resources": null}])"},
    {"resources/one-each", exotic, Place::any_container,
     R"({"resources": {"limits": {"memory": "1Gi"}, "requests": {"cpu": "1"}}})"},
    {"resources/gpu", exotic, Place::container,
     R"([{"resources": {"limits": {"example.com/gpu": "1"}}},
         {"resources": {"limits": {"nvidia.com/gpu": 1}}},
         {"resources": {"limits": {"example.com/gpu": 2}, "requests": {"example.com/gpu": 2}}}])"},
    {"resources/hugepages", exotic, Place::container,
     R"({"resources": {"limits": {"hugepages-2Mi": "4Mi", "memory": "128Mi"}}})"},
    {"resources/ephemeral-storage", exotic, Place::any_container,
     R"({"resources": {"requests": {"ephemeral-storage": "1Gi"}, "limits": {"ephemeral-storage": "2Gi"}}})"},
    {"resources/odd-spellings", exotic, Place::any_container,
     R"([{"resources": {"limits": {"cpu": "1000m", "memory": "1024Mi"}}},
         {"resources": {"limits": {"cpu": 0.5}}},
         {"resources": {"limits": {"memory": "1e9", "cpu": "1.5"}}},
         {"resources": {"requests": {"cpu": "0.0001"}}},
         {"resources": {"limits": {"memory": "128974848"}}}])"},
    {"resources/zero", exotic, Place::any_container,
     R"([{"resources": {"limits": {"cpu": "0"}}}, {"resources": {"requests": {"cpu": 0, "memory": "0"}}}])"},
    {"resources/equal", exotic, Place::any_container,
     R"({"resources": {"limits": {"cpu": "1"}, "requests": {"cpu": "1000m"}}})"},
    {"resources/huge", exotic, Place::container,
     R"({"resources": {"limits": {"example.com/token": "9007199254740993",
         "memory": "9223372036854775807"}}})"},
    {"resources/of-the-pod", exotic, Place::spec,
     R"([{"resources": {"limits": {"cpu": "8", "memory": "16Gi"}}},
         {"resources": {"requests": {"cpu": "4", "memory": "8Gi"}, "limits": {"cpu": "8",
         "memory": "16Gi"}}}])"},
    {"resources/claims", exotic, Place::spec,
     R"({"resourceClaims": [{"name": "gpu", "resourceClaimName": "my-gpu"}]})",
     [](PodBuilder& builder, Value&) {
       builder.some_containers(
           true, [](Value& one) { one.edit("resources").edit("claims").push_back({{"name", "gpu"}}); });
     }},
    {"resources/claims-by-request", exotic, Place::spec,
     R"({"resourceClaims": [{"name": "a", "resourceClaimTemplateName": "t"}, {"name": "b",
         "resourceClaimName": "c"}]})",
     [](PodBuilder& builder, Value&) {
       builder.some_containers(true, [](Value& one) {
         one.edit("resources").edit("claims").push_back({{"name", "a"}, {"request", "big"}});
       });
     }},
    {"resources/request-above-limit", defect, Place::any_container,
     R"({"resources": {"limits": {"cpu": "1"}, "requests": {"cpu": "2"}}})"},
    {"resources/negative", defect, Place::any_container, R"({"resources": {"limits": {"cpu": "-1"}}})"},
    {"resources/unknown-name", defect, Place::any_container, R"({"resources": {"limits": {"power": "1"}}})"},
    {"resources/gpu-request-only", defect, Place::container,
     R"({"resources": {"requests": {"example.com/gpu": "1"}}})"},
};

}  // namespace

std::span<const Feature> resource_features() { return kResourceFeatures; }

}  // namespace fixpoint::generators
