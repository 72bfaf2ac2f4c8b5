"""What a cached client does: it lists a kind once, follows its watch, and answers from memory."""
import base64
import json
import os
import re
import ssl
import threading
import time
import urllib.request


class Api:
    """Reads the API that KUBECONFIG names."""

    def __init__(self):
        with open(os.environ["KUBECONFIG"]) as file:
            self._text = file.read()
        authority = base64.b64decode(self._value("certificate-authority-data")).decode()
        self._context = ssl.create_default_context(cadata=authority)

    def _value(self, key):
        return re.search(key + r": *(\S+)", self._text).group(1).strip('"')

    def open(self, path):
        request = urllib.request.Request(
            self._value("server") + path, headers={"Authorization": "Bearer " + self._value("token")})
        return urllib.request.urlopen(request, context=self._context)


class Cache:
    """All objects of one kind, by namespace and name."""

    def __init__(self, path):
        self._api, self._path = Api(), path
        self._objects, self._lock = {}, threading.Lock()
        version = self._list()
        threading.Thread(target=self._follow, args=(version,), daemon=True).start()

    def get(self, namespace, name):
        with self._lock:
            return self._objects.get((namespace, name))

    def all(self):
        with self._lock:
            return list(self._objects.values())

    @staticmethod
    def _key(item):
        return item["metadata"].get("namespace", ""), item["metadata"]["name"]

    def _list(self):
        with self._api.open(self._path) as response:
            listed = json.load(response)
        with self._lock:
            self._objects = {self._key(item): item for item in listed["items"]}
        return listed["metadata"].get("resourceVersion", "0")

    def _follow(self, version):
        while True:
            try:
                with self._api.open(f"{self._path}?watch=1&resourceVersion={version}") as response:
                    for line in response:
                        event = json.loads(line)
                        if event["type"] == "ERROR":
                            break
                        version = event["object"]["metadata"]["resourceVersion"]
                        self._take(event["type"], event["object"])
                version = self._list()
            except OSError:
                time.sleep(0.05)

    def _take(self, kind, item):
        if kind == "BOOKMARK":
            return
        with self._lock:
            if kind == "DELETED":
                self._objects.pop(self._key(item), None)
            else:
                self._objects[self._key(item)] = item
