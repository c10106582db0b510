import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { htmlPage } from '../testing/html-page';
import { unsafeReferrerPolicy } from './unsafe-referrer-policy';

const policy = (value: string, meta = ''): Site => ({
  headers: { 'referrer-policy': value },
  pages: htmlPage(meta),
});

truthTable(unsafeReferrerPolicy, {
  scheme: 'http',
  vulnerable: policy('unsafe-url'),
  fixed: policy('strict-origin-when-cross-origin'),
  alsoVulnerable: {
    'it is the default of long ago': policy('no-referrer-when-downgrade'),
    'the last known word counts': policy('no-referrer, unsafe-url, whatever'),
    'the page itself says it': policy('no-referrer', "<meta name='referrer' content='unsafe-url'>"),
  },
  alsoFixed: {
    'the page itself says better': policy('unsafe-url', '<meta content=no-referrer name=referrer>'),
    'it is left to the browser': policy('whatever'),
  },
});
