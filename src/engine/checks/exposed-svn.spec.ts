import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { lookalikeSites } from '../testing/lookalike-sites';
import { exposedSvn } from './exposed-svn';

const at = (path: string, body: string): Site => ({
  pages: { [path]: { headers: { 'content-type': 'application/octet-stream' }, body } },
});
const ENTRIES = '10\n\ndir\n1543\nhttps://svn.target.test/shop/trunk\n';

truthTable(exposedSvn, {
  scheme: 'http',
  vulnerable: at('/.svn/wc.db', 'SQLite format 3\0\x10\0\x01\x01\0@'),
  fixed: {},
  alsoVulnerable: { 'it is an old one': at('/.svn/entries', ENTRIES) },
  softErrors: lookalikeSites(ENTRIES),
  alsoFixed: {
    'it is a number': at('/.svn/entries', '12\n'),
  },
});
