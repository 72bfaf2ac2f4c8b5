package main

import (
	"encoding/json"
	"sort"
	"strconv"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
)

const (
	mutationPrefix   = "mutation.webhook.admission.k8s.io/"
	failedOpenPrefix = "failed-open.mutation.webhook.admission.k8s.io/"
)

// listCalls reads the calls off the audit annotations the dispatcher writes, one for each call.
func listCalls(answer *outcome, webhooks map[string]*scriptedWebhook, admitErr error, c *cluster) []callRecord {
	calls := []callRecord{}
	for key, value := range answer.AuditAnnotations {
		place, found := strings.CutPrefix(key, mutationPrefix)
		if !found {
			continue
		}
		var said struct {
			Configuration, Webhook string
			Mutated                bool
		}
		if err := json.Unmarshal([]byte(value), &said); err != nil {
			panic(err)
		}
		numbers := strings.Split(place, "_")
		round, _ := strconv.Atoi(numbers[1])
		index, _ := strconv.Atoi(numbers[3])
		call := callRecord{Pass: round + 1, Webhook: said.Configuration + "/" + said.Webhook, Index: index, Changed: said.Mutated, Patch: json.RawMessage("null")}
		if _, failedOpen := answer.AuditAnnotations[failedOpenPrefix+place]; failedOpen {
			call.Error = "ignored"
		}
		calls = append(calls, call)
	}
	sort.Slice(calls, func(i, j int) bool {
		if calls[i].Pass != calls[j].Pass {
			return calls[i].Pass < calls[j].Pass
		}
		return calls[i].Index < calls[j].Index
	})
	numbers := map[string]int{}
	for i := range calls {
		webhook := webhooks[calls[i].Webhook]
		webhook.mutex.Lock()
		if numbers[webhook.name] < len(webhook.calls) {
			numbers[webhook.name]++
			if patch, found := webhook.sent[numbers[webhook.name]]; found {
				calls[i].Patch = patch
			}
		}
		webhook.mutex.Unlock()
	}
	if admitErr == nil {
		return calls
	}
	status := responsewriters.ErrorToAPIStatus(admitErr)
	switch last := len(calls) - 1; {
	case failedCondition != "":
		calls = append(calls, c.conditionRecord(failedCondition, answer.Passes, calls))
	case last < 0 || calls[last].Pass != answer.Passes:
		// rejected before the first webhook of this pass
	case c.isOfSelector(status.Message, calls[last].Index):
		// rejected while the next webhook was matched
	case strings.HasPrefix(status.Message, "admission webhook ") && strings.Contains(status.Message, "does not support dry run"):
		calls[last].Error = "dry-run"
	case strings.HasPrefix(status.Message, "admission webhook "):
		calls[last].Error = "denied"
	case strings.HasPrefix(status.Message, "Internal error occurred: failed calling webhook "):
		calls[last].Error = "call"
	case status.Reason == metav1.StatusReasonInternalError:
		calls[last].Error = "internal"
	}
	return calls
}

// conditionRecord finds the webhook of that name that comes after the last call of this pass.
func (c *cluster) conditionRecord(name string, pass int, calls []callRecord) callRecord {
	after := -1
	if n := len(calls); n > 0 && calls[n-1].Pass == pass {
		after = calls[n-1].Index
	}
	sort.Slice(c.webhooks, func(i, j int) bool { return c.webhooks[i].Name < c.webhooks[j].Name })
	index := -1
	for _, configuration := range c.webhooks {
		for _, webhook := range configuration.Webhooks {
			if index++; index > after && webhook.Name == name {
				return callRecord{Pass: pass, Webhook: configuration.Name + "/" + name, Index: index, Patch: json.RawMessage("null"), Error: "condition"}
			}
		}
	}
	panic("no webhook " + name)
}
