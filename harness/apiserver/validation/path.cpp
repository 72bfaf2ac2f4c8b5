#include "harness/apiserver/validation/path.h"

namespace fixpoint::apiserver::validation {

void Path::append_to(std::string& out) const {
  if (parent_ != nullptr) parent_->append_to(out);
  if (index_ != kNoIndex) {
    out.append("[").append(std::to_string(index_)).append("]");
  } else if (is_key_ || name_.empty()) {
    out.append("[").append(name_).append("]");
  } else {
    if (parent_ != nullptr) out += '.';
    out += name_;
  }
}

std::string Path::text() const {
  std::string out;
  append_to(out);
  return out;
}

}  // namespace fixpoint::apiserver::validation
