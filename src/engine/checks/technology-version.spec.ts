import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { htmlPage } from '../testing/html-page';
import { technologyVersion } from './technology-version';

const powered = (value: string): Site => ({ headers: { 'x-powered-by': value }, pages: htmlPage('') });
const generated = (tag: string): Site => ({ pages: htmlPage(tag) });

truthTable(technologyVersion, {
  scheme: 'http',
  vulnerable: powered('PHP/7.4.3'),
  fixed: powered('PHP'),
  alsoVulnerable: {
    'another field tells it': { headers: { 'x-aspnet-version': '4.0.30319' }, pages: htmlPage('') },
    'the page tells it': generated('<meta name="generator" content="WordPress 6.4.2" />'),
    'the redirect to the page tells it': {
      answer: ({ url }) =>
        url === '/' ? { status: 302, headers: { location: '/start', 'x-powered-by': 'PHP/7.4.3' } } : null,
      pages: { '/start': htmlPage('')['/'] },
    },
  },
  alsoFixed: {
    'the page names the product alone': generated('<meta name="generator" content="WordPress" />'),
    'the version is of something else': generated('<meta name="description" content="WordPress 6.4.2 for beginners">'),
  },
});
