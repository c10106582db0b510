import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { htmlPage } from '../testing/html-page';
import { insecureForm } from './insecure-form';

const page = (body: string, headers = {}): Site => ({ headers, pages: htmlPage('', body) });
const form = (action: string): string => `<form method="post" ${action}><input name="q"></form>`;
const PLAIN = form('action="http://target.test/search"');

truthTable(insecureForm, {
  vulnerable: page(PLAIN),
  fixed: page(form('action="https://target.test/search"')),
  alsoVulnerable: {
    'it is written in another way': page(form("ACTION = ' HTTP://target.test/search'")),
    'it has character references': page(form('action="http&#58;//target.test/search"')),
    'it has named character references': page(form('action="http&colon;&sol;/target.test/search"')),
    'a button says so': page(`${form('action="/search"')}<button formaction="http://target.test/save">Save</button>`),
    'an image as a button says so': page(form('').replace('name="q"', 'type=image formaction="http://target.test/"')),
    'the base of the page says so': page(`<base href="http://target.test/">${form('action="search"')}`),
  },
  alsoFixed: {
    'it is a path': page(form('action=/search')),
    'a plain base has no form with an action': page(`<base href="http://target.test/">${form('action=""')}`),
    'only a second base is plain': page(`<base href="/"><base href="http://target.test/">${form('action="a"')}`),
    'it has no action': page(form('data-action="http://target.test/"')),
    'it is in a comment': page(`<!-- ${PLAIN} -->${form('')}`),
    'it is in a script': page(`<script>write('${PLAIN}')</script>${form('')}`),
    'browsers are told to use HTTPS': page(PLAIN, { 'content-security-policy': 'upgrade-insecure-requests' }),
  },
});
