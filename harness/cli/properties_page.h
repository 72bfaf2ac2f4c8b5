#pragma once

#include <string>

#include "harness/properties/pack.h"

namespace fixpoint::cli {

/// docs/properties.md: every property of the catalog with its claim and its explanation, then the kinds of
/// observations. Markdown in lines of at most 110 columns, tables aside.
std::string properties_page(const properties::Catalog& catalog);

}  // namespace fixpoint::cli
