// An example of a webhook that reads its cluster through controller-runtime's cached client: Secrets, service accounts,
// namespaces and a resource of its own. It has four bugs, each of which needs an object to show:
//   - a Secret without a key: the handler breaks off;
//   - a service account with two Secrets: both volumes get one name;
//   - a SidecarProfile without an image: the container has none;
//   - a namespace with a label: an env variable is appended at every call.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	clientgoscheme "k8s.io/client-go/kubernetes/scheme"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log/zap"
	metricsserver "sigs.k8s.io/controller-runtime/pkg/metrics/server"
	"sigs.k8s.io/controller-runtime/pkg/webhook"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"fixpoint/adapter/adapter"
)

const (
	secretAnnotation  = "reader.example.io/secret"
	profileAnnotation = "reader.example.io/profile"
	regionLabel       = "reader.example.io/region"
)

var profileKind = schema.GroupVersionKind{Group: "reader.example.io", Version: "v1", Kind: "SidecarProfile"}

type reader struct{ client.Client }

// endpoint injects the endpoint of the Secret that an annotation names.
func (r reader) endpoint(ctx context.Context, namespace string, pod *corev1.Pod) error {
	name := pod.Annotations[secretAnnotation]
	if name == "" {
		return nil
	}
	var secret corev1.Secret
	if err := r.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &secret); err != nil {
		return client.IgnoreNotFound(err)
	}
	host := strings.Split(string(secret.Data["endpoint"]), "://")[1] // the bug: there may be no such key
	setEnv(pod, "ENDPOINT", host)
	return nil
}

// credentials mounts the Secrets of the Pod's service account.
func (r reader) credentials(ctx context.Context, namespace string, pod *corev1.Pod) error {
	name := pod.Spec.ServiceAccountName
	if name == "" {
		name = "default"
	}
	var account corev1.ServiceAccount
	if err := r.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, &account); err != nil {
		return client.IgnoreNotFound(err)
	}
	for _, volume := range pod.Spec.Volumes {
		if volume.Name == "credentials" {
			return nil
		}
	}
	for _, secret := range account.Secrets { // the bug: all volumes get one name
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "credentials", VolumeSource: corev1.VolumeSource{
			Secret: &corev1.SecretVolumeSource{SecretName: secret.Name}}})
	}
	return nil
}

// sidecar adds the container that a SidecarProfile describes.
func (r reader) sidecar(ctx context.Context, namespace string, pod *corev1.Pod) error {
	name := pod.Annotations[profileAnnotation]
	if name == "" {
		return nil
	}
	profile := &unstructured.Unstructured{}
	profile.SetGroupVersionKind(profileKind)
	if err := r.Get(ctx, client.ObjectKey{Namespace: namespace, Name: name}, profile); err != nil {
		return client.IgnoreNotFound(err)
	}
	for _, container := range pod.Spec.Containers {
		if container.Name == "reader-sidecar" {
			return nil
		}
	}
	image, _, _ := unstructured.NestedString(profile.Object, "spec", "image") // the bug: it is optional
	pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: "reader-sidecar", Image: image})
	return nil
}

// region passes on the region of the namespace.
func (r reader) region(ctx context.Context, namespace string, pod *corev1.Pod) error {
	var object corev1.Namespace
	if err := r.Get(ctx, client.ObjectKey{Name: namespace}, &object); err != nil {
		return client.IgnoreNotFound(err)
	}
	if region := object.Labels[regionLabel]; region != "" {
		first := &pod.Spec.Containers[0]
		first.Env = append(first.Env, corev1.EnvVar{Name: "REGION", Value: region}) // the bug: at every call
	}
	return nil
}

func setEnv(pod *corev1.Pod, name, value string) {
	for i := range pod.Spec.Containers {
		container := &pod.Spec.Containers[i]
		isSet := false
		for _, env := range container.Env {
			isSet = isSet || env.Name == name
		}
		if !isSet {
			container.Env = append(container.Env, corev1.EnvVar{Name: name, Value: value})
		}
	}
}

func (r reader) Handle(ctx context.Context, request admission.Request) admission.Response {
	var pod corev1.Pod
	if err := json.Unmarshal(request.Object.Raw, &pod); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	type step func(context.Context, string, *corev1.Pod) error
	for _, one := range []step{r.endpoint, r.credentials, r.sidecar, r.region} {
		if err := one(ctx, request.Namespace, &pod); err != nil {
			return admission.Errored(http.StatusInternalServerError, err)
		}
	}
	changed, err := json.Marshal(pod)
	if err != nil {
		return admission.Errored(http.StatusInternalServerError, err)
	}
	return admission.PatchResponseFromRaw(request.Object.Raw, changed)
}

func fail(err error) {
	ctrl.Log.Error(err, "cannot go on")
	os.Exit(1)
}

func main() {
	stdio := flag.Bool("stdio", false, "answer on standard output instead of HTTPS")
	port := flag.Int("port", 9443, "of the HTTPS server")
	certificates := flag.String("cert-dir", "", "a folder with tls.crt and tls.key")
	flag.Parse()
	ctrl.SetLogger(zap.New(zap.WriteTo(os.Stderr)))

	scheme := runtime.NewScheme()
	if err := clientgoscheme.AddToScheme(scheme); err != nil {
		fail(err)
	}
	options := ctrl.Options{Scheme: scheme, Metrics: metricsserver.Options{BindAddress: "0"},
		Client: client.Options{Cache: &client.CacheOptions{Unstructured: true}}}
	if *certificates != "" {
		folder, err := filepath.Abs(*certificates)
		if err != nil {
			fail(err)
		}
		options.WebhookServer = webhook.NewServer(webhook.Options{Host: "127.0.0.1", Port: *port, CertDir: folder})
	}
	manager, err := ctrl.NewManager(ctrl.GetConfigOrDie(), options)
	if err != nil {
		fail(err)
	}
	handler := &admission.Webhook{Handler: reader{manager.GetClient()}}
	context := ctrl.SetupSignalHandler()
	if !*stdio {
		manager.GetWebhookServer().Register("/mutate", handler)
		if err := manager.Start(context); err != nil {
			fail(err)
		}
		return
	}
	go func() {
		if err := manager.Start(context); err != nil {
			fail(err)
		}
	}()
	if !manager.GetCache().WaitForCacheSync(context) {
		os.Exit(1)
	}
	adapter.Speak(handler)
}
