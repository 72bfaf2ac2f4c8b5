#pragma once

#include <cstddef>
#include <cstdint>

// Our limits on what an evaluation takes. The server has none of these: what they cut throws document::Cut,
// and is neither an error of the expression nor an answer of the server.
namespace fixpoint::apiserver::cel {

inline constexpr std::size_t kValueBytesMax = std::size_t{64} << 20;  ///< one text, or the places of one list
inline constexpr std::size_t kEvaluationBytesMax = std::size_t{512} << 20;  ///< all that one evaluation makes
inline constexpr std::uint64_t kEvaluationStepsMax = 50'000'000;  ///< elements visited, compared and printed
inline constexpr std::uint32_t kNestingMax = 1'000;  ///< of lists in lists, and of variables that read others

/// Counts for this thread while it lives. An evaluation within another one, as that of a variable, is a part
/// of that.
class Metered {
 public:
  Metered();
  Metered(const Metered&) = delete;
  Metered& operator=(const Metered&) = delete;
  ~Metered();
};

/// Counts the bytes of a value that is about to be made, or of what making it takes.
void spend_bytes(std::size_t bytes);
/// Counts a step of a loop, and asks the run's clock now and then.
void spend_step();
/// Cuts values that are nested too deeply to be walked over.
void check_nesting(std::uint32_t depth);

}  // namespace fixpoint::apiserver::cel
