import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { permissiveCrossdomainPolicy } from './permissive-crossdomain-policy';

const at = (path: string, body: string, type = 'text/plain'): Site => ({
  pages: { [path]: { headers: { 'content-type': type }, body } },
});

const policy = (domain: string): string =>
  `<?xml version="1.0"?>\n<cross-domain-policy>\n  <allow-access-from domain="${domain}"/>\n</cross-domain-policy>\n`;
const WIDE = policy('*');

truthTable(permissiveCrossdomainPolicy, {
  scheme: 'http',
  vulnerable: at('/crossdomain.xml', WIDE, 'text/xml'),
  fixed: {},
  alsoVulnerable: {
    'the element has other attributes': at('/crossdomain.xml', WIDE.replace(' domain', ' secure="false" domain')),
  },
  softErrors: lookalikeSites(WIDE),
  alsoFixed: {
    'it names the domains': at('/crossdomain.xml', policy('*.target.test'), 'text/xml'),
    'only a comment allows all': at(
      '/crossdomain.xml',
      policy('target.test').replace('</', '<!-- <allow-access-from domain="*"/> -->\n</'),
      'text/xml',
    ),
  },
  alsoBlocked: {
    'the server itself refuses it': { pages: { '/crossdomain.xml': { status: 403, body: 'Forbidden' } } },
  },
});
