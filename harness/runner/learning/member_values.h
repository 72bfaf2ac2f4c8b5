#pragma once

#include "harness/runner/learning/program_lines.h"
#include "harness/runner/learning/subject.h"

namespace fixpoint::runner {

/// Learns the values with which a program compares members of an object: `spec.get("mode") == "socket"`,
/// `cr.Spec.Mode == ModeSocket`, `switch spec.mode { case "socket": …`, each by the name of the member. The
/// object may be of any kind: the generator looks for members of that name in its schema.
void learn_member_values(Vocabulary& words, const ProgramLines& lines);

/// Learns a value of a member.
void learn_member_value(Vocabulary& words, std::string_view member, std::string_view value);

/// Returns the values of a member, whatever its spelling: `agentMode`, `AgentMode` and `agent_mode` are one.
const std::vector<std::string>* values_of_member(const Vocabulary& words, std::string_view name);

/// Learns the words of a program that has few of them: most of a small program's are members that it walks
/// through. A large one names nearly every member of a definition.
void learn_named_members(Vocabulary& words, const ProgramLines& lines);

/// Returns true if the program names a member, whatever its spelling.
bool names_member(const Vocabulary& words, std::string_view name);

}  // namespace fixpoint::runner
