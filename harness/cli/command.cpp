#include "harness/cli/command.h"

#include <cstdio>
#include <cstdlib>

namespace fixpoint::cli {

using document::Error;

std::string invoked_as() {
  const char* said = std::getenv("FIXPOINT_INVOKED");
  return said != nullptr && *said != '\0' ? said : "fixpoint";
}

int bad_input(const std::string& message) {
  std::fprintf(stderr, "fixpoint: %s\n", message.c_str());
  return kBadInput;
}
int bad_input(const Error& error) { return bad_input(error.text()); }
int bad_input(const std::vector<Error>& errors) {
  for (const Error& error : errors) bad_input(error);
  return kBadInput;
}
int unopened_folder(const campaign::Unopened& unopened) {
  bad_input(unopened.error);
  return unopened.code;
}
int unfinished(const Error& error) {
  bad_input(error);
  return kUnfinished;
}

}  // namespace fixpoint::cli
