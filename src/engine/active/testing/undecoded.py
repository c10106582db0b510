"""Like Flask: it decodes a path before it looks for its segments. In cookies it decodes nothing, and takes off outer quotes."""
import re
import sqlite3
import subprocess
import sys
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote, urlsplit


def found(statement, *values):
    database = sqlite3.connect(':memory:')
    database.execute("CREATE TABLE pages AS SELECT 1 AS id, 'red' AS name, 'The red page' AS title")
    return ''.join(f'<p>{title}</p>' for [title] in database.execute(statement, values))


def output(command, **options):
    return subprocess.run(command, capture_output=True, text=True, **options).stdout


PAGES = {
    'number': lambda value: found('SELECT title FROM pages WHERE id = ' + value),
    'number-fixed': lambda value: found('SELECT title FROM pages WHERE id = ?', int(value)),
    'text': lambda value: found("SELECT title FROM pages WHERE name = '" + value + "'"),
    'text-fixed': lambda value: found('SELECT title FROM pages WHERE name = ?', value),
    'quoted': lambda value: found('SELECT title FROM pages WHERE name = "' + value + '"'),
    'quoted-fixed': lambda value: found('SELECT title FROM pages WHERE name = "' + value.replace('"', '""') + '"'),
    'decoded': lambda value: '<p>' + unquote(value) + '</p>',
    'hello': lambda value: '<p>Hello ' + value + '</p>',
    'hello-fixed': lambda value: '<p>Hello ' + escape(value) + '</p>',
    'prefix': lambda value: '<p>' + escape(output('echo ' + value, shell=True)) + '</p>',
    'prefix-fixed': lambda value: '<p>' + escape(output(['echo', value])) + '</p>',
    'silent': lambda value: output('echo ' + value, shell=True) and '<p>Done</p>',
    'file': lambda value: '<p>' + open(value, encoding='utf8').read() + '</p>',
}


class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'

    def page(self):
        url = urlsplit(self.path)
        name, *segments = unquote(url.path)[1:].split('/')
        cookie = re.search(r'(?:^|; )lang=([^;]*)', self.headers.get('Cookie', ''))
        query = parse_qs(url.query).get('v')
        values = segments or query or ([re.sub('^"(.*)"$', r'\1', cookie[1].strip())] if cookie else [])
        if len(values) != 1 or name not in PAGES:
            return 404, '<p>Not found</p>'
        try:
            return 200, PAGES[name](values[0])
        except Exception:
            return 500, '<p>It failed</p>'

    def do_GET(self):
        status, text = (200, '<p>Home</p>') if self.path == '/' else self.page()
        body = text.encode()
        self.send_response(status)
        self.send_header('Content-Type', 'text/html')
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
