#pragma once

#include <set>
#include <string>
#include <string_view>

#include "harness/runner/learning/subject.h"

namespace fixpoint::runner {

/// Learns from what an observed program asked of the objects in its requests (harness/webhooks/observers):
/// keys of labels and annotations that it looked up, and the values, as a whole, with which a text would have
/// passed its comparison. `lines` are JSON:
///
///     {"in":"metadata.labels","key":"a.example.com/inject","text":"true"}
///     {"in":"metadata.labels","key":"","pattern":"[0-9]+","before":"dataset.","after":".id"}
///     {"in":"metadata.labels","key":"dataset.a","offered":true}
///     {"in":"metadata.annotations","key":"a.example.com/files","text":"a,a","grown":true}
///     {"of":"ConfigMap","in":"data","key":"settings.json"}
///
/// `of` is the kind of an object of its cluster. An empty key stands for the keys of the map. `offered` keys
/// pass a comparison of a key, but not always all: they are added to that set. A `grown` value has one part
/// more than the text had, which the program then compares: it is added to its set, and the first to make
/// room for others. A line of another form is passed over.
void learn_from_observed(Vocabulary& words, std::string_view lines, std::set<std::string>& offered,
                         std::set<std::string>& grown);

/// Takes out a key of labels or annotations of which the program did not ask for any value.
void forget_offered(Vocabulary& words, std::string_view key);

}  // namespace fixpoint::runner
