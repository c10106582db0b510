const { createServer } = require('node:http');

// As Spring Boot answers: errors as JSON or as the Whitelabel page, JSESSIONID, 405 with Allow, health of the actuator.
const ROUTES = {
  '/': () => ({
    type: 'text/html;charset=UTF-8',
    body: '<!DOCTYPE html><html><head><title>Orders</title></head><body><h1>Orders</h1><a href="/orders/1">Order 1</a><a href="/error">Last error</a></body></html>',
  }),
  '/orders/1': () => ({ type: 'application/json', body: '{"id":1,"state":"sent"}' }),
  '/actuator/health': () => ({ type: 'application/vnd.spring-boot.actuator.v3+json', body: '{"status":"UP"}' }),
};

function errorOf(status, name, path, accept) {
  const timestamp = new Date().toISOString();
  if (!accept.includes('text/html'))
    return { status, type: 'application/json', body: JSON.stringify({ timestamp, status, error: name, path }) };
  const body = `<html><body><h1>Whitelabel Error Page</h1><p>This application has no explicit mapping for /error, so you are seeing this as a fallback.</p><div id='created'>${timestamp}</div><div>There was an unexpected error (type=${name}, status=${status}).</div></body></html>`;
  return { status, type: 'text/html;charset=UTF-8', body };
}

createServer(({ url = '/', method = 'GET', headers }, response) => {
  const { pathname } = new URL(url, 'http://localhost');
  const accept = headers.accept ?? '';
  const isKnown = Object.hasOwn(ROUTES, pathname);
  if (isKnown && !['GET', 'HEAD', 'OPTIONS'].includes(method)) response.setHeader('Allow', 'GET,HEAD,OPTIONS');
  const {
    status = 200,
    type,
    body,
  } = pathname === '/error'
    ? errorOf(500, 'None', pathname, accept)
    : !isKnown
      ? errorOf(404, 'Not Found', pathname, accept)
      : response.hasHeader('Allow')
        ? errorOf(405, 'Method Not Allowed', pathname, accept)
        : ROUTES[pathname]();
  if (pathname === '/') response.setHeader('Set-Cookie', 'JSESSIONID=1A2B3C4D5E6F; Path=/; HttpOnly');
  response.setHeader('Vary', 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers');
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(method === 'HEAD' ? undefined : body);
}).listen(Number(process.argv[2]), '127.0.0.1');
