"""The settings of k8s-image-swapper, as .k8s-image-swapper.yml of its ConfigMap has them."""
import os
from dataclasses import dataclass, field


@dataclass
class Config:
    account_id: str = "123456789012"
    region: str = "ap-southeast-2"
    image_swap_policy: str = "always"
    filters: list = field(default_factory=lambda: [
        "obj.metadata.namespace == 'kube-system'",
        "contains(container.image, '.dkr.ecr.')",
    ])

    @property
    def endpoint(self) -> str:
        return f"{self.account_id}.dkr.ecr.{self.region}.amazonaws.com"


def load() -> Config:
    config = Config()
    config.account_id = os.environ.get("TARGET_AWS_ACCOUNT_ID", config.account_id)
    config.region = os.environ.get("TARGET_AWS_REGION", config.region)
    config.image_swap_policy = os.environ.get("IMAGE_SWAP_POLICY", config.image_swap_policy)
    if config.image_swap_policy not in ("always", "exists"):
        raise SystemExit(f"unknown image swap policy string: '{config.image_swap_policy}', defaulting to exists")
    return config
