import { notVulnerable, vulnerable } from '../check';
import { documentCheck } from '../protocols/http/document-check';
import { metaContents } from '../protocols/http/markup';

/** Whether a policy tells other sites the whole address of a page. Browsers ignore words that are not here. */
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
    title: 'Other sites are told the whole address of the page',
    severity: 'info',
    cwe: 200,
    text: `The page's referrer policy has browsers send its whole address, with path and query, to every other site
that it links to or loads something from. Addresses often tell more than they should: names, search words, tokens of
password resets. Browsers would not do so by themselves; the policy asks for it.

**How to fix it.** Drop the policy, or state

    Referrer-Policy: strict-origin-when-cross-origin`,
  },
  (page) => {
    // The last word that a browser knows is the one that holds, and the page's own is read after the header.
    const words = [...page.headers.all('referrer-policy'), ...metaContents(page.text, 'referrer')]
      .flatMap((field) => field.split(','))
      .map((word) => word.trim().toLowerCase())
      .filter((word) => Object.hasOwn(TELLS_ALL, word));
    const policy = words.at(-1);
    if (policy === undefined)
      return notVulnerable('it leaves the referrer policy to browsers, which tell the origin alone');
    return TELLS_ALL[policy] === true
      ? vulnerable(`The referrer policy is ${policy}.`)
      : notVulnerable(`its referrer policy is ${policy}`);
  },
);
