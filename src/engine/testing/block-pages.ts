/** Pages in the shapes of firewalls and sites: what each is, and its markup. The texts are shortened. */
type NamedPage = readonly [what: string, html: string];

const minimal = (title: string, body: string): string =>
  `<!DOCTYPE html><html><head><title>${title}</title><style>body{font-family:sans-serif}</style></head><body>${body}</body></html>`;

/** Pages that say that they have blocked the request, with an id, and contain no part of a site. */
export const BLOCK_PAGES: readonly NamedPage[] = [
  [
    'an edge with entities in its id',
    '<HTML><HEAD>\n<TITLE>Access Denied</TITLE>\n</HEAD><BODY>\n<H1>Access Denied</H1>\nYou don\'t have permission to access "http&#58;&#47;&#47;target&#46;test&#47;" on this server.<P>\nReference&#32;&#35;18&#46;2d351ab8&#46;1557333295&#46;a4e16ab\n</BODY>\n</HTML>',
  ],
  [
    'a rule with a page of its own',
    minimal('Blocked', '<h1>Your request has been blocked.</h1><p>Reference 18.77</p>'),
  ],
  [
    'an appliance with a support id',
    minimal(
      'Request Rejected',
      '<p>Your request was rejected by our security policy.</p><p>Your support ID is: 4401927735028176612</p>',
    ),
  ],
  [
    'a service with an incident id in an element for code',
    minimal(
      'Denied',
      '<p>Access from your network was denied.</p><p>Incident ID: <code>922000180061883541-30512</code></p>',
    ),
  ],
  [
    'a gateway of a cloud',
    '<html><head><title>Azure</title></head><body><h2>The request is blocked.</h2><p>Ref: 20261123T091500Z-r1d2c3</p></body></html>',
  ],
  [
    'a proxy with scripts of its own below the site',
    minimal(
      'Denied',
      '<script src="/cdn-cgi/scripts/a.js"></script><h1>Access denied</h1><p>Ray ID: 8d1f0c2ab3e94f55</p><p>You are blocked.</p>',
    ),
  ],
  ['an API behind a wall', '{"message":"Request blocked","support_id":"7140198812205519"}'],
  ['a wall with plain text', 'Access denied by security policy. Event ID: 81723-AC'],
];

/** Pages of a site that contain some of these words. */
export const PAGES_OF_SITES: readonly NamedPage[] = [
  [
    'a confirmation with a reference',
    minimal('Thank you', '<p>Your request was received.</p><p>Reference 2026-1182</p>'),
  ],
  [
    'an error without an id',
    minimal('Forbidden', '<h1>Access denied</h1><p>You do not have permission to see this page.</p>'),
  ],
  [
    'an error with the style of the site',
    '<!doctype html><title>Access denied</title><link rel="stylesheet" href="/assets/site.css"><h1>Access to this order was denied</h1><p>Reference 88120-4</p>',
  ],
  [
    'an error with the logo of the site',
    '<!doctype html><title>No access</title><img src="/logo.svg" alt=""><p>Your access is blocked until you pay.</p><p>Support number: 0800-55512</p>',
  ],
  [
    'a page with the frame of a site',
    '<!doctype html><title>Account</title><nav><a href="/">Home</a></nav><p>Your access was blocked. Reference 18.7712</p>',
  ],
  [
    'a manual that quotes a wall',
    minimal(
      'Error pages',
      '<h1>Error pages</h1><p>Clients get:</p><pre>Your request has been blocked. Reference 18.77</pre>',
    ),
  ],
  [
    'a link to a message about a wall',
    minimal('Posts', '<ul><li><a href="/1">Your request has been blocked, reference 18.7712</a></li></ul>'),
  ],
  [
    'an article about an incident',
    minimal(
      'Incident 81723',
      `<h1>Incident 81723</h1><p>Some requests were blocked.</p><p>${'We have looked at all logs of that day. '.repeat(60)}</p>`,
    ),
  ],
  [
    'an error of a store of files',
    '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>Access Denied</Message><RequestId>7Q8W2E1R</RequestId></Error>',
  ],
];
