"""The Pod mutating handler of koord-manager, served at /mutate-pod."""
import sys

import admission
from cluster.cache import Cache
from koordinator.profiles import Profiles
from koordinator.resource_spec import ResourceSpec


class PodMutatingHandler:
    def __init__(self, profiles: Profiles, resource_spec: ResourceSpec) -> None:
        self._profiles = profiles
        self._resource_spec = resource_spec

    def handle(self, pod: dict, request: dict) -> None:
        if request.get("operation", "CREATE") != "CREATE" or request.get("subResource"):
            return
        namespace = (pod.get("metadata") or {}).get("namespace") or request.get("namespace", "")
        matched = self._profiles.matching(pod, namespace)
        if not matched:
            return
        for profile in matched:
            self._profiles.apply(pod, profile)
            print(f"mutate Pod {namespace} by clusterColocationProfile {profile['metadata']['name']}", file=sys.stderr)
        self._resource_spec.mutate(pod)


def main() -> None:
    fixed = len(sys.argv) > 1 and sys.argv[1] == "fixed"
    profiles = Profiles(
        Cache("/apis/config.koordinator.sh/v1alpha1/clustercolocationprofiles"),
        Cache("/api/v1/namespaces"),
        Cache("/apis/scheduling.k8s.io/v1/priorityclasses"),
    )
    admission.serve(PodMutatingHandler(profiles, ResourceSpec(restrict=not fixed)).handle)


if __name__ == "__main__":
    main()
