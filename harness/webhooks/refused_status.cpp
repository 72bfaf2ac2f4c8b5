#include <algorithm>
#include <array>

#include "harness/document/server_text.h"
#include "harness/webhooks/webhook.h"

namespace fixpoint::webhooks {

namespace {

using document::Text;

/// The texts of NewGenericServerResponse in k8s.io/apimachinery/pkg/api/errors/errors.go.
struct StatusText {
  int code;
  Text text;
};
constexpr std::array<StatusText, 12> kStatusTexts{{
    {400, Text("the server rejected our request for an unknown reason")},
    {401, Text("the server has asked for the client to provide credentials")},
    {403, Text("{}")},
    {404, Text("the server could not find the requested resource")},
    {405, Text("the server does not allow this method on the requested resource")},
    {406, Text("{}")},
    {409, Text("the server reported a conflict")},
    {415, Text("{}")},
    {422, Text("the server rejected our request due to an error in our request")},
    {429, Text("the server has received too many requests and has asked us to try again later")},
    {503, Text("the server is currently unable to handle the request")},
    {504, Text("the server was unable to return a response in the time allotted, but may still be processing "
               "the request")},
}};

}  // namespace

std::string refused_status(int code, std::string_view body) {
  const auto* row = std::find_if(kStatusTexts.begin(), kStatusTexts.end(),
                                 [&](const StatusText& one) { return one.code == code; });
  if (row != kStatusTexts.end()) return row->text.with({body});
  if (code >= 500) {
    return Text("an error on the server ({}) has prevented the request from succeeding")
        .with({document::go_quoted(body)});
  }
  return Text("the server responded with the status code {} but did not return more information")
      .with({std::to_string(code)});
}

std::string refused_body(std::string_view kind) {
  return Text(
             "couldn't get version/kind; json parse error: json: cannot unmarshal {} into Go value of type "
             "{}")
      .with({kind, document::kGoKindStruct});
}

}  // namespace fixpoint::webhooks
