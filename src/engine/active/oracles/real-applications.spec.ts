import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookFirst } from '../../assess';
import type { WebCheck } from '../../check';
import { commandInjection } from '../../checks/command-injection';
import { headerInjection } from '../../checks/header-injection';
import { pathTraversal } from '../../checks/path-traversal';
import { reflectedInput } from '../../checks/reflected-input';
import { sqlInjection } from '../../checks/sql-injection';
import { templateInjection } from '../../checks/template-injection';
import { ProbeSession } from '../../probe-session';
import { describeUnless } from '../../testing/describe-unless';
import { binaryOf, freePort, RealServer } from '../../testing/real-server';
import { Transport } from '../../transport/transport';
import type { InsertionPoint } from '../../experiment-record';
import { placeOfPoint } from '../insertion-point';

const PHP = `<?php
if ($_SERVER['REQUEST_URI'] === '/') { echo '<p>Home</p>'; return; }
$q = $_GET['q'] ?? 'red';
switch (strtok($_SERVER['REQUEST_URI'], '?')) {
  case '/include': include __DIR__ . '/' . $q; break;
  case '/basename': @include __DIR__ . '/' . basename($q); break;
  case '/exists': echo file_exists(__DIR__ . '/' . $q) ? 'There is one' : 'There is none'; break;
  case '/echo': echo "<p>$q</p>"; break;
  case '/escaped': echo '<p>' . htmlspecialchars($q) . '</p>'; break;
  default: http_response_code(404); echo '<p>Not found</p>';
}`;
const PYTHON = `
import sqlite3, subprocess, sys
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit, parse_qs
from jinja2 import Template
def found(statement, *values):
    database = sqlite3.connect(':memory:')
    database.execute("CREATE TABLE pages AS SELECT 'red' AS name, 'The red page' AS title")
    return ''.join('<p>' + title + '</p>' for [title] in database.execute(statement, values))
def output(command, **options):
    return '<pre>' + escape(subprocess.run(command, capture_output=True, text=True, **options).stdout) + '</pre>'
class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        url = urlsplit(self.path)
        q = parse_qs(url.query).get('q', ['red'])[0]
        header = q if url.path == '/header' else 'none'
        page = {'/template': lambda: Template('<p>Hello ' + q + '</p>').render(),
                '/value': lambda: Template('<p>Hello {{ q|e }}</p>').render(q=q),
                '/sql': lambda: found("SELECT title FROM pages WHERE name = '" + q + "'"),
                '/sql-value': lambda: found('SELECT title FROM pages WHERE name = ?', q),
                '/command': lambda: output('echo ' + q, shell=True),
                '/command-value': lambda: output(['echo', q])}
        status = 200
        try:
            body = page.get(url.path, lambda: '<p>Home</p>')().encode()
        except Exception:
            status, body = 500, b'<p>It failed</p>'
        self.send_response(status)
        self.send_header('Content-Type', 'text/html')
        self.send_header('X-Search', header)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass
ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
`;

const NODE = `
const { execFile, exec } = require('node:child_process');
const { createServer } = require('node:http');
const text = (value) => value.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
const pages = {
  '/command': (q, end) => exec('echo ' + q, (_error, output) => end(text(output))),
  '/command-value': (q, end) => execFile('echo', [q], (_error, output) => end(text(output))),
};
createServer(({ url }, response) => {
  const { pathname, searchParams } = new URL(url, 'http://x.test');
  const end = (body) => response.setHeader('content-type', 'text/html').end('<title>Pages</title>' + body);
  (pages[pathname] ?? ((_q, home) => home('<p>Home</p>')))(searchParams.get('q') ?? 'red', end);
}).listen(Number(process.argv[2]), '127.0.0.1');
`;

/** Runs as a user without write permissions. */
const launch = (binary: string, args: readonly string[]): ReturnType<typeof spawn> =>
  spawn(binary, args, { stdio: 'ignore', ...(process.getuid?.() === 0 && { uid: 65_534, gid: 65_534 }) });

const php = binaryOf('php');
const PYTHON_BINARY = '/usr/bin/python3';
const hasJinja = spawnSync(PYTHON_BINARY, ['-c', 'import jinja2']).status === 0;

interface Application {
  readonly source: string;
  start(file: string, port: number): Promise<RealServer>;
}
const OF_PHP: Application = {
  source: PHP,
  start: (file, port) => RealServer.start(php ?? '', port, ['-S', `127.0.0.1:${port}`, file], launch),
};
const OF_PYTHON: Application = {
  source: PYTHON,
  start: (file, port) => RealServer.start(PYTHON_BINARY, port, [file, String(port)], launch),
};

const OF_NODE: Application = {
  source: NODE,
  start: (file, port) => RealServer.start(process.execPath, port, [file, String(port)], launch),
};
type Case = readonly [path: string, check: WebCheck, state: string];
const COMMANDS: readonly Case[] = [
  ['/command', commandInjection, 'vulnerable: A shell computes'],
  ['/command-value', commandInjection, 'not_vulnerable'],
  ['/command', sqlInjection, 'not_vulnerable'],
];

/** Tests each path of a running application with one check. */
function onApplication({ source, start }: Application, cases: readonly Case[]): void {
  let folder = '';
  let server: RealServer | null = null;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-application-'));
    await chmod(folder, 0o755);
    const file = join(folder, 'application');
    await writeFile(file, source);
    await writeFile(join(folder, 'red'), '<p>The red page</p>');
    server = await start(file, await freePort());
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true });
  });

  it.each(cases)('%s', async (path, check, state) => {
    const port = server?.port ?? 0;
    const transport = new Transport({
      userAgent: 'engine-tests',
      egressAllow: [{ address: '127.0.0.1', port }],
      limits: { perSecond: 1_000 },
    });
    const point: InsertionPoint = { request: { path: `${path}?q=red` }, kind: 'query', name: 'q', value: 'red' };
    const place = placeOfPoint({ scheme: 'http', host: '127.0.0.1', port, path: '/' }, point);
    const session = new ProbeSession(transport, { signal: new AbortController().signal });
    const { observation } = await lookFirst(check, place, session, { experiment: { point } });
    expect(`${observation.state}: ${observation.detail}`).toMatch(new RegExp(`^${state}`));
  });
}

describeUnless(php === null ? 'PHP is not installed' : null, 'an application in PHP', () => {
  onApplication(OF_PHP, [
    ['/include', pathTraversal, 'vulnerable: .*Linux version'],
    ['/basename', pathTraversal, 'not_vulnerable'],
    ['/exists', pathTraversal, 'vulnerable: .*looked up'],
    ['/echo', pathTraversal, 'not_vulnerable'],
    ['/echo', templateInjection, 'not_vulnerable'],
    ['/echo', reflectedInput, 'vulnerable'],
    ['/escaped', reflectedInput, 'not_vulnerable'],
  ]);
});

describeUnless(hasJinja ? null : 'Jinja2 is not installed', 'an application in Python', () => {
  onApplication(OF_PYTHON, [
    ['/template', templateInjection, 'vulnerable: .*by Jinja2'],
    ['/value', templateInjection, 'not_vulnerable'],
    ['/value', reflectedInput, 'not_vulnerable'],
    ['/header', headerInjection, 'vulnerable'],
    ['/value', headerInjection, 'not_vulnerable'],
    ['/sql', sqlInjection, 'vulnerable: SQLite evaluates'],
    ['/sql-value', sqlInjection, 'not_vulnerable'],
    ['/sql', commandInjection, 'not_vulnerable'],
    ...COMMANDS,
  ]);
});

describe('an application in Node', () => onApplication(OF_NODE, COMMANDS));
