import { type SiteRequest, type SiteResponse, SERVER } from './web-messages';

const page = (title: string, main: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${title}</title><link rel="stylesheet" href="/site.css"></head>
<body>
<header class="masthead"><a class="brand" href="/">Millbrook Library</a>
<nav class="primary"><a href="/visit.html">Visit</a> <a href="/events.html">Events</a> <a href="/history.html">History</a></nav></header>
<main class="article">${main}</main>
<footer class="imprint">Millbrook Library, Station Road 4</footer>
</body>
</html>
`;

export const FRONT = page(
  'Millbrook Library',
  `<h1>Read, borrow, meet</h1><p>Borrow novels, maps, games and musical instruments with one card. Members return items at any branch, even at night.</p>
<p>New this month: a collection of regional cookbooks and a listening room for vinyl records.</p>`,
);

export const VISIT = page(
  'Visit us',
  `<h1>Visit us</h1><p>We are open from ten until seven on weekdays and until four on Saturdays. Bus lines twelve and thirty stop outside.
Step-free access leads through the courtyard; bicycles can be parked beside the river wall.</p>`,
);

export const EVENTS = page(
  'Events',
  `<h1>Events</h1><p>Storytelling for children every Wednesday afternoon. Our chess club welcomes beginners on Thursdays. In spring an author reads
from unpublished letters, followed by a discussion with translators and illustrators.</p>`,
);

export const HISTORY = page(
  'History',
  `<h1>History</h1><p>A weaver founded this collection with ninety volumes in 1874. The present building, a converted grain mill, survived two floods
and was restored by volunteers, carpenters and students of architecture.</p>`,
);

/** What people make of the front page in a redesign. */
export const NEW_FRONT = `<!doctype html>
<html><head><title>millbrook. your city library</title><link rel="stylesheet" href="/assets/main.css"></head>
<body class="theme-night"><div id="root"><section class="hero wide"><h2>Everything is here</h2><input type="search" placeholder="Find a title"></section>
<ul class="tiles"><li class="tile">Digital loans</li><li class="tile">Reserve a desk</li><li class="tile">Podcast studio</li></ul>
<aside class="teaser">Workshops about robots start in autumn</aside></div><script src="/assets/main.js"></script></body></html>
`;

export const errorPage = (title: string, server = SERVER): string =>
  `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>${server}</center>\r\n</body>\r\n</html>\r\n`;

export const NOT_FOUND: SiteResponse = { status: 404, body: errorPage('404 Not Found') };

/** A page for missing paths in the frame of the site. */
export const OWN_NOT_FOUND = page(
  'This shelf is empty',
  '<h1>This shelf is empty</h1><p>There is no page at this address.</p>',
);

export const APACHE_NOT_FOUND = `<!DOCTYPE HTML PUBLIC "-//IETF//DTD HTML 2.0//EN">
<html><head>
<title>404 Not Found</title>
</head><body>
<h1>Not Found</h1>
<p>The requested URL was not found on this server.</p>
<hr>
<address>Apache/2.4.57 (Debian) Server at library Port 80</address>
</body></html>
`;

/** A small page with this title and text, as gateways and firewalls send it. */
export const notice = (title: string, text: string): string =>
  `<!doctype html><html><head><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>\n`;

const HTML: Readonly<Record<string, string>> = {
  '/': FRONT,
  '/visit.html': VISIT,
  '/events.html': EVENTS,
  '/history.html': HISTORY,
};

const FILES: Readonly<Record<string, SiteResponse>> = {
  ...Object.fromEntries(Object.entries(HTML).map(([path, body]) => [path, { status: 200, body }])),
  '/site.css': { status: 200, body: '.masthead{color:#123}', type: 'text/css' },
};

/** The site without any weakness. */
export const library = ({ path }: Pick<SiteRequest, 'path'>): SiteResponse => FILES[path] ?? NOT_FOUND;
