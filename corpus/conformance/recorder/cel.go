//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31 || kubernetes1.32 || kubernetes1.33)

package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"
	"github.com/google/cel-go/interpreter"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/version"
	admissioncel "k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/authentication/user"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	kubernetescel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/cel/mutation"
)

// celEnvironment is what a question says of the environment besides the variables.
type celEnvironment struct {
	Minor      string `json:"minor,omitempty"`      // whose features new expressions may use; the newest if empty
	Stored     bool   `json:"stored,omitempty"`     // the expression was stored before
	PatchTypes bool   `json:"patchTypes,omitempty"` // Object and JSONPatch are known
	Returns    string `json:"returns,omitempty"`    // bool: as for conditions
}

// celExpectation is the answer. A value is JSON where JSON says which type it has, else tagged.
type celExpectation struct {
	Value        json.RawMessage `json:"value,omitempty"`
	CompileError string          `json:"compileError,omitempty"`
	RuntimeError string          `json:"runtimeError,omitempty"`
	Cost         *uint64         `json:"cost,omitempty"`
}

type celAccessor struct {
	name, expression string
	returns          []*cel.Type
}

func (a *celAccessor) GetName() string          { return a.name }
func (a *celAccessor) GetExpression() string    { return a.expression }
func (a *celAccessor) ReturnTypes() []*cel.Type { return a.returns }

// celActivation binds the names as the admission plugins do.
type celActivation struct {
	values    map[string]any
	variables any
}

func (a *celActivation) ResolveName(name string) (any, bool) {
	if name == admissioncel.VariableVarName {
		return a.variables, true
	}
	value, found := a.values[name]
	return value, found
}

func (a *celActivation) Parent() interpreter.Activation { return nil }

// celRule is one answer of the authorizer of a question. An empty field fits everything.
type celRule struct {
	User, Verb, Group, Resource, Subresource, Namespace, Name, Path string
	Decision, Reason, Error                                         string
}

type celAuthorizer []celRule

func (rules celAuthorizer) Authorize(_ context.Context, a authorizer.Attributes) (authorizer.Decision, string, error) {
	for _, rule := range rules {
		fits := func(wanted, is string) bool { return wanted == "" || wanted == is }
		if !fits(rule.User, a.GetUser().GetName()) || !fits(rule.Verb, a.GetVerb()) || !fits(rule.Group, a.GetAPIGroup()) ||
			!fits(rule.Resource, a.GetResource()) || !fits(rule.Subresource, a.GetSubresource()) ||
			!fits(rule.Namespace, a.GetNamespace()) || !fits(rule.Name, a.GetName()) || !fits(rule.Path, a.GetPath()) {
			continue
		}
		var err error
		if rule.Error != "" {
			err = fmt.Errorf("%s", rule.Error)
		}
		switch rule.Decision {
		case "allow":
			return authorizer.DecisionAllow, rule.Reason, err
		case "deny":
			return authorizer.DecisionDeny, rule.Reason, err
		}
		return authorizer.DecisionNoOpinion, rule.Reason, err
	}
	return authorizer.DecisionNoOpinion, "", nil
}

// celRepetitions is how often an expression is evaluated: one whose answer depends on Go's order of maps is refused.
const celRepetitions = 6

// celMinor is the minor whose features new expressions may use if a question names none.
const celMinor = "1.36"

func answerCel(v *vector) error {
	var env celEnvironment
	if len(v.Environment) > 0 {
		if err := json.Unmarshal(v.Environment, &env); err != nil {
			return err
		}
	}
	var bindings map[string]json.RawMessage
	if len(v.Variables) > 0 {
		if err := json.Unmarshal(v.Variables, &bindings); err != nil {
			return err
		}
	}
	first := celExpectation{}
	for i := 0; i < celRepetitions; i++ {
		answer, err := askCel(v.Expression, env, v.Compositions, bindings)
		if err != nil {
			return err
		}
		if i == 0 {
			first = answer
		} else if !bytes.Equal(mustEncode(first), mustEncode(answer)) {
			return fmt.Errorf("the answer changes: %s and %s", mustEncode(first), mustEncode(answer))
		}
	}
	v.Expect = bytes.TrimSpace(mustEncode(first))
	return nil
}

func askCel(expression string, env celEnvironment, compositions []celNamed, bindings map[string]json.RawMessage) (celExpectation, error) {
	minor := version.MustParseGeneric(celMinor)
	if env.Minor != "" {
		minor = version.MustParseGeneric(env.Minor)
	}
	compiler, err := admissioncel.NewCompositedCompiler(baseEnvironment(minor))
	if err != nil {
		return celExpectation{}, err
	}
	mode := environment.NewExpressions
	if env.Stored {
		mode = environment.StoredExpressions
	}
	_, hasParams := bindings[admissioncel.ParamsVarName]
	_, hasAuthorizer := bindings[admissioncel.AuthorizerVarName]
	declared := admissioncel.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: hasAuthorizer, HasPatchTypes: env.PatchTypes}
	for _, named := range compositions {
		compiler.CompileAndStoreVariable(&celAccessor{named.Name, named.Expression, []*cel.Type{cel.AnyType}}, declared, mode)
	}
	returns := []*cel.Type{cel.AnyType}
	if env.Returns == "bool" {
		returns = []*cel.Type{cel.BoolType}
	}
	compiled := compiler.CompileCELExpression(&celAccessor{"", expression, returns}, declared, mode)
	if compiled.Error != nil {
		return celExpectation{CompileError: compiled.Error.Detail}, nil
	}
	activation := &celActivation{values: map[string]any{}}
	for _, name := range []string{"object", "oldObject", "request", "namespaceObject"} {
		activation.values[name] = nil
	}
	for name, text := range bindings {
		if name == admissioncel.AuthorizerVarName {
			var rules celAuthorizer
			if err := json.Unmarshal(text, &rules); err != nil {
				return celExpectation{}, err
			}
			who := &user.DefaultInfo{Name: "someone"}
			activation.values[name] = library.NewAuthorizerVal(who, rules)
			activation.values[admissioncel.RequestResourceAuthorizerVarName] = library.NewResourceAuthorizerVal(who, rules, celResource{})
			continue
		}
		if activation.values[name], err = unstructuredOf(text); err != nil {
			return celExpectation{}, err
		}
	}
	ctx := celContext(compiler)
	activation.variables = ctx.Variables(activation)
	value, details, err := compiled.Program.ContextEval(ctx, activation)
	answer := celExpectation{}
	if details != nil && details.ActualCost() != nil {
		cost := *details.ActualCost() + uint64(ctx.GetAndResetCost())
		answer.Cost = &cost
	}
	if err != nil {
		answer.RuntimeError = err.Error()
		return answer, nil
	}
	answer.Value, err = tagged(value)
	return answer, err
}

// celResource is the resource of authorizer.requestResource.
type celResource struct{}

func (celResource) GetName() string        { return "it" }
func (celResource) GetNamespace() string   { return "default" }
func (celResource) GetSubresource() string { return "" }
func (celResource) GetResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Version: "v1", Resource: "pods"}
}

// unstructuredOf reads numbers as the server does: int64 where it is one, else float64.
func unstructuredOf(text []byte) (any, error) {
	var value any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return nil, err
	}
	return withNumbers(value)
}

func withNumbers(value any) (any, error) {
	var err error
	switch of := value.(type) {
	case json.Number:
		if number, err := of.Int64(); err == nil {
			return number, nil
		}
		return of.Float64()
	case []any:
		for i := range of {
			if of[i], err = withNumbers(of[i]); err != nil {
				return nil, err
			}
		}
	case map[string]any:
		for name := range of {
			if of[name], err = withNumbers(of[name]); err != nil {
				return nil, err
			}
		}
	}
	return value, nil
}

func tag(name string, of any) (json.RawMessage, error) {
	return bytes.TrimSpace(mustEncode(map[string]any{name: of})), nil
}

// tagged writes a value with its type.
func tagged(value ref.Val) (json.RawMessage, error) {
	plain := func(of any) (json.RawMessage, error) { return bytes.TrimSpace(mustEncode(of)), nil }
	switch of := value.(type) {
	case types.Null:
		return plain(nil)
	case types.Bool:
		return plain(bool(of))
	case types.Int:
		return plain(int64(of))
	case types.Uint:
		return tag("uint", uint64(of))
	case types.Double:
		number := float64(of)
		return tag("double", fmt.Sprint(number))
	case types.String:
		return plain(string(of))
	case types.Bytes:
		return tag("bytes", base64.StdEncoding.EncodeToString([]byte(of)))
	case types.Duration:
		return tag("duration", of.Duration.String())
	case types.Timestamp:
		return tag("timestamp", of.Time.UTC().Format("2006-01-02T15:04:05.999999999Z"))
	case *types.Type:
		return tag("type", of.TypeName())
	case *types.Optional:
		if !of.HasValue() {
			return tag("optional", []any{})
		}
		held, err := tagged(of.GetValue())
		if err != nil {
			return nil, err
		}
		return tag("optional", []any{held})
	case *mutation.JSONPatchVal:
		fields := map[string]any{"op": of.Op, "path": of.Path, "from": of.From}
		if of.Val != nil {
			held, err := tagged(of.Val)
			if err != nil {
				return nil, err
			}
			fields["value"] = held
		}
		return tag("patch", fields)
	case kubernetescel.Quantity:
		return tag("quantity", of.String())
	case *kubernetescel.Quantity:
		return tag("quantity", of.String())
	case kubernetescel.URL:
		return tag("url", of.String())
	case kubernetescel.IP:
		return tag("ip", of.String())
	case kubernetescel.CIDR:
		return tag("cidr", of.String())
	case kubernetescel.Semver:
		return tag("semver", of.String())
	case kubernetescel.Format:
		return tag("format", of.Name)
	}
	if list, ok := value.(traits.Lister); ok {
		items := []json.RawMessage{}
		for it := list.Iterator(); it.HasNext() == types.True; {
			item, err := tagged(it.Next())
			if err != nil {
				return nil, err
			}
			items = append(items, item)
		}
		return plain(items)
	}
	name := value.Type().TypeName()
	if all, ok := value.(traits.Mapper); ok {
		entries := [][2]json.RawMessage{}
		for it := all.Iterator(); it.HasNext() == types.True; {
			key := it.Next()
			k, err := tagged(key)
			if err != nil {
				return nil, err
			}
			held, err := tagged(all.Get(key))
			if err != nil {
				return nil, err
			}
			entries = append(entries, [2]json.RawMessage{k, held})
		}
		slices.SortFunc(entries, func(a, b [2]json.RawMessage) int { return bytes.Compare(a[0], b[0]) })
		return tag("map", entries)
	}
	if strings.HasPrefix(name, mutation.ObjectTypeName) {
		held := []any{}
		fields, ok := value.Value().(map[string]any)
		if !ok {
			return tag("opaque", name)
		}
		names := []string{}
		for field := range fields {
			names = append(names, field)
		}
		slices.Sort(names)
		for _, field := range names {
			var one json.RawMessage
			var err error
			if inner, isValue := fields[field].(ref.Val); isValue {
				one, err = tagged(inner)
			} else {
				one, err = tagged(types.DefaultTypeAdapter.NativeToValue(fields[field]))
			}
			if err != nil {
				return nil, err
			}
			held = append(held, []any{field, one})
		}
		return bytes.TrimSpace(mustEncode(map[string]any{"object": name, "fields": held})), nil
	}
	return tag("opaque", name)
}
