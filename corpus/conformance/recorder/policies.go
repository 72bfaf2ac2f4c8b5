package main

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/endpoints/handlers/responsewriters"
)

// policyRecord is one evaluation of a policy for a binding and a param, whose match conditions held.
type policyRecord struct {
	Pass    int      `json:"pass"`
	Policy  string   `json:"policy"`
	Binding string   `json:"binding"`
	Param   string   `json:"param"` // namespace/name or name; empty without a param
	Changed bool     `json:"changed"`
	Errors  []string `json:"errors,omitempty"` // of its mutations, in order
}

// policyRun is the plugin of the admission policies for one request.
type policyRun interface {
	admission.MutationInterface
	listed() []policyRecord
	refused(err error) bool
	close()
}

// policyRepetitions is how often a Case with policies is asked: one whose answer depends on Go's order of maps is refused.
const policyRepetitions = 8

// admitSteadily asks until the answer has proved not to change, which only policies can make it.
func admitSteadily(document *caseDocument, judges bool) (*outcome, error) {
	first, policies, err := admit(document, judges)
	if err != nil || !policies {
		return first, err
	}
	text := mustEncode(first)
	for range policyRepetitions - 1 {
		next, _, err := admit(document, judges)
		if err != nil {
			return nil, err
		}
		if again := mustEncode(next); !bytes.Equal(text, again) {
			return nil, fmt.Errorf("the answer changes: %s and %s", bytes.TrimSpace(text), bytes.TrimSpace(again))
		}
	}
	return first, nil
}

// quotePolicies adds what each policy says. Of several, the first one's words are the message; an error of the server
// stands alone.
func (s *statusSummary) quotePolicies(err error) {
	status := responsewriters.ErrorToAPIStatus(err)
	s.Message, _, _ = strings.Cut(inOrder(status.Message), "\n")
	if status.Code >= 500 || status.Details == nil {
		return
	}
	for _, cause := range status.Details.Causes {
		s.Causes = append(s.Causes, inOrder(cause.Message))
	}
}

var (
	wrongTypes   = regexp.MustCompile(`(?m)^(.*?)(unexpected type name .*(?:\nunexpected type name .*)+)`)
	wrongFields  = regexp.MustCompile(`(errors:\n)((?:  .*\n?)+)`)
	atomicFields = regexp.MustCompile(`(may not mutate atomic arrays, maps or structs: )(.*)`)
)

// inOrder sorts the lists in a message that the server writes in the order of a Go map. The blank that protobuf puts
// behind its name is one or another by the program's hash.
func inOrder(text string) string {
	text = strings.ReplaceAll(text, "\u00a0", " ")
	for pattern, separator := range map[*regexp.Regexp]string{wrongTypes: "\n", wrongFields: "\n", atomicFields: ", "} {
		text = pattern.ReplaceAllStringFunc(text, func(match string) string {
			parts := pattern.FindStringSubmatch(match)
			items := strings.Split(parts[2], separator)
			slices.Sort(items)
			return parts[1] + strings.Join(items, separator)
		})
	}
	return text
}
