package main

import (
	"fmt"
	"strings"
)

// expressions draws CEL for the places of a policy.
type expressions struct {
	*drawer
	params    bool
	variables int // v0, v1, … are declared
}

// text draws an expression that is a string, most of the time.
func (e *expressions) text() string {
	if e.variables > 0 && e.chance(30) {
		return fmt.Sprintf("string(variables.v%d)", e.Intn(e.variables))
	}
	if e.params && e.chance(35) {
		return pick(e.drawer, "params.data.team", "params.data['team']", "params.metadata.name", "params.?data.?registry.orValue('none')", "params == null ? 'none' : params.metadata.name", "string(params.spec.max)")
	}
	return pick(e.drawer, "'x'", "'yes'", "'v1'", "object.metadata.name", "object.spec.containers[0].image", "object.spec.containers[0].name",
		"string(object.spec.containers.size())", "object.metadata.?labels['app'].orValue('none')", "object.metadata.labels['app']", "object.?metadata.?generateName.orValue('')",
		"request.namespace", "request.userInfo.username", "request.operation.lowerAscii()", "namespaceObject.metadata.name", "namespaceObject.metadata.?labels['team'].orValue('none')",
		"string(has(object.metadata.annotations))", "object.spec.containers.map(c, c.name).join('-')", "oldObject == null ? 'new' : 'old'", "string(request.dryRun)",
		"string(object.spec.?priority.orValue(0))", "object.spec.serviceAccountName", "object.spec.restartPolicy", "object.spec.containers[9].name", "string(1 / object.spec.containers[0].?ports.orValue([]).size())",
		"authorizer.group('').resource('secrets').check('get').allowed() ? 'may' : 'must-not'", "string(authorizer.requestResource.check('create').allowed())", "dyn(1)", "'UPPER case'")
}

func (e *expressions) condition() string {
	return pick(e.drawer, "true", "false", "object.spec.containers.size() < 2", "!object.spec.containers.exists(c, c.name == 'proxy')", "has(object.metadata.labels)",
		"'app' in object.metadata.labels", "object.metadata.labels['none'] == 'x'", "oldObject == null", "request.operation == 'CREATE'", "request.userInfo.username == 'alice'",
		"!has(object.metadata.annotations) || !('a' in object.metadata.annotations)", "authorizer.group('').resource('secrets').check('get').allowed()",
		"object.spec.?hostNetwork.orValue(false)", "object.spec.containers.all(c, c.image.startsWith('nginx'))", "namespaceObject.metadata.?labels['team'].orValue('') == 'a'",
		e.text()+" == 'x'", e.text()+" != ''")
}

func (e *expressions) variable() string {
	return pick(e.drawer, e.text(), "object.spec.containers.size()", "object.spec.containers.filter(c, has(c.resources)).size()", e.condition(), "object.metadata.labels['none']", "1 / 0")
}

// field is one member of an Object{} with its type's path, or a list of its elements.
func (e *expressions) field() (string, string) {
	text := e.text()
	container := func(kind string) string {
		parts := []string{"name: " + pick(e.drawer, "'main'", "'proxy'", "'agent'", "object.spec.containers[0].name", text)}
		if e.chance(70) {
			parts = append(parts, "image: "+pick(e.drawer, "'proxy:1'", "'agent'", "'mirror.example.io/' + object.spec.containers[0].image", text))
		}
		if e.chance(30) {
			parts = append(parts, "env: ["+e.elements(2, func() string {
				return "Object.spec." + kind + ".env{name: " + pick(e.drawer, "'A'", "'B'") + ", value: " + e.text() + "}"
			})+"]")
		}
		if e.chance(20) {
			parts = append(parts, "ports: [Object.spec."+kind+".ports{containerPort: "+pick(e.drawer, "80", "8080")+pick(e.drawer, "", ", protocol: 'TCP'", ", protocol: 'UDP'", ", name: 'web'")+"}]")
		}
		if e.chance(15) {
			parts = append(parts, "securityContext: Object.spec."+kind+".securityContext{"+pick(e.drawer, "privileged: false", "allowPrivilegeEscalation: false", "runAsNonRoot: true", "runAsUser: 1000")+"}")
		}
		if e.chance(15) {
			parts = append(parts, "resources: Object.spec."+kind+".resources{"+pick(e.drawer, "limits: {'cpu': '1'}", "requests: {'memory': '64Mi'}", "limits: {'cpu': quantity('1')}")+"}")
		}
		if e.chance(10) {
			parts = append(parts, "volumeMounts: [Object.spec."+kind+".volumeMounts{name: 'data', mountPath: '/data'}]")
		}
		if e.chance(4) {
			parts = append(parts, pick(e.drawer, "args: ['x']", "nope: 1", "command: []", "image: 1"))
		}
		return "Object.spec." + kind + "{" + strings.Join(parts, ", ") + "}"
	}
	labels := func(at string) string {
		return pick(e.drawer, "Object.metadata."+at+"{"+pick(e.drawer, "a", "b", "injected")+": "+text+"}", "{"+pick(e.drawer, "'a'", "'b'", "'example.io/x'")+": "+text+"}", "{'a': 'x', 'b': 'y'}")
	}
	switch e.Intn(20) {
	case 0, 1, 2, 3:
		return "metadata", "labels: " + labels("labels")
	case 4, 5:
		return "metadata", "annotations: " + labels("annotations")
	case 6, 7, 8, 9:
		return "spec", "containers: [" + e.elements(2, func() string { return container("containers") }) + "]"
	case 10:
		return "spec", "initContainers: [" + container("initContainers") + "]"
	case 11:
		return "spec", pick(e.drawer, "?initContainers: optional.none()", "?hostname: object.spec.?hostname", "?priorityClassName: optional.of('high')", "?serviceAccountName: object.spec.?nodeName")
	case 12:
		return "spec", "volumes: [Object.spec.volumes{name: " + pick(e.drawer, "'data'", "'v'") + ", emptyDir: Object.spec.volumes.emptyDir{}}]"
	case 13:
		return "spec", "containers: object.spec.containers.map(c, Object.spec.containers{name: c.name, " + pick(e.drawer, "imagePullPolicy: 'Always'", "image: 'mirror.example.io/' + c.image", "env: [Object.spec.containers.env{name: 'A', value: "+text+"}]") + "})"
	case 14:
		return "spec", "securityContext: Object.spec.securityContext{" + pick(e.drawer, "runAsNonRoot: true", "fsGroup: 5", "runAsUser: 1000", "seccompProfile: Object.spec.securityContext.seccompProfile{type: 'RuntimeDefault'}", "supplementalGroups: [1]") + "}"
	case 15:
		return "spec", pick(e.drawer, "imagePullSecrets: [Object.spec.imagePullSecrets{name: 'reg'}]", "hostAliases: [Object.spec.hostAliases{ip: '10.0.0.1', hostnames: ['a']}]", "schedulingGates: [Object.spec.schedulingGates{name: 'example.io/g'}]",
			"topologySpreadConstraints: [Object.spec.topologySpreadConstraints{maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule'}]")
	case 16:
		return "spec", pick(e.drawer, "priorityClassName: 'high'", "terminationGracePeriodSeconds: 5", "terminationGracePeriodSeconds: '5'", "hostNetwork: true", "schedulerName: "+text, "serviceAccountName: 'quiet'", "activeDeadlineSeconds: 0", "enableServiceLinks: false", "runtimeClassName: 'gvisor'")
	case 17:
		return "spec", pick(e.drawer, "nodeSelector: {'disk': "+text+"}", "nodeSelector: Object.spec.nodeSelector{disk: 'ssd'}", "overhead: {'cpu': '10m'}")
	case 18:
		return "spec", pick(e.drawer, "tolerations: [Object.spec.tolerations{key: 'a', operator: 'Exists'}]", "tolerations: []", "affinity: Object.spec.affinity{}", "dnsConfig: Object.spec.dnsConfig{nameservers: ['1.1.1.1']}")
	}
	return "spec", pick(e.drawer, "nope: 'x'", "containers: 'x'", "securityContext: Object.spec.wrong{}", "containers: null", "hostname: null", "containers: [Object.spec.initContainers{name: 'x'}]", "volumes: [dyn(1)]")
}

func (e *expressions) elements(most int, draw func() string) string {
	parts := []string{}
	for range 1 + e.Intn(most) {
		parts = append(parts, draw())
	}
	return strings.Join(parts, ", ")
}

// applied draws the expression of an ApplyConfiguration.
func (e *expressions) applied() string {
	configuration := func() string {
		held := map[string][]string{}
		for range pick(e.drawer, 1, 1, 1, 2) {
			at, field := e.field()
			held[at] = append(held[at], field)
		}
		parts := []string{}
		for _, at := range []string{"metadata", "spec"} {
			if len(held[at]) > 0 {
				parts = append(parts, at+": Object."+at+"{"+strings.Join(held[at], ", ")+"}")
			}
		}
		return "Object{" + strings.Join(parts, ", ") + "}"
	}
	if e.chance(20) {
		return e.condition() + " ? " + configuration() + " : " + pick(e.drawer, "Object{}", configuration())
	}
	if e.chance(3) {
		return pick(e.drawer, "object", "{}", "Object.spec{}", "Object{spec: Object.metadata{}}", "nothing")
	}
	return configuration()
}

// patched draws the expression of a JSONPatch.
func (e *expressions) patched() string {
	operation := func() string {
		text := e.text()
		label := pick(e.drawer, "'/metadata/labels/a'", "'/metadata/labels/' + jsonpatch.escapeKey('example.io/x')", "'/metadata/annotations/a'", "'/spec/nodeSelector/disk'")
		switch e.Intn(15) {
		case 0, 1, 2:
			return "op: 'add', path: " + label + ", value: " + text
		case 3:
			return "op: " + pick(e.drawer, "'remove'", "'replace', value: 'z'", "'test', value: 'x'") + ", path: " + label
		case 4:
			return "op: 'add', path: " + pick(e.drawer, "'/metadata/labels'", "'/metadata/annotations'") + ", value: {'a': " + text + "}"
		case 5, 6:
			return "op: 'add', path: '/spec/containers/-', value: Object.spec.containers{name: " + pick(e.drawer, "'proxy'", "'agent'") + ", image: 'proxy:1'}"
		case 7:
			return "op: 'replace', path: '/spec/containers/0/image', value: " + pick(e.drawer, "'mirror.example.io/' + object.spec.containers[0].image", text)
		case 8:
			return "op: 'test', path: '/spec/containers/0/name', value: " + pick(e.drawer, "'main'", text)
		case 9:
			return "op: " + pick(e.drawer, "'move', from: '/metadata/labels/app', path: '/metadata/labels/b'", "'copy', from: '/spec/containers/0/name', path: '/metadata/labels/c'", "'copy', from: '/none', path: '/metadata/labels/c'", "'remove', path: '/spec/containers/0'")
		case 10:
			return "op: 'add', path: '/spec/tolerations', value: " + pick(e.drawer, "[Object.spec.tolerations{key: 'a', operator: 'Exists'}]", "[{'key': 'a', 'operator': 'Exists'}]", "[]")
		case 11:
			return "op: 'add', path: '/spec/tolerations/-', value: Object.spec.tolerations{key: 'b', operator: 'Exists'}"
		case 12:
			return "op: 'add', path: " + pick(e.drawer, "'/spec/nope'", "'/spec/hostname'", "'/spec/terminationGracePeriodSeconds'", "'/spec/containers/7/image'", "'spec'", "'/spec/containers/0/securityContext'") + ", value: " + pick(e.drawer, "'x'", "5", "{}", "null", "[1]", "1.5", text)
		case 13:
			return "op: 'add', path: '/spec/volumes', value: [Object.spec.volumes{name: 'data', emptyDir: Object.spec.volumes.emptyDir{}}]"
		}
		return "op: 'add', path: '/spec/containers/0/env', value: [Object.spec.containers.env{name: 'A', value: " + text + "}]"
	}
	if e.chance(15) {
		return "object.spec.containers.map(c, JSONPatch{op: 'add', path: '/metadata/annotations/' + c.name, value: c.image})"
	}
	if e.chance(10) {
		return e.condition() + " ? [JSONPatch{" + operation() + "}] : []"
	}
	return "[" + e.elements(2, func() string { return "JSONPatch{" + operation() + "}" }) + "]"
}
