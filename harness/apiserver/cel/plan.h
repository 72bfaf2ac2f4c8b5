#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/apiserver/cel/cel.h"
#include "harness/apiserver/cel/cost.h"
#include "harness/apiserver/cel/functions.h"
#include "harness/apiserver/cel/syntax.h"

// The steps of an evaluation. Their cut is that of the server's interpreter (cel-go/interpreter), since the
// cost of an evaluation depends on it.
namespace fixpoint::apiserver::cel {

/// The state that an evaluation changes.
struct Frame {
  const Activation& activation;
  CostTracker tracker;
  std::vector<Datum> slots;   ///< variables of folds
  std::vector<char> is_open;  ///< accumulators that have their first value
};

struct Step {
  explicit Step(int of) : id(of) {}
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  virtual ~Step() = default;
  /// Evaluates and charges.
  virtual Datum run(Frame& frame) const = 0;
  virtual int value_id() const { return id; }
  virtual const Datum* constant() const { return nullptr; }
  int id;
};
using StepPtr = std::shared_ptr<Step>;

struct Attribute;
using AttributePtr = std::shared_ptr<Attribute>;

/// A step along an attribute: a constant key, or one that is computed.
struct Qualifier {
  int id = 0;
  bool is_optional = false;
  bool is_test = false;  ///< of has()
  Datum key = {};
  AttributePtr computed = {};
};
using QualifierPtr = std::shared_ptr<const Qualifier>;

/// A variable, a step's value or a choice, and the members that are selected from it.
struct Attribute {
  enum class Base { variable, slot, accumulator, step, choice };
  Base base = Base::variable;
  int base_id = 0;
  std::size_t index = 0;           ///< of the variable or the slot
  StepPtr step = {};               ///< the operand, the condition, or the first value of the accumulator
  AttributePtr yes = {}, no = {};  ///< of a choice
  std::vector<QualifierPtr> qualifiers = {};

  int id() const;
  void add(const QualifierPtr& qualifier);
  /// The value, or an error. The steps along the way are charged, the attribute itself is not.
  Datum resolve(Frame& frame) const;
};

struct ConstantStep : Step {
  ConstantStep(int of, Datum is) : Step(of), value(std::move(is)) {}
  Datum run(Frame& frame) const override {
    frame.tracker.push(value, id);
    return value;
  }
  const Datum* constant() const override { return &value; }
  Datum value;
};

struct AttributeStep : Step {
  explicit AttributeStep(AttributePtr of) : Step(0), attribute(std::move(of)) {}
  Datum run(Frame& frame) const override;
  int value_id() const override { return is_test ? id : attribute->id(); }
  AttributePtr attribute;
  bool is_test = false;
};

/// The steps of a checked syntax tree; or null with what the server says when it makes a program of it, or
/// with what is not supported yet.
StepPtr plan_steps(const Node& root, std::size_t ids, std::size_t& slots, std::string& error,
                   std::string& unsupported);

/// Member access as an attribute does it: `found` is false and the value an error if there is none.
Datum qualify(const Datum& object, const Datum& key, bool is_presence_test, bool& found);

struct Program::Plan {
  StepPtr root;
  std::size_t ids = 0;
  std::vector<int> places = {};  ///< in the source, by the ids of steps
  std::size_t slots = 0;
  bool reads_old_self = false;
  TypePtr type;
};

}  // namespace fixpoint::apiserver::cel
