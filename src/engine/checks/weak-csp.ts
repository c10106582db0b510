import { notVulnerable, vulnerable } from '../check';
import { policiesOf, type Policy } from '../protocols/http/content-security-policy';
import { isFromCache, type Page } from '../page';
import { documentCheck } from '../protocols/http/document-check';

/** The most specific directive for scripts. Without any, everything is allowed. */
const scriptSources = (policy: Policy): readonly string[] | null =>
  policy.get('script-src-elem') ?? policy.get('script-src') ?? policy.get('default-src') ?? null;

const ANY_HOST = new Set(['*', 'http:', 'https:', 'data:']);
/** An asterisk, optionally with a scheme or a port. */
const ANY_HOST_PATTERN = /^(?:https?:\/\/)?\*(?::(?:\*|\d+))?$/;
const isNonceOrHash = (source: string): boolean => /^'(?:nonce|sha256|sha384|sha512)-/.test(source);

/** Browsers ignore 'unsafe-inline' if there is a nonce or a hash, and hosts if there is 'strict-dynamic'. */
function isInlineAllowed(sources: readonly string[] | null): boolean {
  if (sources === null) return true;
  return (
    sources.includes("'unsafe-inline'") && !sources.some((one) => isNonceOrHash(one) || one === "'strict-dynamic'")
  );
}

/** In script elements, or in event handler attributes. */
const allowsInline = (policy: Policy): boolean =>
  isInlineAllowed(scriptSources(policy)) ||
  isInlineAllowed(policy.get('script-src-attr') ?? policy.get('script-src') ?? policy.get('default-src') ?? null);

function allowsAnyHost(policy: Policy): boolean {
  const sources = scriptSources(policy);
  if (sources === null) return true;
  return (
    sources.some((one) => ANY_HOST.has(one) || ANY_HOST_PATTERN.test(one)) && !sources.includes("'strict-dynamic'")
  );
}

const noncesOf = (page: Page): readonly string[] =>
  policiesOf(page).flatMap((policy) => (scriptSources(policy) ?? []).filter((source) => source.startsWith("'nonce-")));

/** Attackers know a nonce that two responses share. Responses from a cache prove nothing. */
function repeatedNonces(page: Page, earlier: Page | undefined): readonly string[] {
  if (earlier === undefined || isFromCache(page)) return [];
  const known = new Set(noncesOf(earlier));
  return noncesOf(page).filter((nonce) => known.has(nonce));
}

export const weakCsp = documentCheck(
  {
    id: 'weak-csp',
    title: 'Content Security Policy (CSP) is missing or lets any script run',
    severity: 'low',
    cwe: [693],
    owasp: ['A05:2021', 'A02:2025'],
    wstg: [],
    cvss: 'CVSS:3.1/AV:N/AC:H/PR:N/UI:R/S:U/C:N/I:L/A:N',
    references: [
      'https://www.w3.org/TR/CSP3/',
      'https://cheatsheetseries.owasp.org/cheatsheets/Content_Security_Policy_Cheat_Sheet.html',
      'https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Content-Security-Policy',
    ],
    decides:
      'Requests the page and reads all its policies, in headers and in `meta` tags. It is vulnerable if no policy is enforced, if the policies together allow every inline script or scripts of any host, or if two responses have the same nonce. It is fixed when at least one enforced policy prevents both.',
    text: `A Content Security Policy tells browsers which scripts belong to the page. Without one, or with one that
allows every inline script or scripts from everywhere, a single place where input is not escaped is enough to run an
attacker's script in the session of every visitor.

**How to fix it.** Begin in report-only mode (\`Content-Security-Policy-Report-Only\`), fix what it reports, then
enforce it:

    Content-Security-Policy: default-src 'self'; object-src 'none'; base-uri 'none'

Scripts within the page need a nonce (\`script-src 'nonce-…'\`, new with each answer) or a hash, not
\`'unsafe-inline'\`. Hosts are named one by one: \`*\`, \`https:\` and \`data:\` allow scripts of any site.`,
  },
  (page, earlier) => {
    const policies = policiesOf(page);
    if (policies.length === 0) {
      const reports = page.headers.get('content-security-policy-report-only') !== null;
      return vulnerable(
        `The page has no Content-Security-Policy${reports ? ' that is enforced: it only reports' : ''}.`,
      );
    }
    // A script runs only if every policy allows it.
    if (policies.every((policy) => scriptSources(policy) === null))
      return vulnerable('The Content-Security-Policy says nothing about scripts.');
    if (policies.every(allowsInline)) return vulnerable('The Content-Security-Policy allows every inline script.');
    const repeated = repeatedNonces(page, earlier);
    if (
      policies.every((policy) => allowsInline(policy) || scriptSources(policy)?.some((one) => repeated.includes(one)))
    )
      return vulnerable('The Content-Security-Policy has the same nonce in two responses.');
    if (policies.every(allowsAnyHost)) return vulnerable('The Content-Security-Policy allows scripts from any host.');
    return notVulnerable('a Content-Security-Policy restricts scripts');
  },
);
