#include "harness/cli/properties_page.h"

#include <sstream>
#include <utility>

#include "harness/properties/observation_kinds.h"
#include "injectors/injector_catalog.h"

namespace fixpoint::cli {

namespace {

constexpr std::size_t kColumns = 110;

/// Breaks a paragraph into lines; all lines but the first begin with `indent`.
std::string paragraph(const std::string& text, const std::string& indent = "") {
  std::string out, line;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!line.empty() && line.size() + 1 + word.size() > kColumns) {
      out += line + "\n";
      line = indent + word;
    } else {
      line += (line.empty() ? "" : " ") + word;
    }
  }
  return out + line + "\n";
}

/// Returns the planted defect that only this property finds; empty if there is none.
std::string defect_for(std::string_view property) {
  for (const auto& injector : injectors::all())
    if (injectors::caught_by(injector) == property) return std::string(injector.name);
  return "";
}

template <class AnyProperty>
std::string section(const AnyProperty& property, const std::string& pack) {
  std::string out = "\n### " + std::string(property.name) + "\n\n" + paragraph(std::string(property.claim));
  if (!pack.empty())
    out += "\n" + paragraph("Of the pack " + pack + ": it applies to certain subjects only.");
  const properties::Explanation& more = property.explanation;
  const std::pair<const char*, std::string_view> parts[] = {
      {"For example", more.example}, {"In a cluster", more.matters}, {"Usual fix", more.fix}};
  out += "\n";
  for (const auto& [title, text] : parts)
    out += paragraph("- **" + std::string(title) + ":** " + std::string(text), "  ");
  const std::string defect = defect_for(property.name);
  return out + (defect.empty() ? "" : "- **Try it:** `./fixpoint fuzz " + defect + "`\n");
}

template <class Properties>
std::string sections(const char* title, const Properties& all, const properties::Catalog& catalog) {
  std::string out = "\n## " + std::string(title) + "\n";
  for (const auto* property : all) out += section(*property, std::string(catalog.pack_of(property->name)));
  return out;
}

}  // namespace

std::string properties_page(const properties::Catalog& catalog) {
  std::string out = "# Properties\n\n";
  out += paragraph(
      "Each property with its claim, an example of a violation, the harm in a cluster, and the usual fix. "
      "`fixpoint explain NAME` prints one of them. [judging.md](judging.md) says what all properties share.");
  out += "\n" + paragraph("This page is generated: `./fixpoint explain --markdown > docs/properties.md`.");
  out += sections("Of webhooks", catalog.of_cases(), catalog);
  out += sections("Of reconcilers", catalog.of_sequences(), catalog);
  out += "\n## Kinds of observations\n\n";
  out += paragraph(
      "An [observation](judging.md#observations) is true of a webhook and no defect; it fails no run.");
  out += "\n| kind | meaning |\n| --- | --- |\n";
  for (const auto& kind : properties::explained_observation_kinds())
    out += "| " + std::string(kind.name) + " | " + std::string(kind.meaning) + " |\n";
  return out;
}

}  // namespace fixpoint::cli
