#include "harness/apiserver/validation/older_texts.h"

#include "harness/document/server_text.h"

namespace fixpoint::apiserver::validation {

namespace {

using document::Text;

/// A text, or a part of several, of which earlier minors have other words. Texts before 1.34 are not
/// compared: those minors print values otherwise, too.
struct OlderText {
  int since;
  Text now, before;
};
constexpr OlderText kOlderTexts[] = {
    {36, Text("must be 'NotRequired' when pod `restartPolicy` is 'Never'"),
     Text("must be 'NotRequired' when `restartPolicy` is 'Never'")},
    {35,
     Text("must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or "
          "`fileKeyRef`"),
     Text("must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`")},
    {35, Text("a valid label key must consist of"), Text("a qualified name must consist of")},
    {35, Text("must be no more than 63 bytes"), Text("must be no more than 63 characters")},
    {35, Text("prefix part must be no more than 253 bytes"),
     Text("prefix part must be no more than 253 characters")},
};

}  // namespace

std::string as_said_in(int minor, std::string message) {
  for (const OlderText& row : kOlderTexts) {
    if (minor >= row.since) continue;
    const auto place = message.rfind(row.now.words());
    if (place != std::string::npos) message.replace(place, row.now.words().size(), row.before.words());
  }
  return message;
}

}  // namespace fixpoint::apiserver::validation
