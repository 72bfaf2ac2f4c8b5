// A webhook that is a function from JSON to JSON, and its report as JSON.
#include <fixpoint/nlohmann.h>

#include <cstdio>
#include <string>

namespace {

nlohmann::json inject(nlohmann::json pod) {
  for (const auto& container : pod["spec"]["containers"]) {
    if (container.value("name", "") == "my-sidecar") return pod;
  }
  if (pod["metadata"].value("namespace", "") == "forbidden") throw fixpoint::Denied("no sidecars here");
  pod["spec"]["containers"].push_back({{"name", "my-sidecar"}, {"image", "sidecar:1"}});
  return pod;
}

}  // namespace

int main() {
  const fixpoint::Webhook own = fixpoint::on_json_object(inject);
  const nlohmann::json report = fixpoint::check(own, {.cases = 100});
  for (const nlohmann::json& finding : report["findings"])
    std::printf("%s\n", finding["evidence"]["message"].get<std::string>().c_str());

  const fixpoint::Case drawn = fixpoint::draw_case(1, 7, own);
  const nlohmann::json document = drawn;
  for (const std::string& loss : fixpoint::conversion_losses(drawn.text())) std::printf("%s\n", loss.c_str());
  const bool is_right = document.get<fixpoint::Case>() == drawn && report["acted"] > 0 &&
                        fixpoint::conversion_losses(R"({"a":1.50})").size() == 1;
  std::printf("%s\n", is_right ? "as expected" : "not as expected");
  return is_right ? 0 : 1;
}
