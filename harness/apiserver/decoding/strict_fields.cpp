#include "harness/apiserver/decoding/strict_fields.h"

#include <set>
#include <string_view>

#include "harness/apiserver/types/find_field.h"

namespace fixpoint::apiserver {

namespace {

using document::Member;
using document::Value;

class StrictWalk {
 public:
  explicit StrictWalk(int minor) : minor_(minor) {}

  void object(const Type& type, const Value& sent, const std::string& path) {
    std::set<std::string_view> seen;
    for (const Member& member : sent.members()) {
      const std::string below = path + (path.empty() ? "" : ".") + std::string(member.key.text());
      const Field* field = find_field(type, member.key.name(), minor_);
      if (field == nullptr)
        problem("unknown", below);
      else if (!seen.insert(member.key.text()).second)
        problem("duplicate", below);
      else
        value(*field, member.value, below);
    }
  }

  std::vector<std::string> problems = {};

 private:
  void value(const Field& field, const Value& sent, const std::string& path) {
    if (field.many == Many::list) {
      if (field.shape != Shape::object) return;
      for (std::size_t i = 0; i < sent.size() && sent.is_array(); ++i)
        object(*field.type, sent.at(i), path + "[" + std::to_string(i) + "]");
    } else if (field.many == Many::map) {
      std::set<std::string_view> seen;
      for (const Member& member : sent.members())
        if (!seen.insert(member.key.text()).second)
          problem("duplicate", path + "." + std::string(member.key.text()));
    } else if (field.shape == Shape::object) {
      object(*field.type, sent, path);
    }
  }

  void problem(const char* what, const std::string& path) {
    problems.push_back(std::string(what) + " field \"" + path + "\"");
  }

  int minor_;
};

}  // namespace

std::vector<std::string> strict_problems(const Type& type, const Value& sent, int minor) {
  StrictWalk walk(minor);
  walk.object(type, sent, "");
  return std::move(walk.problems);
}

}  // namespace fixpoint::apiserver
