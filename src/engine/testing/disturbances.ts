import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type Disturbance, type Reply, send, type Service } from './target-server';

const replying =
  (reply: Reply): Disturbance =>
  (_request, response) => {
    send(response, reply);
    return true;
  };

const LOGIN_PAGE =
  '<!doctype html><title>Sign in</title><form><input name="user"><input type="password" name="p"></form>';
const OTHER_HOST = `<!doctype html><html><head><title>Bakery</title></head><body><h2 class="brand">Our daily bread</h2>
<div class="oven"><p>Rolls, pretzels and rye from seven in the morning until noon</p></div></body></html>`;
const DENIED = '<html><body><h1>Access denied</h1><p>Your request was blocked. Event 81723.</p></body></html>';

/** A target that looks fixed because something else answers for it, or because it does not answer. */
export const WEB_DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  'a firewall answers 403': replying({ status: 403, body: DENIED }),
  'a firewall answers 406': replying({ status: 406, headers: { 'cf-mitigated': 'challenge' }, body: 'no' }),
  'a bot wall answers 200': replying({ body: '<title>Just a moment...</title><div class="cf-chl-widget"></div>' }),
  'a captcha answers 200': replying({
    body: '<!doctype html><title>Are you human?</title><form><div class="g-recaptcha" data-sitekey="k"></div></form>',
  }),
  'it limits the rate with 429': replying({ status: 429, headers: { 'retry-after': '60' }, body: 'slow down' }),
  'the gateway answers 502': replying({ status: 502, body: '<h1>502 Bad Gateway</h1>' }),
  'it is in maintenance with 503': replying({ status: 503, body: 'back soon' }),
  'it redirects to a login': replying({ status: 302, headers: { location: '/login?next=1' } }),
  'it shows a login': replying({ body: LOGIN_PAGE }),
  'it asks for credentials with 401': (_request, response) => {
    send(response, { status: 401, headers: { 'www-authenticate': 'Basic realm="gate"', server: 'gate' } });
    return true;
  },
  'it redirects to another host': replying({ status: 301, headers: { location: 'https://parked.test/' } }),
  'it resets the connection during the answer': (_request, response, line) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => line.resetAndDestroy());
    return true;
  },
  'it closes the connection during the answer': (_request, response) => {
    response.writeHead(200, { 'content-length': '1000' });
    response.write('half', () => response.socket?.end());
    return true;
  },
  'it sends a decompression bomb': (_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(BOMB);
    return true;
  },
};

const cutShort: Disturbance = (_request, response) => {
  response.shouldKeepAlive = false;
  response.useChunkedEncodingByDefault = false;
  response.writeHead(200, { 'content-type': 'text/plain' }).end('The beginning of wha');
  return true;
};

/** Only for single paths. From the whole target, each of them would simply be a different page. */
export const PATH_DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  'it redirects to another port': ({ headers, url }, response) => {
    const [name] = headers.host?.split(':') ?? [];
    send(response, { status: 301, headers: { location: `https://${name}:1${url}` } });
    return true;
  },
  'it answers 304': replying({ status: 304 }),
  'it answers with an empty body': replying({}),
  'it closes early, without a content length': cutShort,
};

/** Only for single paths of a site without TLS: the weakness may still be there over HTTPS. */
export const toHttps: Disturbance = ({ headers, url, socket }, response) => {
  if ('encrypted' in socket) return false;
  send(response, { status: 301, headers: { location: `https://${headers.host}${url}` } });
  return true;
};

/** Only for the whole target: another site does not answer single paths. */
export const WHOLE_DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  'another virtual host answers': replying({ headers: { server: 'target/1.2.3' }, body: OTHER_HOST }),
  'another virtual host has nothing there': replying({ status: 404, body: 'no such host' }),
};

/** Each of these lasts until the exchange times out. */
export const SLOW_DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  'it is silent': () => true,
  'it drips': (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    const drip = setInterval(() => response.write('.'), 10);
    response.on('close', () => clearInterval(drip));
    return true;
  },
};

/** Larger than the limit of a test target's transport. */
const BOMB = gzipSync(Buffer.alloc(2_000_000));

/** Applies a disturbance to all requests but those of the control. */
export const elsewhere =
  (isControl: (request: IncomingMessage) => boolean, disturbance: Disturbance): Disturbance =>
  (request, response, line) =>
    !isControl(request) && disturbance(request, response, line);

const onData =
  (act: (socket: Parameters<Service>[0]) => void): Service =>
  (socket) =>
    void socket.once('data', () => act(socket));

export const SERVICE_DISTURBANCES: Readonly<Record<string, Service>> = {
  'it closes the connection': (socket) => socket.end(),
  'it resets at once': (socket) => socket.resetAndDestroy(),
  'it closes the connection after the question': onData((socket) => socket.end()),
  'it resets the connection during the answer': onData(
    (socket) => void socket.write('-', () => socket.resetAndDestroy()),
  ),
  'a web server answers': onData((socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')),
  'another service answers': (socket) => {
    socket.write('SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n');
    socket.once('data', () => socket.end('Invalid SSH identification string.\r\n'));
  },
  'a proxy in front of it fails': onData((socket) => socket.end('-ERR upstream failure\r\n')),
  'a flood answers': (socket) => {
    const fill = (): void => {
      while (!socket.destroyed && socket.write('x'.repeat(16_384)));
    };
    socket.on('drain', fill);
    fill();
  },
};
