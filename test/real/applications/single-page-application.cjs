const { createServer } = require('node:http');

// As Grafana answers: every path is the shell of the application, its API asks to sign in, / leads to the login.
const SHELL = `<!DOCTYPE html><html lang="en-US"><head><title>Dashboards</title><base href="/"/><link rel="stylesheet" href="public/build/app.css"/></head>
<body class="theme-dark"><div class="preloader">Loading dashboards</div><div id="reactRoot"></div>
<script>window.bootData = {"user":{"isSignedIn":false},"settings":{"appSubUrl":"","buildInfo":{"edition":"Open Source"}}};</script>
<script src="public/build/app.js"></script></body></html>`;
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'deny',
  'X-Xss-Protection': '1; mode=block',
};

createServer(({ url = '/', method = 'GET' }, response) => {
  const { pathname } = new URL(url, 'http://localhost');
  const answer = (status, type, body, more = {}) =>
    response
      .writeHead(status, { ...HEADERS, 'Content-Type': type, 'Content-Length': Buffer.byteLength(body), ...more })
      .end(method === 'HEAD' ? undefined : body);
  if (pathname === '/')
    answer(302, 'text/html; charset=utf-8', '<a href="/login">Found</a>.\n', { Location: '/login' });
  else if (pathname === '/api/health') answer(200, 'application/json; charset=UTF-8', '{"database":"ok"}');
  else if (pathname.startsWith('/api/')) answer(401, 'application/json; charset=UTF-8', '{"message":"Unauthorized"}');
  else if (pathname.startsWith('/public/')) answer(404, 'application/json; charset=UTF-8', '{"message":"Not found"}');
  else if (method !== 'GET' && method !== 'HEAD')
    answer(404, 'application/json; charset=UTF-8', '{"message":"Not found"}');
  else answer(200, 'text/html; charset=UTF-8', SHELL);
}).listen(Number(process.argv[2]), '127.0.0.1');
