"""Fills in where the storage of a model is: in the namespace of the model, unless the reference says another."""
from admission import serve


def mutate(model, request):
    if model["metadata"].get("deletionTimestamp"):
        return
    storage = (model.get("spec") or {}).get("storage")
    if storage is None:
        return
    reference = storage.get("secretRef")
    if reference is not None and "namespace" not in reference:
        reference["namespace"] = request["namespace"]
    storage.setdefault("protocol", "s3")


serve(mutate)
