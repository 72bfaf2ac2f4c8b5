// Command shardassigner tells the workers of a pool which shard of the queue is theirs.
package main

import (
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"example.io/strangers/admission"
)

const (
	poolLabel = "shards.example.io/pool"
	variable  = "SHARD_INDEX"
	shards    = 16
)

type pod struct {
	Metadata struct {
		Labels map[string]string `json:"labels"`
	} `json:"metadata"`
	Spec struct {
		InitContainers []container `json:"initContainers"`
		Containers     []container `json:"containers"`
	} `json:"spec"`
}

type container struct {
	Env []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	} `json:"env"`
}

func (c container) shard() (string, bool) {
	for _, v := range c.Env {
		if v.Name == variable {
			return v.Value, true
		}
	}
	return "", false
}

type assigner struct {
	mutex sync.Mutex
	next  map[string]int
}

// assign goes round over the shards of a pool.
func (a *assigner) assign(pool string) string {
	a.mutex.Lock()
	defer a.mutex.Unlock()
	shard := a.next[pool] % shards
	a.next[pool]++
	return strconv.Itoa(shard)
}

func (a *assigner) mutate(request *admission.Request) (patch []admission.Operation, err error) {
	var p pod
	if err := json.Unmarshal(request.Object, &p); err != nil {
		return nil, err
	}
	pool := p.Metadata.Labels[poolLabel]
	if pool == "" {
		return nil, nil
	}
	lists := []struct {
		name       string
		containers []container
	}{{"initContainers", p.Spec.InitContainers}, {"containers", p.Spec.Containers}}

	// All containers of a Pod have one shard: the one that a container has already, else the next.
	shard, known := "", false
	for _, list := range lists {
		for _, c := range list.containers {
			if value, ok := c.shard(); ok && value != "" && !known {
				shard, known = value, true
			}
		}
	}
	if !known {
		shard = a.assign(pool)
	}
	for _, list := range lists {
		for i, c := range list.containers {
			if _, ok := c.shard(); ok {
				continue
			}
			path := fmt.Sprintf("/spec/%s/%d/env", list.name, i)
			if c.Env == nil {
				patch = append(patch, admission.Operation{Op: "add", Path: path, Value: []any{}})
			}
			patch = append(patch, admission.Operation{Op: "add", Path: path + "/-", Value: map[string]string{"name": variable, "value": shard}})
		}
	}
	return patch, nil
}

func main() {
	admission.Serve((&assigner{next: map[string]int{}}).mutate)
}
