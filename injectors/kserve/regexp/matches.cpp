#include "injectors/kserve/regexp/matches.h"

#include <vector>

#include "injectors/kserve/regexp/program.h"

namespace fixpoint::injectors::kserve::regexp {

namespace {

/// All states at once, rune by rune (Thompson's way).
class Matcher {
 public:
  explicit Matcher(const Program& program) : program_(program), seen_(program.states.size()) {}

  bool run(std::string_view text) {
    Rune before = -1;
    std::vector<std::size_t> now;
    for (;;) {
      std::string_view rest = text;
      const Rune rune = rest.empty() ? -1 : take_rune(rest);
      ++mark_;
      reached_.clear();
      for (const std::size_t state : now) follow(state, before, rune);
      follow(program_.start, before, rune);
      if (matched_) return true;
      if (rune < 0) return false;
      now.clear();
      for (const std::size_t state : reached_) {
        const State& s = program_.states[state];
        if (contains(program_.classes[s.ranges], rune)) now.push_back(s.next);
      }
      before = rune;
      text = rest;
    }
  }

 private:
  void follow(std::size_t start, Rune before, Rune after) {
    std::vector<std::size_t> stack{start};
    while (!stack.empty()) {
      const std::size_t at = stack.back();
      stack.pop_back();
      if (at == kNone || seen_[at] == mark_) continue;
      seen_[at] = mark_;
      const State& state = program_.states[at];
      if (state.op == Op::match) matched_ = true;
      if (state.op == Op::rune) reached_.push_back(at);
      if (state.op == Op::split) stack.insert(stack.end(), {state.other, state.next});
      if (state.op == Op::assertion && holds(state.at, before, after)) stack.push_back(state.next);
    }
  }
  static bool holds(At at, Rune before, Rune after) {
    const bool is_border = is_word(before) != is_word(after);
    switch (at) {
      case At::text_begin:
        return before < 0;
      case At::text_end:
        return after < 0;
      case At::line_begin:
        return before < 0 || before == '\n';
      case At::line_end:
        return after < 0 || after == '\n';
      case At::word:
        return is_border;
      case At::no_word:
        return !is_border;
    }
    return false;
  }

  const Program& program_;
  std::vector<unsigned> seen_;
  std::vector<std::size_t> reached_{};
  unsigned mark_ = 0;
  bool matched_ = false;
};

}  // namespace

document::Result<bool> matches(std::string_view expression, std::string_view text) {
  const auto program = compile(expression);
  if (!program) return program.error();
  return Matcher(*program).run(text);
}

}  // namespace fixpoint::injectors::kserve::regexp
