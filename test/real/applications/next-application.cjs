const { createServer } = require('node:http');

// As Next.js answers: hydrated pages, 404 and 405 with a page of its own, 308 without the last slash, images on demand.
const page = (title, body, status = 200) => ({
  status,
  type: 'text/html; charset=utf-8',
  body: `<!DOCTYPE html><html lang="en"><head><meta charSet="utf-8"/><title>${title}</title><script src="/_next/static/chunks/main.js" defer=""></script></head><body><div id="__next">${body}</div><script id="__NEXT_DATA__" type="application/json">{"props":{"pageProps":{}},"page":"/","query":{},"buildId":"b1"}</script></body></html>`,
});
const ROUTES = {
  '/': () => page('Blog', '<h1>Blog</h1><a href="/posts/first">First post</a><a href="/contact">Contact</a>'),
  '/posts/first': () => page('First post', '<article><h1>First post</h1></article>'),
  '/contact': () =>
    page(
      'Contact',
      '<form action="/api/contact" method="post"><input name="mail"/><div class="g-recaptcha" data-sitekey="k"></div></form>',
    ),
  '/_next/static/chunks/main.js': () => ({
    status: 200,
    type: 'application/javascript; charset=UTF-8',
    body: '(self.webpackChunk=[]).push([]);',
  }),
  '/api/health': () => ({ status: 200, type: 'application/json; charset=utf-8', body: '{"ok":true}' }),
};

createServer(({ url = '/', method = 'GET' }, response) => {
  const { pathname, search } = new URL(url, 'http://localhost');
  response.setHeader('X-Powered-By', 'Next.js');
  if (pathname !== '/' && pathname.endsWith('/')) {
    response.writeHead(308, { location: `${pathname.replace(/\/+$/, '') || '/'}${search}` }).end();
    return;
  }
  const isKnown = Object.hasOwn(ROUTES, pathname);
  const isWrongMethod = isKnown && method !== 'GET' && method !== 'HEAD';
  const { status, type, body } = isWrongMethod
    ? { ...page('405: Method Not Allowed', '<h1>405</h1><h2>Method Not Allowed</h2>', 405) }
    : isKnown
      ? ROUTES[pathname]()
      : page('404: This page could not be found', '<h1>404</h1><h2>This page could not be found.</h2>', 404);
  if (isWrongMethod) response.setHeader('Allow', 'GET, HEAD');
  response.setHeader('Cache-Control', 's-maxage=31536000, stale-while-revalidate');
  response.setHeader('ETag', `"${body.length.toString(36)}"`);
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(method === 'HEAD' ? undefined : body);
}).listen(Number(process.argv[2]), '127.0.0.1');
