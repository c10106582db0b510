import { randomBytes } from 'node:crypto';
import type { Reply, Site } from './target-server';

const NAV = `<nav class="menu"><a class="logo" href="/">Bakery</a><a class="link" href="/about">About</a><a class="link"
href="/prices">Prices</a><a class="link" href="/visit">Visit</a><a class="exit" href="/logout">Sign out</a></nav>`;

/** A page in the frame of the shop. */
export const framed = (title: string, text: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title><link rel="stylesheet" href="/shop.css"><script src="/shop.js"></script>
</head><body class="shop">${NAV}<main class="content">${text}</main><footer class="bottom">Bakery, Mill Lane</footer></body></html>`;

const ABOUT = framed(
  'About the bakery',
  '<h1>About us</h1><p>Our grandparents opened the mill after the great flood, with one oven and three apprentices.</p>',
);
const PRICES = framed(
  'What our bread costs',
  '<h1>Prices</h1><ul><li>Rye loaf, four crowns</li><li>Pretzel with butter, two crowns</li><li>Poppy cake, half a dozen</li></ul>',
);
const VISIT = framed(
  'How to find us',
  '<h1>Visit</h1><p>Take tram nine towards the harbour, leave at the old customs house, and follow the smell upstairs.</p>',
);
export const HOME = framed(
  'Bakery',
  '<h1>Fresh every morning</h1><p>Rolls and rye from seven until everything is sold.</p>',
);
export const NEW_HOME =
  '<!doctype html><html><head><title>Summer!</title></head><body class="campaign"><section class="hero"><h2>Ice cream is here</h2><p>Seven flavours, only until September</p></section></body></html>';

export const STOCK = (server: string): string =>
  `<html>\r\n<head><title>404 Not Found</title></head>\r\n<body>\r\n<center><h1>404 Not Found</h1></center>\r\n<hr><center>${server}</center>\r\n</body>\r\n</html>\r\n`;

export const notFound = (body: string, headers: Reply['headers'] = {}, status = 404): Reply => ({
  status,
  headers,
  body,
});

const asset = (type: string): Reply => ({ headers: { 'content-type': type }, body: '/* asset */' });

/** The further pages of the shop, by which it is recognized. */
export const SHOP_PAGES: NonNullable<Site['pages']> = {
  '/': HOME,
  '/about': ABOUT,
  '/prices': PRICES,
  '/visit': VISIT,
  '/shop.css': asset('text/css'),
  '/shop.js': asset('text/javascript'),
};

const pathOf = (url = '/'): string => url.split('?', 1)[0] ?? '/';

/** The shop with these pages, and one response for all other paths. */
export const shop = (missing: Reply, pages: Site['pages'] = {}): Site => ({
  pages: { ...SHOP_PAGES, ...pages },
  answer: ({ url }) => (pathOf(url) in { ...SHOP_PAGES, ...pages } ? null : missing),
});

/** The pages of the shop with weaknesses. */
export const LEAKS = {
  '/.git/HEAD': 'ref: refs/heads/main\n',
  '/.env': 'DB_PASSWORD=hunter2\n',
  '/uploads/': '<title>Index of /uploads/</title><a href="../">../</a><a href="dump.sql">dump.sql</a>',
};

export const stock = notFound(STOCK('nginx'));
export const own = notFound(framed('Not found', '<h1>Nothing here</h1><p>This page went cold. Try another one.</p>'));

/** The response of an object store for a missing or private object; its ids differ each time. */
export const denied = (): Reply => ({
  status: 403,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>${randomBytes(8).toString('hex')}</RequestId><HostId>${randomBytes(40).toString('base64')}</HostId></Error>`,
});

/** The site with the leaks of the shop, otherwise unchanged. */
export const leaking = ({ pages, answer, ...site }: Site): Site => ({
  ...site,
  pages: { ...pages, ...LEAKS },
  answer: (request) => (pathOf(request.url) in LEAKS ? null : (answer?.(request) ?? null)),
});
