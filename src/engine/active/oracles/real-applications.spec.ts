import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lookFirst } from '../../assess';
import type { WebCheck } from '../../check';
import { headerInjection } from '../../checks/header-injection';
import { pathTraversal } from '../../checks/path-traversal';
import { reflectedInput } from '../../checks/reflected-input';
import { templateInjection } from '../../checks/template-injection';
import { ProbeSession } from '../../probe-session';
import { binaryOf, freePort, RealServer } from '../../testing/real-server';
import { Transport } from '../../transport/transport';
import { type InsertionPoint, placeOfPoint } from '../insertion-point';

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
import sys
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit, parse_qs
from jinja2 import Template
class Handler(BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def do_GET(self):
        url = urlsplit(self.path)
        q = parse_qs(url.query).get('q', ['red'])[0]
        header = q if url.path == '/header' else 'none'
        page = {'/template': lambda: Template('<p>Hello ' + q + '</p>').render(),
                '/value': lambda: Template('<p>Hello {{ q|e }}</p>').render(q=q)}
        body = page.get(url.path, lambda: '<p>Home</p>')().encode()
        self.send_response(200)
        self.send_header('Content-Type', 'text/html')
        self.send_header('X-Search', header)
        self.send_header('Content-Length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *_): pass
ThreadingHTTPServer(('127.0.0.1', int(sys.argv[1])), Handler).serve_forever()
`;

/** As a user who may write nothing. */
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

/** Tests each path of a running application with one check. */
function onApplication(
  { source, start }: Application,
  cases: readonly (readonly [path: string, check: WebCheck, state: string])[],
): void {
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

(php === null ? describe.skip : describe)('an application in PHP', () => {
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

(hasJinja ? describe : describe.skip)('an application in Python', () => {
  onApplication(OF_PYTHON, [
    ['/template', templateInjection, 'vulnerable: .*by Jinja2'],
    ['/value', templateInjection, 'not_vulnerable'],
    ['/value', reflectedInput, 'not_vulnerable'],
    ['/header', headerInjection, 'vulnerable'],
    ['/value', headerInjection, 'not_vulnerable'],
  ]);
});
