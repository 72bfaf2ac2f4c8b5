#pragma once

#include <string>
#include <utility>
#include <vector>

#include "harness/document/value.h"

namespace fixpoint::conformance {

/// The first minor whose texts are compared: earlier ones print values otherwise (docs/trust.md#texts).
inline constexpr int kTextsSince = 34;

/// The result of one line of vectors (docs/formats.md#vectors).
struct Compared {
  enum class Answer { agreed, disagreed, unsupported } answer = Answer::agreed;
  std::vector<std::string> differences = {};  ///< the reason if it is unsupported
};
inline Compared unsupported(std::string why) { return {Compared::Answer::unsupported, {std::move(why)}}; }

/// Compares the simulator with a complete line (docs/judging.md#comparing).
Compared check_line(const document::Value& line);

struct Counts {
  long agreed = 0, disagreed = 0, unsupported = 0;
  void add(Compared::Answer answer);
  void add(const Counts& other);
  long all() const { return agreed + disagreed + unsupported; }
  std::string text() const;
};

/// Returns the line's kind and id, and below them its differences.
std::string differences_text(const document::Value& line, const Compared& compared);

}  // namespace fixpoint::conformance
