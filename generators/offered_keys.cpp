#include "generators/offered_keys.h"

#include <algorithm>

namespace fixpoint::generators {

using document::Value;

void OfferedKeys::keep_one_in(Value& metadata, runner::Choices& choices, std::set<std::string>& kept) const {
  for (const char* map : {"labels", "annotations"}) {
    std::vector<std::string> found;
    for (const auto& [key, value] : metadata[map].members())
      if (keys_.contains(std::string(key.text()))) found.emplace_back(key.text());
    if (found.empty()) continue;
    const std::size_t one = found.size() == 1 ? 0 : choices.below(found.size());
    kept.insert(found[one]);
    for (std::size_t i = 0; i < found.size(); ++i)
      if (i != one) metadata.edit(map).remove(document::Name(found[i]));
  }
}

std::string OfferedKeys::keep_one(Value& object, runner::Choices& choices) const {
  std::set<std::string> kept;
  if (keys_.empty() || !object.is_object()) return "";
  if (object["metadata"].is_object()) keep_one_in(object.edit("metadata"), choices, kept);
  if (object["spec"]["template"]["metadata"].is_object())
    keep_one_in(object.edit("spec").edit("template").edit("metadata"), choices, kept);
  return kept.size() == 1 ? *kept.begin() : "";
}

void OfferedKeys::take(const std::string& key, const Reply& reply) {
  // Neither: it may not have been called.
  if (key.empty() || (reply.denial.empty() && !reply.has_changed)) return;
  Tried& tried = tried_[key];
  ++tried.objects;
  const bool is_of_another = std::ranges::any_of(keys_, [&](const std::string& other) {
    return other != key && !key.starts_with(other) && reply.denial.find(other) != std::string::npos;
  });
  tried.refused += reply.denial.find(key) != std::string::npos && !is_of_another ? 1 : 0;
}

std::vector<std::string> OfferedKeys::refused() const {
  std::vector<std::string> all;
  for (const auto& [key, tried] : tried_)
    if (tried.objects == tried.refused) all.push_back(key);
  return all;
}

}  // namespace fixpoint::generators
