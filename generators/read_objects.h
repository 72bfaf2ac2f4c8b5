#pragma once

#include "generators/draw_context.h"

namespace fixpoint::generators {

/// As many successive Cases share the objects that a webhook watches, other than those of a plain namespace
/// of their own: an informer needs time to see a change.
inline constexpr std::uint64_t kCasesOfACluster = 32;
/// The Cases that stand side by side with the same objects of other namespaces and of none, as far as the
/// webhook does not watch them: each change of these makes all wait.
inline constexpr std::uint64_t kCasesOfSettings = 8;

/// Adds objects of the kinds that the subject reads through the API of its cluster, under names that it asks
/// for, some of them missing. Objects of the subject stay; objects that were drawn for another reason are
/// replaced unless `keeps_others`. Settings of the subject's ConfigMaps are changed in some Cases.
void draw_read_objects(Case& value, const PreparedSubject& prepared_subject, Choices& choices,
                       bool keeps_others);

}  // namespace fixpoint::generators
