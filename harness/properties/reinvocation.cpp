#include "harness/properties/reinvocation.h"

namespace fixpoint::properties {

namespace {

using apiserver::CallResult;

bool visit_pair(const Examination& examination, const FirstCall& f, const FirstCall& g, const Value& x,
                const CallResult& f_of_x, const std::function<void(const Reinvocation&)>& visit) {
  WebhookCaller caller(examination);
  caller.skip(f.webhook);
  if (!is_called(examination, g.webhook, f_of_x.after) || !is_called(examination, g.webhook, x)) return false;
  const CallResult g_of_f = caller.call(g.webhook, f_of_x.after);
  if (!went_well(g_of_f) || !g_of_f.changed || !is_called(examination, f.webhook, g_of_f.after)) return false;
  const CallResult again = caller.call(f.webhook, g_of_f.after);
  WebhookCaller other(examination);
  const CallResult g_of_x = other.call(g.webhook, x);
  if (!went_well(g_of_x) || !is_called(examination, f.webhook, g_of_x.after)) return false;
  const CallResult late = other.call(f.webhook, g_of_x.after);
  if (!went_well(late)) return false;
  visit({f.webhook, f_of_x.after, g_of_f.after, again, g_of_x.after, late});
  return true;
}

}  // namespace

bool for_each_reinvocation(const Examination& examination,
                           const std::function<void(const Reinvocation&)>& visit) {
  const auto calls = first_calls(examination);
  const Value& x = examination.admission.first;
  bool asked = false;
  for (const FirstCall& f : calls) {
    if (!f.webhook.if_needed || calls.size() < 2 || !is_called(examination, f.webhook, x)) continue;
    const CallResult f_of_x = call_afresh(examination, f.webhook, x);
    if (!went_well(f_of_x)) continue;
    for (const FirstCall& g : calls) {
      if (&g != &f && visit_pair(examination, f, g, x, f_of_x, visit)) asked = true;
    }
  }
  return asked;
}

}  // namespace fixpoint::properties
