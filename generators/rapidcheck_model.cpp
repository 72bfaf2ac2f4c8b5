#include "generators/rapidcheck_model.h"

#include "generators/reduce.h"

namespace fixpoint::generators {

namespace {

/// Returns all Cases that one pass of reductions offers, those with the largest reductions first.
rc::Seq<Case> lighter(const Case& value) {
  std::vector<Case> candidates;
  reduce(value, [&](const Case& candidate) {
    candidates.push_back(candidate);
    return false;
  });
  return rc::seq::fromContainer(std::move(candidates));
}

}  // namespace

rc::Gen<Case> any_case(DrawOptions options) {
  return [draw_context = DrawContext(std::move(options))](const rc::Random& random, int) {
    rc::Random source(random);
    const std::uint64_t seed = source.next();
    Choices choices(seed, source.next());
    return rc::shrinkable::shrinkRecur(draw(choices, draw_context),
                                       [](const Case& value) { return lighter(value); });
  };
}

}  // namespace fixpoint::generators

namespace rc {

void showValue(const fixpoint::cases::Case& value, std::ostream& out) {
  out << fixpoint::cases::canonical_text(value);
}

}  // namespace rc
