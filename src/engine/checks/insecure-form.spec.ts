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
  alsoVulnerable: { 'it is written in another way': page(form("ACTION = ' HTTP://target.test/search'")) },
  alsoFixed: {
    'it is a path': page(form('action=/search')),
    'it has no action': page(form('data-action="http://target.test/"')),
    'it is in a comment': page(`<!-- ${PLAIN} -->${form('')}`),
    'it is in a script': page(`<script>write('${PLAIN}')</script>${form('')}`),
    'browsers are told to use HTTPS': page(PLAIN, { 'content-security-policy': 'upgrade-insecure-requests' }),
  },
});
