#include "harness/external/backends/not_simulated.h"

#include <string_view>

namespace fixpoint::external {

namespace {

struct Row {
  std::string_view kind;
  std::string_view what;  ///< that the server does with it
};
constexpr Row kNotSimulated[] = {
    {"ValidatingWebhookConfiguration", "calls of validating webhooks without a backend"},
};
constexpr std::string_view kGroup = "admissionregistration.k8s.io/";

}  // namespace

std::optional<std::string> not_simulated(const document::Value& object) {
  if (!object["apiVersion"].text().starts_with(kGroup)) return std::nullopt;
  for (const Row& row : kNotSimulated) {
    if (object["kind"].text() == row.kind)
      return std::string(row.kind)
          .append(" \"")
          .append(object["metadata"]["name"].text())
          .append("\" (")
          .append(row.what)
          .append(")");
  }
  return std::nullopt;
}

}  // namespace fixpoint::external
