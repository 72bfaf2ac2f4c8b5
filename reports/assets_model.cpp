#include "reports/assets_model.h"

#include "harness/patterns_model.h"
#include "reports/assets.h"

namespace fixpoint::reports {

std::string without_assets(std::string html) {
  for (const std::string_view asset : {chart_script(), page_script(), page_style()})
    if (const auto at = html.find(asset); at != std::string::npos) html.replace(at, asset.size(), "…");
  html = replaced(html, "'sha256-[^']*'", "'sha256-…'");
  return replaced(html, "<pre>[^<]*</pre></details></footer>", "<pre>…</pre></details></footer>");
}

}  // namespace fixpoint::reports
