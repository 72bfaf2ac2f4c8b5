#include "harness/runner/fingerprint.h"

#include <cstdio>

#include "harness/runner/learning/choices.h"

namespace fixpoint::runner {

std::string fingerprint_of(std::initializer_list<std::string_view> parts) {
  std::uint64_t hash = 0;
  for (std::string_view part : parts) {
    for (char c : part) hash = mix(hash, static_cast<unsigned char>(c));
    hash = mix(hash, 256);
  }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return std::string(text, 12);
}

}  // namespace fixpoint::runner
