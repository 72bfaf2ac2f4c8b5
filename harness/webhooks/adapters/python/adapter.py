"""Lets fixpoint call a webhook that is a WSGI application (Flask, Django, Bottle, plain) without a network.

Import it first: it reserves standard output for the answers, and sends anything else that the program prints there to
standard error.
"""
import io
import os
import sys
from wsgiref.util import setup_testing_defaults

sys.stdout.flush()
_answers = os.fdopen(os.dup(1), "wb")
os.dup2(2, 1)


def speak(application, path="/"):
    """Answers each AdmissionReview on a line of standard input with one on a line of standard output."""
    for line in sys.stdin.buffer:
        environ = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "CONTENT_TYPE": "application/json",
                   "CONTENT_LENGTH": str(len(line)), "wsgi.input": io.BytesIO(line)}
        setup_testing_defaults(environ)
        body = b"".join(application(environ, lambda status, headers, exc_info=None: None))
        _answers.write(body.replace(b"\n", b" ") + b"\n")
        _answers.flush()
