//go:build !(kubernetes1.29 || kubernetes1.30 || kubernetes1.31)

package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/client-go/restmapper"
	"k8s.io/client-go/tools/cache"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	_ "k8s.io/kubernetes/pkg/apis/apps/install"
	_ "k8s.io/kubernetes/pkg/apis/autoscaling/install"
	_ "k8s.io/kubernetes/pkg/apis/batch/install"
	_ "k8s.io/kubernetes/pkg/apis/coordination/install"
	_ "k8s.io/kubernetes/pkg/apis/discovery/install"
	_ "k8s.io/kubernetes/pkg/apis/networking/install"
	_ "k8s.io/kubernetes/pkg/apis/policy/install"
	_ "k8s.io/kubernetes/pkg/apis/storage/install"
)

// clusterScoped are the built-in kinds without namespaces.
var clusterScoped = map[string]bool{
	"MutatingAdmissionPolicy": true, "MutatingAdmissionPolicyBinding": true, "MutatingWebhookConfiguration": true,
	"ValidatingAdmissionPolicy": true, "ValidatingAdmissionPolicyBinding": true, "ValidatingWebhookConfiguration": true,
	"ClusterRole": true, "ClusterRoleBinding": true, "CSIDriver": true, "CSINode": true, "IngressClass": true, "IPAddress": true,
	"Namespace": true, "Node": true, "PersistentVolume": true, "PriorityClass": true, "RuntimeClass": true, "ServiceCIDR": true,
	"StorageClass": true, "VolumeAttachment": true, "VolumeAttributesClass": true,
}

// paramKinds gives the policies the objects that they may name as params.
type paramKinds struct {
	informers.SharedInformerFactory
	mapper  meta.RESTMapper
	objects map[schema.GroupVersionResource][]runtime.Object
}

// ForResource finds the objects of every kind that the mapper knows: those of custom kinds too.
func (p *paramKinds) ForResource(resource schema.GroupVersionResource) (informers.GenericInformer, error) {
	return &heldParams{informer: newHeldInformer(p.objects[resource]), resource: resource.GroupResource()}, nil
}

// Start has nothing to start.
func (p *paramKinds) Start(<-chan struct{}) {}

type heldParams struct {
	informer *heldInformer
	resource schema.GroupResource
}

func (h *heldParams) Informer() cache.SharedIndexInformer { return h.informer }

func (h *heldParams) Lister() cache.GenericLister {
	return cache.NewGenericLister(h.informer.GetIndexer(), h.resource)
}

// customKind is what matters of a CustomResourceDefinition.
type customKind struct {
	Spec struct {
		Group string `json:"group"`
		Names struct {
			Kind     string `json:"kind"`
			Plural   string `json:"plural"`
			Singular string `json:"singular"`
		} `json:"names"`
		Scope    string `json:"scope"`
		Versions []struct {
			Name   string `json:"name"`
			Served *bool  `json:"served"`
		} `json:"versions"`
	} `json:"spec"`
}

// newParams sorts the objects of the Case by what they may be asked for as.
func (c *cluster) newParams(manifests []json.RawMessage) (*paramKinds, error) {
	p := &paramKinds{objects: map[schema.GroupVersionResource][]runtime.Object{}}
	for _, object := range c.objects {
		kinds, _, err := legacyscheme.Scheme.ObjectKinds(object)
		if err != nil {
			return nil, err
		}
		resource, _ := meta.UnsafeGuessKindToResource(kinds[0])
		p.objects[resource] = append(p.objects[resource], object)
	}
	served := maps.Clone(builtInKinds())
	for _, manifest := range manifests {
		var head typeMeta
		var definition customKind
		if json.Unmarshal(manifest, &head) != nil || head.Kind != "CustomResourceDefinition" {
			continue
		}
		if err := json.Unmarshal(manifest, &definition); err != nil {
			return nil, fmt.Errorf("CustomResourceDefinition %s: %w", head.Metadata.Name, err)
		}
		for _, version := range definition.Spec.Versions {
			if version.Served != nil && !*version.Served {
				continue
			}
			group := schema.GroupVersion{Group: definition.Spec.Group, Version: version.Name}
			names := definition.Spec.Names
			served[group] = append(slices.Clone(served[group]), metav1.APIResource{
				Name: names.Plural, SingularName: names.Singular, Kind: names.Kind, Namespaced: definition.Spec.Scope != "Cluster"})
			resource := group.WithResource(names.Plural)
			var err error
			if p.objects[resource], err = customObjects(manifests, group.WithKind(names.Kind)); err != nil {
				return nil, err
			}
		}
	}
	p.mapper = restmapper.NewDiscoveryRESTMapper(groupResources(served))
	return p, nil
}

// customObjects are those of a custom kind, in the version that is asked for.
func customObjects(manifests []json.RawMessage, kind schema.GroupVersionKind) ([]runtime.Object, error) {
	var found []runtime.Object
	for _, manifest := range manifests {
		var head typeMeta
		if json.Unmarshal(manifest, &head) != nil || head.Kind != kind.Kind {
			continue
		}
		if version, err := schema.ParseGroupVersion(head.APIVersion); err != nil || version.Group != kind.Group {
			continue
		}
		object := &unstructured.Unstructured{}
		if err := object.UnmarshalJSON(manifest); err != nil {
			return nil, err
		}
		object.SetGroupVersionKind(kind)
		found = append(found, object)
	}
	return found, nil
}

// builtInKinds are the kinds of the stable versions which the server stores, and so the informers know.
var builtInKinds = sync.OnceValue(func() map[schema.GroupVersion][]metav1.APIResource {
	known := map[schema.GroupVersion][]metav1.APIResource{}
	factory := informers.NewSharedInformerFactory(fake.NewSimpleClientset(), 0)
	for kind := range legacyscheme.Scheme.AllKnownTypes() {
		if kind.Version == runtime.APIVersionInternal || strings.Contains(kind.Version, "alpha") || strings.Contains(kind.Version, "beta") {
			continue
		}
		resource, singular := meta.UnsafeGuessKindToResource(kind)
		if _, err := factory.ForResource(resource); err == nil {
			known[kind.GroupVersion()] = append(known[kind.GroupVersion()], metav1.APIResource{
				Name: resource.Resource, SingularName: singular.Resource, Kind: kind.Kind, Namespaced: !clusterScoped[kind.Kind]})
		}
	}
	return known
})

// groupResources writes the kinds as the server's discovery does.
func groupResources(served map[schema.GroupVersion][]metav1.APIResource) []*restmapper.APIGroupResources {
	versions := slices.SortedFunc(maps.Keys(served), func(a, b schema.GroupVersion) int { return strings.Compare(a.String(), b.String()) })
	var groups []*restmapper.APIGroupResources
	for _, version := range versions {
		var group *restmapper.APIGroupResources
		for _, known := range groups {
			if known.Group.Name == version.Group {
				group = known
			}
		}
		if group == nil {
			group = &restmapper.APIGroupResources{Group: metav1.APIGroup{Name: version.Group}, VersionedResources: map[string][]metav1.APIResource{}}
			groups = append(groups, group)
		}
		group.Group.Versions = append(group.Group.Versions, metav1.GroupVersionForDiscovery{GroupVersion: version.String(), Version: version.Version})
		group.VersionedResources[version.Version] = served[version]
	}
	return groups
}
