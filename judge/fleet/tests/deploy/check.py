"""Checks manifests against the schemas of Kubernetes and the models of KEDA; prints them as JSON."""

import json
import sys

import kubernetes_validate
import yaml
from cloudcoil.models.keda import v1alpha1 as keda


def missing(given, known, place):
    """Where `given` says what `known` does not."""
    if isinstance(given, dict):
        for key, value in given.items():
            if not isinstance(known, dict) or key not in known:
                yield f"{place}.{key}"
            else:
                yield from missing(value, known[key], f"{place}.{key}")
    elif isinstance(given, list):
        for number, (one, other) in enumerate(zip(given, known)):
            yield from missing(one, other, f"{place}[{number}]")


manifests = []
for name in sys.argv[1:]:
    with open(name, encoding="utf-8") as file:
        manifests += yaml.safe_load_all(file)
for manifest in manifests:
    kind = manifest["kind"]
    if manifest["apiVersion"].startswith("keda.sh/"):
        read = getattr(keda, kind).model_validate(manifest)
        known = read.model_dump(mode="json", by_alias=True, exclude_none=True)
        unknown = list(missing(manifest, known, kind))
        if unknown:
            sys.exit(f"unknown: {unknown}")
    else:
        kubernetes_validate.validate(manifest, "1.37", strict=True)
print(json.dumps(manifests))
