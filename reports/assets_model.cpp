#include "reports/assets_model.h"

#include <regex>

#include "reports/assets.h"

namespace fixpoint::reports {

std::string without_assets(std::string html) {
  for (const std::string_view asset : {chart_script(), page_script(), page_style()})
    if (const auto at = html.find(asset); at != std::string::npos) html.replace(at, asset.size(), "…");
  html = std::regex_replace(html, std::regex("'sha256-[^']*'"), "'sha256-…'");
  return std::regex_replace(html, std::regex("<pre>[^<]*</pre></details></footer>"),
                            "<pre>…</pre></details></footer>");
}

}  // namespace fixpoint::reports
