#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/apiserver/cel/syntax.h"

namespace fixpoint::apiserver::cel {

/// Makes nodes with ids of one expression.
struct NodeMaker {
  int next_id = 1;
  NodePtr make(Node::Kind kind, int at);
  NodePtr literal(Datum value, int at);
  NodePtr identifier(const std::string& name, int at);
  NodePtr call(const std::string& function, std::vector<NodePtr> arguments, int at);
  NodePtr member_call(const std::string& function, NodePtr receiver, std::vector<NodePtr> arguments, int at);
  NodePtr list(std::vector<NodePtr> elements, int at);
  /// The same tree with ids of its own.
  NodePtr copy(const Node& node);
};

/// Expands a call that is a macro: `receiver` is null for a function. Returns the expansion, or null if it is
/// no macro of the dialect; an argument of the wrong form is an issue.
NodePtr expand_macro(NodeMaker& maker, const Dialect& dialect, const std::string& name,
                     const NodePtr& receiver, const std::vector<NodePtr>& arguments, int at,
                     std::vector<Issue>& issues);

}  // namespace fixpoint::apiserver::cel
