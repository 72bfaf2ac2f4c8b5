#pragma once

#include <string>
#include <string_view>

namespace fixpoint::cli {

/// Returns true if the file descriptor is a terminal that can rewrite a line.
bool is_terminal(int file);
/// Returns true if color may be printed to the file descriptor: it is a terminal, and NO_COLOR is unset or
/// empty (no-color.org).
bool has_color(int file);
/// Returns the text with the words FOUND, GATE and ERROR in red where they begin a line.
std::string colored(std::string text);

/// A line on standard error that is rewritten at most ten times a second and cut to the width of the
/// terminal. Prints nothing if standard error is not a terminal.
class ProgressLine {
 public:
  explicit ProgressLine(bool is_wanted);
  void show(std::string_view text, double now);
  /// Removes the line; call it before anything else is printed.
  void clear();

 private:
  const bool is_on_;
  bool is_shown_ = false;
  double next_ = 0;
};

}  // namespace fixpoint::cli
