import { notVulnerable, vulnerable } from '../check';
import { documentCheck } from '../protocols/http/document-check';
import { metaContents } from '../protocols/http/markup';

/** Whether each policy sends the full URL of a page to other sites. Browsers ignore unknown policies. */
const TELLS_ALL: Readonly<Record<string, boolean>> = {
  'no-referrer': false,
  'no-referrer-when-downgrade': true,
  origin: false,
  'origin-when-cross-origin': false,
  'same-origin': false,
  'strict-origin': false,
  'strict-origin-when-cross-origin': false,
  'unsafe-url': true,
};

export const unsafeReferrerPolicy = documentCheck(
  {
    id: 'unsafe-referrer-policy',
    title: 'Referrer-Policy: the full URL of the page is sent to other sites',
    severity: 'info',
    cwe: [200],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: [],
    cvss: null,
    references: [
      'https://www.w3.org/TR/referrer-policy/',
      'https://cheatsheetseries.owasp.org/cheatsheets/HTTP_Headers_Cheat_Sheet.html',
      'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Referrer-Policy',
    ],
    decides:
      'Requests the page and determines its effective referrer policy from headers and `meta` tags. It is vulnerable if that policy is `unsafe-url` or `no-referrer-when-downgrade`. It is fixed when the policy, or the default of browsers, sends at most the origin to other sites over HTTPS.',
    text: `The page's referrer policy makes browsers send its full URL, with path and query, to every other site that it links to or
loads content from. URLs often contain confidential data: names, search terms, tokens of password resets. Without the
policy browsers would send only the origin.

**How to fix it.** Remove the policy, or set

    Referrer-Policy: strict-origin-when-cross-origin`,
  },
  (page) => {
    // The last known policy applies, and browsers read the page after the header.
    const words = [...page.headers.all('referrer-policy'), ...metaContents(page.text, 'referrer')]
      .flatMap((field) => field.split(','))
      .map((word) => word.trim().toLowerCase())
      .filter((word) => Object.hasOwn(TELLS_ALL, word));
    const policy = words.at(-1);
    if (policy === undefined)
      return notVulnerable('it has no referrer policy, and browsers send only the origin by default');
    return TELLS_ALL[policy] === true
      ? vulnerable(`The referrer policy is ${policy}.`)
      : notVulnerable(`its referrer policy is ${policy}`);
  },
);
