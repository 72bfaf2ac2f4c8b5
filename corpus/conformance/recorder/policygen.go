package main

import (
	"fmt"
	"strings"
)

const (
	teamParams  = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"team-a","namespace":"default","labels":{"team":"a"}},"data":{"team":"a","registry":"mirror.example.io"}}`
	moreParams  = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"team-b","namespace":"default","labels":{"team":"b"}},"data":{"team":"b"}}`
	otherParams = `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"team-a","namespace":"other"},"data":{"team":"other"}}`
	limitKind   = `{"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition","metadata":{"name":"limits.example.io"},"spec":{"group":"example.io","scope":"Cluster","names":{"kind":"Limit","plural":"limits","singular":"limit"},"versions":[{"name":"v1","served":true,"storage":true}]}}`
	wideLimit   = `{"apiVersion":"example.io/v1","kind":"Limit","metadata":{"name":"wide","labels":{"team":"a"}},"data":{"team":"wide"},"spec":{"max":3,"names":["x","y"]}}`
	readerRole  = `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"reader"},"rules":[{"apiGroups":[""],"resources":["secrets"],"verbs":["get"]}]}`
	readerBound = `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"readers"},"roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"reader"},"subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"alice"}]}`
)

// policyVersion is the newest version of policies that the release serves, and whether it needs the feature gate.
func policyVersion() (string, bool) {
	switch releaseMinor() {
	case "1.32", "1.33":
		return "v1alpha1", true
	case "1.34", "1.35":
		return "v1beta1", true
	}
	return "v1", false
}

// policyCase draws a Case with one to three policies: an admission with webhooks and plugins, which the policies join.
func (d *drawer) policyCase(name string) *draft {
	var c *draft
	if d.chance(35) {
		c = d.admitCase(name)
		c.Faults = nil
	} else {
		pod := d.pod(pick(d, 0, 0, 1, 1, 2), 0)
		metadata := pod["metadata"].(object)
		delete(metadata, "namespace")
		if metadata["labels"] == nil && d.chance(80) {
			metadata["labels"] = object{"app": "web"}
		}
		c = newDraft(name, pod)
		if d.chance(25) {
			c.plugins(allPlugins...).objects(limitRange)
		}
		if d.chance(20) {
			c.objects(labelledSpace)
		}
	}
	if d.chance(20) {
		c.Request["managedFields"] = false
	}
	if d.chance(25) {
		c.Request["userInfo"] = object{"username": pick(d, "alice", "bob"), "groups": pick(d, []any{"devs"}, []any{"system:masters"}, []any{})}
		c.objects(readerRole, readerBound)
	}
	if d.chance(30) {
		c.objects(teamParams)
	}
	if d.chance(15) {
		c.objects(moreParams, otherParams)
	}
	if d.chance(15) {
		c.objects(limitKind, wideLimit)
	}
	names := []string{}
	for i := range pick(d, 1, 1, 1, 2, 2, 3) {
		name := fmt.Sprintf("%s%d", pick(d, "alpha", "label", "zeta"), i)
		names = append(names, name)
		d.policy(c, name)
	}
	if d.chance(40) {
		d.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		c.Cluster.PolicyOrder = names[:1+d.Intn(len(names))]
	}
	if _, gated := policyVersion(); gated && d.chance(95) {
		c.Cluster.FeatureGates = []string{"MutatingAdmissionPolicy"}
	}
	return c
}

func policyObject(kind, name string, spec object) object {
	version, _ := policyVersion()
	return object{"apiVersion": "admissionregistration.k8s.io/" + version, "kind": kind, "metadata": object{"name": name}, "spec": spec}
}

// policy draws a policy with its bindings.
func (d *drawer) policy(c *draft, name string) {
	spec := object{"matchConstraints": d.matchResources(c, true), "reinvocationPolicy": pick(d, "Never", "IfNeeded", "IfNeeded")}
	if d.chance(60) {
		spec["failurePolicy"] = pick(d, "Fail", "Ignore")
	}
	e := &expressions{drawer: d}
	if d.chance(22) {
		spec["paramKind"] = pick(d, object{"apiVersion": "v1", "kind": "ConfigMap"}, object{"apiVersion": "v1", "kind": "ConfigMap"}, object{"apiVersion": "example.io/v1", "kind": "Limit"}, object{"apiVersion": "v1", "kind": "Unknown"})
		e.params = true
	}
	if d.chance(30) {
		variables := []any{}
		for i := range 1 + d.Intn(2) {
			expression := e.variable()
			variables = append(variables, object{"name": fmt.Sprintf("v%d", i), "expression": expression})
			e.variables++
		}
		spec["variables"] = variables
	}
	if d.chance(25) {
		conditions := []any{}
		for i := range pick(d, 1, 1, 2) {
			conditions = append(conditions, object{"name": fmt.Sprintf("c%d", i), "expression": e.condition()})
		}
		spec["matchConditions"] = conditions
	}
	mutations := []any{}
	for range pick(d, 1, 1, 1, 2, 3) {
		if d.chance(60) {
			mutations = append(mutations, object{"patchType": "ApplyConfiguration", "applyConfiguration": object{"expression": e.applied()}})
		} else {
			mutations = append(mutations, object{"patchType": "JSONPatch", "jsonPatch": object{"expression": e.patched()}})
		}
	}
	spec["mutations"] = mutations
	c.Cluster.Objects = append(c.Cluster.Objects, policyObject("MutatingAdmissionPolicy", name, spec))
	for i := range pick(d, 1, 1, 1, 1, 2, 0) {
		binding := object{"policyName": name}
		if e.params && d.chance(90) {
			binding["paramRef"] = d.paramRef()
		}
		if d.chance(15) {
			binding["matchResources"] = d.matchResources(c, false)
		}
		c.Cluster.Objects = append(c.Cluster.Objects, policyObject("MutatingAdmissionPolicyBinding", fmt.Sprintf("%s-%d", name, i), binding))
	}
}

func (d *drawer) paramRef() object {
	reference := object{"parameterNotFoundAction": pick(d, "Allow", "Deny")}
	if d.chance(60) {
		reference["name"] = pick(d, "team-a", "team-a", "team-b", "wide", "missing")
	} else {
		reference["selector"] = parse(pick(d, `{}`, `{"matchLabels":{"team":"a"}}`, `{"matchExpressions":[{"key":"team","operator":"Exists"}]}`, `{"matchLabels":{"team":"none"}}`))
	}
	if d.chance(25) {
		reference["namespace"] = pick(d, "default", "other", "none")
	}
	return reference
}

func (d *drawer) matchResources(c *draft, needsRules bool) object {
	rule := podRule(pick(d, []any{"CREATE", "UPDATE"}, []any{"CREATE", "UPDATE"}, []any{"*"}, []any{"CREATE"}, []any{"UPDATE"})...)
	if d.chance(8) {
		rule["resources"] = pick(d, []any{"*"}, []any{"pods/*"}, []any{"*/*"}, []any{"services"}, []any{"pods", "pods/resize"})
	}
	if d.chance(5) {
		rule["resourceNames"] = pick(d, []any{"web"}, []any{"other", "main"})
	}
	if d.chance(5) {
		rule["scope"] = pick(d, "Namespaced", "Cluster", "*")
	}
	if c.Request["subResource"] != nil && d.chance(80) {
		rule["resources"] = []any{"pods/*"}
	}
	resources := object{}
	if needsRules || d.chance(50) {
		resources["resourceRules"] = []any{rule}
	}
	if d.chance(6) {
		resources["excludeResourceRules"] = []any{podRule(pick(d, "CREATE", "UPDATE"))}
	}
	if d.chance(10) {
		resources["objectSelector"] = parse(pick(d, `{"matchLabels":{"app":"web"}}`, `{"matchExpressions":[{"key":"injected","operator":"DoesNotExist"}]}`, `{"matchLabels":{"app":"other"}}`))
	}
	if d.chance(10) {
		resources["namespaceSelector"] = parse(pick(d, `{"matchLabels":{"team":"a"}}`, `{"matchExpressions":[{"key":"team","operator":"DoesNotExist"}]}`, `{"matchLabels":{"kubernetes.io/metadata.name":"default"}}`))
	}
	if d.chance(10) {
		resources["matchPolicy"] = pick(d, "Exact", "Equivalent")
	}
	return resources
}

// policyQuestion draws until the release can be asked: a few answers depend on the order of a map in Go.
func (d *drawer) policyQuestion(name string) (*draft, error) {
	for range 100 {
		c := d.policyCase(name)
		v := &vector{Kind: "admit", Case: raw(c)}
		err := answer(v)
		if err == nil {
			return c, nil
		}
		if !strings.HasPrefix(err.Error(), "the answer changes") {
			return nil, fmt.Errorf("%w: %s", err, v.Case)
		}
	}
	return nil, fmt.Errorf("nothing drawn can be asked")
}
