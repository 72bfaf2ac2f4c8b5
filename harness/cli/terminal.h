#pragma once

#include <string>
#include <string_view>

namespace fixpoint::cli {

/// Returns true if the file descriptor is a terminal that can rewrite a line.
bool is_terminal(int file);
/// Returns true if color may be printed there: it is a terminal, and NO_COLOR is not set or empty
/// (no-color.org).
bool has_color(int file);
/// Returns the text with its first word in red if that word asks for attention: FOUND, GATE.
std::string colored(std::string text);

/// A line on standard error that is written again and again, cut to the terminal's width; nothing at all
/// where that is none. At most ten times a second.
class ProgressLine {
 public:
  explicit ProgressLine(bool is_wanted);
  void show(std::string_view text, double now);
  /// Before anything else is printed.
  void clear();

 private:
  const bool is_on_;
  bool is_shown_ = false;
  double next_ = 0;
};

}  // namespace fixpoint::cli
