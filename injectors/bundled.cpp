#include "injectors/bundled.h"

#include "injectors/injector_catalog.h"
#include "injectors/packs.h"
#include "injectors/reconcilers.h"

namespace fixpoint::injectors {

const external::Bundled& bundled() {
  static const external::Bundled all{
      .resolve = [](std::string_view name) { return resolve(name); },
      .resolve_reconciler = [](std::string_view name) { return resolve_reconciler(name); },
      .draw_sequence = draw_sequence,
      .catalog = properties::Catalog(all_packs())};
  return all;
}

}  // namespace fixpoint::injectors
