"""A shop as frameworks on WSGI answer: error pages of Werkzeug, a session cookie, 405 with Allow."""

import sys
from wsgiref.simple_server import WSGIRequestHandler, make_server

HOME = b"""<!doctype html>
<html lang="en"><head><title>Shop</title></head>
<body><h1>Shop</h1><p>Welcome.</p><a href="/products?q=tea">Tea</a> <a href="/login">Sign in</a></body></html>"""
LOGIN = b"""<!doctype html>
<html lang="en"><head><title>Sign in</title></head>
<body><h1>Sign in</h1><form method="post" action="/login"><input name="user"><input type="password" name="password">
<button>Sign in</button></form></body></html>"""


def error_page(title, text):
    return (
        f"<!doctype html>\n<html lang=en>\n<title>{title}</title>\n<h1>{title.split(' ', 1)[1]}</h1>\n<p>{text}</p>\n"
    ).encode()


def products(environ):
    query = environ.get("QUERY_STRING", "")
    value = query[2:] if query.startswith("q=") else ""
    escaped = value.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return f"<!doctype html><title>Products</title><h1>Products</h1><p>Nothing found for {escaped}.</p>".encode()


ROUTES = {"/": lambda _environ: HOME, "/login": lambda _environ: LOGIN, "/products": products}


def application(environ, start_response):
    path, method = environ["PATH_INFO"], environ["REQUEST_METHOD"]
    headers = [("Content-Type", "text/html; charset=utf-8")]
    if path not in ROUTES:
        body = error_page(
            "404 Not Found",
            "The requested URL was not found on the server. If you entered the URL manually please check your spelling.",
        )
        start_response("404 NOT FOUND", headers + [("Content-Length", str(len(body)))])
        return [body]
    if method not in ("GET", "HEAD", "OPTIONS"):
        body = error_page("405 Method Not Allowed", "The method is not allowed for the requested URL.")
        start_response("405 METHOD NOT ALLOWED", headers + [("Allow", "GET, HEAD, OPTIONS"), ("Content-Length", str(len(body)))])
        return [body]
    body = ROUTES[path](environ)
    cookie = ("Set-Cookie", "session=eyJjYXJ0IjpbXX0.ZzZzZw.abc; HttpOnly; Path=/")
    start_response("200 OK", headers + [cookie, ("Content-Length", str(len(body)))])
    return [body if method == "GET" else b""]


class Handler(WSGIRequestHandler):
    def log_message(self, *_args):
        pass


make_server("127.0.0.1", int(sys.argv[1]), application, handler_class=Handler).serve_forever()
