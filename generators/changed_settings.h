#pragma once

#include "generators/draw_context.h"

namespace fixpoint::generators {

/// Changes one or two settings in a ConfigMap that the subject's chart brings along and the webhook reads, in
/// a quarter of the Cases: a boolean becomes the other one, an empty name of an object a name, and a text one
/// with which the program compares a member of its name. Other values stay: of those, an administrator's
/// mistake cannot be distinguished from a choice. The settings stand in
/// the ConfigMap's data, as such or inside a text that is JSON or YAML. Those of watched ConfigMaps are drawn
/// by `shared`, others by `choices`.
void change_settings(Case& value, const PreparedSubject& prepared_subject, Choices& shared, Choices& choices);

}  // namespace fixpoint::generators
