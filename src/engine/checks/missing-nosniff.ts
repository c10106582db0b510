import { notVulnerable, vulnerable } from '../check';
import { documentCheck } from '../protocols/http/document-check';

export const missingNosniff = documentCheck(
  {
    id: 'missing-nosniff',
    title: 'Browsers may guess the type of content',
    severity: 'low',
    cwe: 693,
    text: `Without \`X-Content-Type-Options: nosniff\` browsers look into a file and may treat it as another type than
the server states: an uploaded picture or a text that contains a script can then run as one.

**How to fix it.** Answer every request with

    X-Content-Type-Options: nosniff

and state the right \`Content-Type\` for scripts and style sheets: others are refused from then on.`,
  },
  (page) => {
    const field = page.headers.get('x-content-type-options');
    if (field === null) return vulnerable('The answer has no X-Content-Type-Options header.');
    const [first = ''] = field.split(',');
    return first.trim().toLowerCase() === 'nosniff'
      ? notVulnerable('X-Content-Type-Options is nosniff')
      : vulnerable(`The X-Content-Type-Options header says "${field}", which browsers ignore.`);
  },
);
