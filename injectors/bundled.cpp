#include "injectors/bundled.h"

#include "injectors/injector_catalog.h"
#include "injectors/packs.h"
#include "injectors/reconcilers.h"

namespace fixpoint::injectors {

namespace {

webhooks::Resolve resolve_with_families() {
  webhooks::Resolve all = [](std::string_view name) { return resolve(name); };
  all.family = family_of;
  return all;
}

document::Value configuration_of(std::string_view injector) {
  const auto subject = find_subject(injector);
  return subject ? subject->configuration : document::Value();
}

}  // namespace

const external::Bundled& bundled() {
  static const external::Bundled all{
      .resolve = resolve_with_families(),
      .resolve_reconciler = [](std::string_view name) { return resolve_reconciler(name); },
      .draw_sequence = draw_sequence,
      .configuration = configuration_of,
      .catalog = properties::Catalog(all_packs())};
  return all;
}

}  // namespace fixpoint::injectors
