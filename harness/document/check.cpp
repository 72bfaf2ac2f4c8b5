#include "harness/document/check.h"

#include <cstdio>
#include <cstdlib>

namespace fixpoint::document {

void stop(const char* rule, const char* file, int line) {
  std::fprintf(stderr, "fixpoint: a rule of the harness is broken at %s:%d: %s\n", file, line, rule);
  std::abort();
}

}  // namespace fixpoint::document
