//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31)

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	_ "unsafe" // for the linkname

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/policy/generic"
	"k8s.io/apiserver/pkg/admission/plugin/policy/matching"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"
	webhookgeneric "k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	"k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/admissionregistration"
)

// compilePolicy is what the plugin compiles policies with.
//
//go:linkname compilePolicy k8s.io/apiserver/pkg/admission/plugin/policy/mutating.compilePolicy
func compilePolicy(*mutating.Policy) mutating.PolicyEvaluator

type (
	policyInvocation = generic.PolicyInvocation[*mutating.Policy, *mutating.PolicyBinding, mutating.PolicyEvaluator]
	policySource     = generic.Source[mutating.PolicyHook]
)

// policyDispatch is the plugin of one request. The dispatcher is the server's own; the scout is asked before it which
// policies, bindings and params it will come to, since the patchers of a policy are not told the binding.
type policyDispatch struct {
	*admission.Handler
	scout, dispatcher generic.Dispatcher[mutating.PolicyHook]
	hooks             []mutating.PolicyHook
	counter           *passCounter
	stop              context.CancelFunc

	coming  []policyInvocation // what is left of this dispatch
	current *policyInvocation
	started *startedRecord
	records []policyRecord
	refusal error
}

// startedRecord is a record whose mutations are under way.
type startedRecord struct {
	policyRecord
	before     runtime.Object
	attributes *admission.VersionedAttributes
}

// newPolicyRun returns nothing if the Case has no policies or the release has them switched off.
func (c *cluster) newPolicyRun(document *caseDocument, counter *passCounter) (policyRun, error) {
	enabled := utilfeature.DefaultFeatureGate.Enabled(features.MutatingAdmissionPolicy)
	for _, gate := range document.Cluster.FeatureGates {
		if gate != string(features.MutatingAdmissionPolicy) {
			return nil, fmt.Errorf("unknown feature gate %q", gate)
		}
		enabled = true
	}
	policies, err := storedAs(c.objects, &mutating.Policy{})
	if err != nil {
		return nil, err
	}
	bindings, err := storedAs(c.objects, &mutating.PolicyBinding{})
	if err != nil {
		return nil, err
	}
	if !enabled || len(policies) == 0 {
		return nil, nil
	}
	p := &policyDispatch{Handler: admission.NewHandler(admission.Create, admission.Update, admission.Connect), counter: counter}
	params, err := c.newParams(document.Cluster.Objects)
	if err != nil {
		return nil, err
	}
	source := generic.NewPolicySource(newHeldInformer(policies), newHeldInformer(bindings),
		mutating.NewMutatingAdmissionPolicyAccessor, mutating.NewMutatingAdmissionPolicyBindingAccessor,
		func(policy *mutating.Policy) mutating.PolicyEvaluator { return p.observed(document.compiled(policy)) },
		params, nil, params.mapper)
	if err := p.load(source, document.Cluster.PolicyOrder); err != nil {
		return nil, err
	}
	matcher := matching.NewMatcher(c.informers.Core().V1().Namespaces().Lister(), c.client)
	p.dispatcher = mutating.NewDispatcher(c.authorizer(), matcher, patch.NewTypeConverterManager(builtInTypes(), nil))
	p.scout = generic.NewPolicyDispatcher(mutating.NewMutatingAdmissionPolicyAccessor, mutating.NewMutatingAdmissionPolicyBindingAccessor, matcher,
		func(_ context.Context, _ admission.Attributes, _ admission.ObjectInterfaces, _ webhookgeneric.VersionedAttributeAccessor, invocations []policyInvocation) ([]generic.PolicyError, *apierrors.StatusError) {
			p.coming = invocations
			return nil, nil
		})
	return p, nil
}

// storedAs converts the objects of a kind to the version that the release's plugin reads.
func storedAs(objects []runtime.Object, prototype runtime.Object) ([]runtime.Object, error) {
	wanted, _, err := legacyscheme.Scheme.ObjectKinds(prototype)
	if err != nil {
		return nil, err
	}
	var found []runtime.Object
	names := map[string]bool{}
	for _, object := range objects {
		kinds, _, err := legacyscheme.Scheme.ObjectKinds(object)
		if err != nil || kinds[0].Group != admissionregistration.GroupName || kinds[0].Kind != wanted[0].Kind {
			continue
		}
		if names[nameOf(object)] {
			return nil, fmt.Errorf("%s %s stands twice", wanted[0].Kind, nameOf(object))
		}
		names[nameOf(object)] = true
		found = append(found, object)
	}
	for i, object := range found {
		internal, err := legacyscheme.Scheme.ConvertToVersion(object, runtime.InternalGroupVersioner)
		if err != nil {
			return nil, err
		}
		if found[i], err = legacyscheme.Scheme.ConvertToVersion(internal, wanted[0].GroupVersion()); err != nil {
			return nil, err
		}
		found[i].GetObjectKind().SetGroupVersionKind(schema.GroupVersionKind{})
	}
	return found, nil
}

// load waits for the hooks and puts them in order.
func (p *policyDispatch) load(source policySource, order []string) error {
	ctx, stop := context.WithCancel(context.Background())
	p.stop = stop
	ended := make(chan error, 1)
	go func() { ended <- source.Run(ctx) }()
	for !source.HasSynced() {
		select {
		case err := <-ended:
			stop()
			return errors.Join(errors.New("the policies were not loaded"), err)
		case <-time.After(50 * time.Microsecond):
		}
	}
	p.hooks = slices.Clone(source.Hooks())
	place := func(hook mutating.PolicyHook) int {
		if i := slices.Index(order, hook.Policy.Name); i >= 0 {
			return i
		}
		return len(order)
	}
	slices.SortFunc(p.hooks, func(a, b mutating.PolicyHook) int {
		if difference := place(a) - place(b); difference != 0 {
			return difference
		}
		return strings.Compare(a.Policy.Name, b.Policy.Name)
	})
	return nil
}

func (p *policyDispatch) close() { p.stop() }

// Admit runs the policies in one pass.
func (p *policyDispatch) Admit(ctx context.Context, a admission.Attributes, o admission.ObjectInterfaces) error {
	p.coming, p.current = nil, nil
	defer p.finish() // also where the server crashes
	_ = p.scout.Dispatch(ctx, a, o, p.hooks)
	err := p.dispatcher.Dispatch(ctx, a, o, p.hooks)
	if err != nil {
		p.refusal = err
	}
	return err
}

func (p *policyDispatch) listed() []policyRecord { return p.records }

func (p *policyDispatch) refused(err error) bool { return err != nil && err == p.refusal }

// observed wraps what the dispatcher calls, so that the evaluations are known.
func (p *policyDispatch) observed(evaluator mutating.PolicyEvaluator) mutating.PolicyEvaluator {
	evaluator.Matcher = &observedMatcher{inner: evaluator.Matcher, dispatch: p}
	evaluator.Mutators = slices.Clone(evaluator.Mutators)
	for i, mutator := range evaluator.Mutators {
		evaluator.Mutators[i] = &observedPatcher{inner: mutator, dispatch: p}
	}
	return evaluator
}

// finish closes the record under way: what its last mutation left is known now.
func (p *policyDispatch) finish() {
	if p.started == nil {
		return
	}
	p.started.Changed = !apiequality.Semantic.DeepEqual(p.started.before, p.started.attributes.VersionedObject)
	p.records = append(p.records, p.started.policyRecord)
	p.started = nil
}

// observedMatcher is asked exactly once for each invocation, in their order.
type observedMatcher struct {
	inner    matchconditions.Matcher
	dispatch *policyDispatch
}

func (m *observedMatcher) Match(ctx context.Context, attributes *admission.VersionedAttributes, params runtime.Object, authz authorizer.Authorizer) matchconditions.MatchResult {
	p := m.dispatch
	p.finish()
	p.current, p.coming = &p.coming[0], p.coming[1:]
	if m.inner == nil {
		return matchconditions.MatchResult{Matches: true}
	}
	return m.inner.Match(ctx, attributes, params, authz)
}

type observedPatcher struct {
	inner    patch.Patcher
	dispatch *policyDispatch
}

func (o *observedPatcher) Patch(ctx context.Context, request patch.Request, budget int64) (runtime.Object, error) {
	p := o.dispatch
	if p.started == nil {
		p.started = &startedRecord{
			policyRecord: policyRecord{Pass: p.counter.passes, Policy: p.current.Policy.Name, Binding: p.current.Binding.Name, Param: paramName(p.current.Param)},
			before:       request.VersionedAttributes.VersionedObject,
			attributes:   request.VersionedAttributes,
		}
	}
	result, err := o.inner.Patch(ctx, request, budget)
	problem := err
	if err == nil {
		// The dispatcher does this with what it gets, and fails if it fails.
		_, problem = request.ObjectInterfaces.GetObjectConvertor().ConvertToVersion(result, request.VersionedAttributes.GetKind().GroupVersion())
	}
	if problem != nil {
		p.started.Errors = append(p.started.Errors, inOrder(problem.Error()))
	}
	return result, err
}

func paramName(param runtime.Object) string {
	if param == nil {
		return ""
	}
	accessor, err := meta.Accessor(param)
	if err != nil {
		return ""
	}
	if accessor.GetNamespace() == "" {
		return accessor.GetName()
	}
	return accessor.GetNamespace() + "/" + accessor.GetName()
}

// compiled compiles a policy of the Case once, however often the Case is asked.
func (d *caseDocument) compiled(policy *mutating.Policy) mutating.PolicyEvaluator {
	text, err := json.Marshal(policy)
	if err != nil {
		panic(err)
	}
	if known, found := d.evaluators[string(text)]; found {
		return known.(mutating.PolicyEvaluator)
	}
	evaluator := compilePolicy(policy)
	if d.evaluators == nil {
		d.evaluators = map[string]any{}
	}
	d.evaluators[string(text)] = evaluator
	return evaluator
}
