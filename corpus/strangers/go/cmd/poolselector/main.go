// Command poolselector runs the Pods of a team on the team's pool of nodes.
package main

import (
	"encoding/json"
	"fmt"

	"example.io/strangers/admission"
)

const (
	teamLabel = "pools.example.io/team"
	poolKey   = "pools.example.io/pool"
)

var pools = map[string]string{"data": "highmem", "ml": "gpu", "web": "general"}

const defaultPool = "general"

type pod struct {
	Metadata struct {
		Labels            map[string]string `json:"labels"`
		DeletionTimestamp *string           `json:"deletionTimestamp"`
	} `json:"metadata"`
	Spec struct {
		NodeSelector map[string]string `json:"nodeSelector"`
	} `json:"spec"`
}

func poolOf(team string) string {
	if pool, ok := pools[team]; ok {
		return pool
	}
	return defaultPool
}

func mutate(request *admission.Request) (patch []admission.Operation, err error) {
	var p pod
	if err := json.Unmarshal(request.Object, &p); err != nil {
		return nil, err
	}
	team, ok := p.Metadata.Labels[teamLabel]
	if !ok || p.Metadata.DeletionTimestamp != nil {
		return nil, nil
	}
	if pool, ok := p.Spec.NodeSelector[poolKey]; ok {
		if pool != poolOf(team) && request.Operation == "CREATE" {
			return nil, admission.Denied(fmt.Sprintf("team %s runs on the pool %s, not on %s", team, poolOf(team), pool))
		}
		return nil, nil
	}
	if p.Spec.NodeSelector == nil {
		patch = append(patch, admission.Operation{Op: "add", Path: "/spec/nodeSelector", Value: map[string]string{}})
	}
	return append(patch, admission.Operation{Op: "add", Path: "/spec/nodeSelector/" + admission.Escape(poolKey), Value: poolOf(team)}), nil
}

func main() { admission.Serve(mutate) }
