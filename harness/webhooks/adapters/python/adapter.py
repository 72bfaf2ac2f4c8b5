"""Lets fixpoint call a webhook that is a WSGI application (Flask, Django, Bottle, plain) without a network."""
import io
import sys
from wsgiref.util import setup_testing_defaults


def speak(application, path="/"):
    """Answers each AdmissionReview on a line of standard input with one on a line of standard output."""
    for line in sys.stdin.buffer:
        environ = {"REQUEST_METHOD": "POST", "PATH_INFO": path, "CONTENT_TYPE": "application/json",
                   "CONTENT_LENGTH": str(len(line)), "wsgi.input": io.BytesIO(line)}
        setup_testing_defaults(environ)
        body = b"".join(application(environ, lambda status, headers, exc_info=None: None))
        sys.stdout.buffer.write(body.replace(b"\n", b" ") + b"\n")
        sys.stdout.buffer.flush()
