#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "harness/properties/judge.h"
#include "harness/properties/property.h"
#include "harness/properties/variants.h"

namespace fixpoint::properties {

namespace {

constexpr std::string_view kRegistry = "registry.example.com";
constexpr std::string_view kDigest =
    "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";

/// An image with a part that a careless split of the reference loses.
struct Reference {
  std::string_view part;
  std::string image;
  std::string kept;  ///< in the rewritten image, if the part is
};

/// Returns the image without its tag and its digest.
std::string repository_of(std::string_view image) {
  image = image.substr(0, image.find('@'));
  return std::string(image.substr(0, image.find(':', image.rfind('/') + 1)));
}

/// Returns references into the repository; into one of kRegistry also at a port of it.
std::vector<Reference> references(const std::string& repository) {
  const std::string digest(kDigest), name = repository.substr(repository.rfind('/') + 1);
  std::vector<Reference> all{{"tag", repository + ":1.2", name + ":1.2"},
                             {"digest", repository + "@" + digest, name + "@" + digest},
                             {"digest", repository + ":1.2@" + digest, "@" + digest},
                             {"tag beside its digest", repository + ":1.2@" + digest, name + ":1.2@"}};
  if (repository.starts_with(kRegistry))
    all.push_back(
        {"port of its registry",
         std::string(kRegistry).append(":5000").append(repository.substr(kRegistry.size())) + ":1.2",
         name + ":1.2"});
  return all;
}

/// Returns true if the rewritten image still says what the reference said. A tag may be resolved to a digest,
/// and a registry replaced by another one.
bool is_kept(const Reference& reference, std::string_view image) {
  const auto registry = image.find(kRegistry);
  const bool has_registry = registry != std::string_view::npos;
  const bool lacks_port = reference.image.find(":5000") != std::string::npos && has_registry &&
                          !image.substr(registry + kRegistry.size()).starts_with(":5000");
  const bool is_resolved =
      reference.image.find('@') == std::string::npos && image.find("@sha256:") != std::string_view::npos;
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

/// Returns repositories to ask about: any, and that of an image which the call rewrote, since many webhooks
/// rewrite those of certain registries alone.
std::vector<std::string> repositories(const FirstCall& call) {
  std::vector<std::string> all{std::string(kRegistry) + "/team/app"};
  const auto before = call.event.before["spec"]["containers"].elements(),
             after = call.event.result.after["spec"]["containers"].elements();
  for (const Value& sent : before) {
    const std::string image(sent["image"].text());
    const bool is_kept =
        std::ranges::any_of(after, [&](const Value& one) { return one["image"].text() == image; });
    if (is_kept || image.empty() || image.find_first_of(" \t{$") != std::string::npos) continue;
    all.push_back(repository_of(image));
    break;
  }
  return all;
}

void observe(const Examination& examination, const FirstCall& call, std::vector<Observation>& observations) {
  if (call.event.before["spec"]["containers"].empty()) return;
  for (const std::string& repository : repositories(call)) {
    const std::string plain = repository + ":1.2", now = rewritten(examination, call, plain);
    // An image that the webhook sets whatever the user's is has no part of it.
    const std::string base = repository_of(now);
    if (now == plain || base.substr(base.rfind('/') + 1) != repository.substr(repository.rfind('/') + 1))
      continue;
    for (const Reference& reference : references(repository)) {
      const std::string image = rewritten(examination, call, reference.image);
      if (image.empty() || is_kept(reference, image)) continue;
      observations.push_back({.kind = "image-cut",
                              .webhook = call.webhook.key,
                              .path = "spec.containers[*].image",
                              .reason = "rewrites an image without the " + std::string(reference.part) +
                                        ": " + reference.image + " becomes " + image});
      return;
    }
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
