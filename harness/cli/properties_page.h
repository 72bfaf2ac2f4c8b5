#pragma once

#include <string>

#include "harness/properties/packs/pack.h"

namespace fixpoint::cli {

/// Returns the text of docs/properties.md: every property of the catalog with its claim and its explanation,
/// then the kinds of observations. Markdown in lines of at most 110 columns, except in tables.
std::string properties_page(const properties::Catalog& catalog);

}  // namespace fixpoint::cli
