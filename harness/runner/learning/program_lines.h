#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/runner/learning/program_text.h"

namespace fixpoint::runner {

/// The map of a Pod in which a program looks a literal up.
enum class MapKind : std::uint8_t { unknown, label, annotation, resource, data };

/// A quoted text of a program, or a constant in its place. Sums of both are one literal, and names of
/// constants in the braces of a text are replaced: `PREFIX + "/skip"`, `f"{PREFIX}/skip"`.
struct Literal {
  std::string text = {};
  std::string_view before = {}, after = {};  ///< around it on its line; `before` without blanks at its end
  bool is_constant = false;                  ///< no part of it is quoted here
};

/// A line of a program.
struct ProgramLine {
  std::string_view path = {};  ///< of its file
  std::size_t number = 0;      ///< in its file, from 1
  std::string_view text = {};
  std::vector<Literal> literals = {};
};

/// The lines of a program's texts, with the constants and the names of maps that any of them declares: a
/// module declares what another uses. The texts must live as long.
class ProgramLines {
 public:
  explicit ProgramLines(std::span<const ProgramText> texts);

  /// Calls `take` for each line of what is no manifest (manifest_pairs.h).
  template <class Take>
  void each(const Take& take) const {
    for (const ProgramText& text : texts_) each_of(text, take);
  }

  /// Returns the map in which the program looks the literal up: `labels["x"]`, `notes.get("x")` after
  /// `notes = pod.metadata.annotations`, `"x" in limits`; unknown if it does not.
  MapKind map_of(const Literal& literal) const;

 private:
  static constexpr std::size_t kLineMax = 2000;

  template <class Take>
  void each_of(const ProgramText& file, const Take& take) const {
    std::string_view rest = is_code(file) ? file.text : std::string_view();
    for (std::size_t number = 1; !rest.empty(); ++number) {
      const auto end = std::min(rest.find('\n'), rest.size());
      if (end <= kLineMax)
        take(ProgramLine{file.path, number, rest.substr(0, end), literals_of(rest.substr(0, end))});
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }

  static bool is_code(const ProgramText& file);
  std::vector<Literal> literals_of(std::string_view line) const;
  std::string filled(std::string_view text) const;
  const std::string* constant(std::string_view name) const;
  void declare_constants(std::string_view line);
  void declare(std::string_view name, std::string value);
  void declare_maps(std::string_view line);
  MapKind kind_of(std::string_view expression) const;

  std::span<const ProgramText> texts_;
  std::map<std::string, std::string, std::less<>> constants_ = {};  ///< empty: of several values
  std::map<std::string, MapKind, std::less<>> maps_ = {};           ///< by the names of variables
};

}  // namespace fixpoint::runner
