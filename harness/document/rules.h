#pragma once

#include <string>
#include <string_view>

namespace fixpoint::document {

/// One rule of the simulator, as something that can be switched off to see whether anything notices: its
/// part, and its name or the line of the sources at which it speaks.
struct Rule {
  std::string_view part;        ///< chain, defaulting, patches, plugins, validation, warnings
  std::string_view name = {};   ///< empty for a rule that is known by its line
  std::string_view owner = {};  ///< of a rule in a table: the table's name
  const char* file = "";
  int line = 0;

  /// "ports.cpp:33", "Probe.periodSeconds", "the second pass calls what is due".
  std::string id() const;
};

/// The line of the caller, as a default argument of a function that raises errors.
struct Line {
  const char* file;
  int number;
  static constexpr Line here(const char* file = __builtin_FILE(), int number = __builtin_LINE()) {
    return {file, number};
  }
};

/// Watches rules at work and may switch one off.
class RuleWatcher {
 public:
  virtual ~RuleWatcher() = default;
  /// Whether the rule holds.
  virtual bool holds(const Rule& rule) = 0;
};

/// Nobody watches, and all rules hold, but in `bench mutations`, which runs on one thread.
inline RuleWatcher* rule_watcher = nullptr;

inline bool holds(const Rule& rule) { return rule_watcher == nullptr || rule_watcher->holds(rule); }

/// Watches as long as it lives.
class Watching {
 public:
  explicit Watching(RuleWatcher& watcher) { rule_watcher = &watcher; }
  ~Watching() { rule_watcher = nullptr; }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
};

}  // namespace fixpoint::document
