#include <array>
#include <string>
#include <string_view>

#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

constexpr std::string_view kPlainImage = "registry.example.com/team/app:1.2";
constexpr std::string_view kDigest =
    "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// An image with a part that a careless split of the reference loses.
struct Reference {
  std::string_view part;
  std::string image;
  std::string kept;  ///< in the rewritten image, if the part is
};

std::array<Reference, 4> references() {
  const std::string digest(kDigest);
  return {Reference{"tag", "registry.example.com/team/app:1.2", "app:1.2"},
          Reference{"digest", "registry.example.com/team/app@" + digest, "app@" + digest},
          Reference{"port of its registry", "registry.example.com:5000/team/app:1.2", "app:1.2"},
          Reference{"digest", "registry.example.com/team/app:1.2@" + digest, "@" + digest}};
}

/// Returns true if the rewritten image still says what the reference said. A tag may be resolved to a digest,
/// and a registry replaced by another one.
bool is_kept(const Reference& reference, std::string_view image) {
  constexpr std::string_view kRegistry = "registry.example.com";
  const auto registry = image.find(kRegistry);
  const bool has_registry = registry != std::string_view::npos;
  const bool lacks_port = reference.image.find(":5000") != std::string::npos && has_registry &&
                          !image.substr(registry + kRegistry.size()).starts_with(":5000");
  const bool is_resolved = reference.part != "digest" && image.find("@sha256:") != std::string_view::npos;
  return (is_resolved || image.find(reference.kept) != std::string_view::npos) && !lacks_port;
}

/// Returns the image of the first container after a call on the Pod with that one; empty if there is none.
std::string rewritten(const Examination& examination, const FirstCall& call, std::string_view image) {
  Value pod = call.event.before;
  const Value name = pod["spec"]["containers"].at(0)["name"];
  pod.edit("spec").edit("containers").edit(0).set("image", image);
  if (!is_called(examination, call.webhook, pod)) return {};
  const auto result = call_afresh(examination, call.webhook, pod);
  if (!went_well(result)) return {};
  for (const Value& one : result.after["spec"]["containers"].elements())
    if (one["name"] == name) return std::string(one["image"].text());
  return {};
}

void observe(const Examination& examination, const FirstCall& call, std::vector<Observation>& observations) {
  if (call.event.before["spec"]["containers"].empty()) return;
  const std::string plain = rewritten(examination, call, kPlainImage);
  // An image that the webhook sets whatever the user's is has no part of it.
  if (plain == kPlainImage || plain.find("app") == std::string::npos) return;
  for (const Reference& reference : references()) {
    const std::string image = rewritten(examination, call, reference.image);
    if (image.empty() || is_kept(reference, image)) continue;
    observations.push_back({.kind = "image-cut",
                            .webhook = call.webhook.key,
                            .path = "spec.containers[*].image",
                            .because = "rewrites an image without the " + std::string(reference.part) + ": " +
                                       reference.image + " becomes " + image});
    return;
  }
}

Judgement images_kept_whole(const Examination& examination) {
  std::vector<Observation> observations;
  const auto calls = effective_calls(examination);
  if (calls.empty()) return not_reached("no webhook changed the Pod");
  for (const FirstCall& call : calls) observe(examination, call, observations);
  return judged({}, std::move(observations));
}

}  // namespace

extern constinit const Property kImagesKeptWhole = {
    .name = "images-kept-whole",
    .claim = "A rewritten image keeps its tag, its digest, and the port of its registry.",
    .is_cheap = false,
    .ask = images_kept_whole,
    .explanation = {.example =
                        "The image is cut at its first colon, which is the one of the registry's port.",
                    .matters = "Another image is pulled than the one that was tested, or none is found.",
                    .fix = "Parse references with a library; the tag is behind the last slash, and a digest "
                           "behind @."},
};

}  // namespace fixpoint::properties
