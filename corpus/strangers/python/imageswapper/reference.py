"""Image references as docker writes them out: with their registry, and a tag unless there is a digest."""
import re
from dataclasses import dataclass

DEFAULT_DOMAIN = "docker.io"
PATH = re.compile(r"^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$")
TAG = re.compile(r"^\w[\w.-]{0,127}$")
DIGEST = re.compile(r"^[a-z0-9]+:[0-9a-f]{32,}$")


@dataclass
class Reference:
    domain: str
    path: str
    tag: str = ""
    digest: str = ""

    def __str__(self) -> str:
        # The docker transport refuses a tag and a digest together; containers/image keeps the digest.
        tail = f"@{self.digest}" if self.digest else f":{self.tag}"
        return f"{self.domain}/{self.path}{tail}"


def parse(image: str) -> Reference:
    rest, _, digest = image.partition("@")
    if digest and not DIGEST.match(digest):
        raise ValueError("invalid reference format")
    name, tag = rest, ""
    if ":" in rest.rsplit("/", 1)[-1]:
        name, tag = rest.rsplit(":", 1)
        if not TAG.match(tag):
            raise ValueError("invalid reference format")
    domain, path = split_domain(name)
    if not PATH.match(path):
        raise ValueError("invalid reference format")
    return Reference(domain, path, tag or ("" if digest else "latest"), digest)


def split_domain(name: str) -> tuple[str, str]:
    first, slash, remainder = name.partition("/")
    if not slash or not ("." in first or ":" in first or first == "localhost"):
        domain, path = DEFAULT_DOMAIN, name
    else:
        domain, path = first, remainder
    if domain == "index.docker.io":
        domain = DEFAULT_DOMAIN
    if domain == DEFAULT_DOMAIN and "/" not in path:
        path = f"library/{path}"
    return domain, path
