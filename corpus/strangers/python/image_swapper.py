"""k8s-image-swapper: images are mirrored into an ECR registry, and Pods take them from there."""
import sys

import admission
from imageswapper import config, filters, reference


class ImageSwapper:
    def __init__(self, settings: config.Config, lists: tuple) -> None:
        self._settings = settings
        self._lists = lists
        self._mirrored: set[str] = set()

    def mutate(self, pod: dict, request: dict) -> None:
        if request.get("kind", {}).get("kind", "Pod") != "Pod":
            return
        namespace = (pod.get("metadata") or {}).get("namespace") or request.get("namespace", "")
        described = {**pod, "metadata": {**(pod.get("metadata") or {}), "namespace": namespace}}
        for name in self._lists:
            for container in pod["spec"].get(name) or []:
                self._swap(container, described)

    def _swap(self, container: dict, pod: dict) -> None:
        image = container.get("image", "")
        try:
            source = reference.parse(image)
        except ValueError as error:
            log("warn", f"invalid source name {image}: {error}")
            return
        if source.domain == self._settings.endpoint:
            return
        if filters.matches(self._settings.filters, {"obj": pod, "container": container}):
            log("debug", "skip due to filter condition")
            return
        target = f"{self._settings.endpoint}/{source}"
        known = target in self._mirrored
        self._copy(str(source), target, container.get("imagePullPolicy", ""))
        if self._settings.image_swap_policy == "always" or known:
            log("debug", f"set new container image {target}")
            container["image"] = target

    def _copy(self, source: str, target: str, pull_policy: str) -> None:
        """Stands for the delayed copy by skopeo in the background."""
        if target in self._mirrored and pull_policy != "Always":
            return
        log("trace", f"copy image {source} to {target}")
        self._mirrored.add(target)


def log(level: str, message: str) -> None:
    print(f"level={level} msg={message!r}", file=sys.stderr)


def main() -> None:
    mode = sys.argv[1] if len(sys.argv) > 1 else "buggy"
    lists = ("containers",) if mode == "buggy" else ("containers", "initContainers")
    admission.serve(ImageSwapper(config.load(), lists).mutate)


if __name__ == "__main__":
    main()
