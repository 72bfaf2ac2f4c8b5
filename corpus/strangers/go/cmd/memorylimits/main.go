// Command memorylimits bounds the memory of containers that have no limit of their own.
package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"example.io/strangers/admission"
)

const (
	defaultMebibytes = 512
	headroom         = 2 // a limit is at least twice the request
)

type container struct {
	Resources *struct {
		Limits   map[string]string `json:"limits"`
		Requests map[string]string `json:"requests"`
	} `json:"resources"`
}

type pod struct {
	Spec struct {
		Resources      json.RawMessage `json:"resources"`
		InitContainers []container     `json:"initContainers"`
		Containers     []container     `json:"containers"`
	} `json:"spec"`
}

var suffixes = []struct {
	text   string
	factor float64
}{{"Ki", 1.0 / 1024}, {"Mi", 1}, {"Gi", 1024}, {"Ti", 1024 * 1024}, {"k", 1e3 / (1 << 20)}, {"M", 1e6 / (1 << 20)}, {"G", 1e9 / (1 << 20)}, {"", 1.0 / (1 << 20)}}

func mebibytes(quantity string) int64 {
	for _, suffix := range suffixes {
		if !strings.HasSuffix(quantity, suffix.text) {
			continue
		}
		number, err := strconv.ParseInt(strings.TrimSuffix(quantity, suffix.text), 10, 64)
		if err != nil {
			return 0
		}
		return int64(float64(number) * suffix.factor)
	}
	return 0
}

func limits(list string, containers []container) (patch []admission.Operation) {
	for i, c := range containers {
		path := fmt.Sprintf("/spec/%s/%d/resources", list, i)
		limit := int64(defaultMebibytes)
		if c.Resources == nil {
			patch = append(patch, admission.Operation{Op: "add", Path: path, Value: map[string]any{}})
		} else if _, ok := c.Resources.Limits["memory"]; ok {
			continue
		} else if request := mebibytes(c.Resources.Requests["memory"]); request*headroom > limit {
			limit = request * headroom
		}
		if c.Resources == nil || c.Resources.Limits == nil {
			patch = append(patch, admission.Operation{Op: "add", Path: path + "/limits", Value: map[string]any{}})
		}
		patch = append(patch, admission.Operation{Op: "add", Path: path + "/limits/memory", Value: fmt.Sprintf("%dMi", limit)})
	}
	return patch
}

func mutate(request *admission.Request) ([]admission.Operation, error) {
	var p pod
	if err := json.Unmarshal(request.Object, &p); err != nil {
		return nil, err
	}
	if p.Spec.Resources != nil {
		return nil, nil // the Pod has a budget as a whole
	}
	return append(limits("initContainers", p.Spec.InitContainers), limits("containers", p.Spec.Containers)...), nil
}

func main() { admission.Serve(mutate) }
