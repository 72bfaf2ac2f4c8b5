#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/document/pointer.h"
#include "harness/document/result.h"
#include "harness/document/value.h"

namespace fixpoint::cases {

/// A test on the object that the webhook received, of exactly one kind. `parts` are the conditions that
/// `not`, `all` and `any` combine.
struct Condition {
  enum class Test { exists, absent, equals, named, call, negation, all, any };
  Test test = Test::all;
  document::Pointer path = {};
  document::Value value = {};  ///< of `equals`
  std::string name = {};       ///< of `named`
  int call = 0;
  std::vector<Condition> parts = {};
};

struct Denial {
  int code = 0;
  std::string reason = {};
  std::string message = {};
  bool operator==(const Denial&) const = default;
};

/// One action and its condition.
struct Rule {
  std::optional<Condition> when = {};
  std::vector<document::Value> patch = {};  ///< the operations as the file has them
  std::vector<std::string> warn = {};
  std::map<std::string, std::string> audit = {};
  std::optional<Denial> deny = {};
};

/// A webhook without code (docs/formats.md#script-webhooks). `source` is the list from which it was read.
struct Script {
  document::Value source = document::Value::empty_list();
  std::vector<Rule> rules = {};
  bool operator==(const Script& other) const { return source == other.source; }
};

document::Result<Script> read_script(const document::Value& source, const std::string& pointer = "");

}  // namespace fixpoint::cases
