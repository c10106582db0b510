import { randomUUID } from 'node:crypto';
import type { Site } from '../testing/target-server';
import { truthTable } from '../testing/truth-table';
import { htmlPage } from '../testing/html-page';
import { weakCsp } from './weak-csp';

const csp = (value: string): Site => ({ headers: { 'content-security-policy': value } });
const page = (head: string): Site => ({ pages: htmlPage(head) });
/** A policy with a nonce. By default each page gets a new one. */
const withNonce = (policy: (nonce: string) => string, nonce: () => string = randomUUID): Site => ({
  answer: ({ url = '' }) => {
    const [reply] = Object.values(htmlPage(''));
    return /^\/(?:\?|$)/.test(url) && reply !== undefined ? { ...reply, ...csp(policy(nonce())) } : null;
  },
});
const META = `<meta http-equiv="Content-Security-Policy" content="default-src &#39;self&#39;">`;

truthTable(weakCsp, {
  scheme: 'http',
  vulnerable: page(''),
  fixed: { ...page(''), ...csp("default-src 'self'") },
  alsoVulnerable: {
    'handlers in attributes are allowed': { ...page(''), ...csp("script-src-elem 'self'; script-src 'unsafe-inline'") },
    'any host with a scheme is allowed': { ...page(''), ...csp('default-src https://*') },
    'it only reports': { ...page(''), headers: { 'content-security-policy-report-only': "default-src 'self'" } },
    'it is empty': { ...page(''), ...csp(' ; ') },
    'it is about frames alone': { ...page(''), ...csp("frame-ancestors 'none'") },
    'scripts may be inline': { ...page(''), ...csp("default-src 'self'; script-src 'self' 'unsafe-inline'") },
    'scripts may come from anywhere': { ...page(''), ...csp("default-src 'none'; script-src 'nonce-abc' https:") },
    'the first of two directives counts': { ...page(''), ...csp("script-src *; script-src 'self'") },
    'its nonce is always the same': withNonce(
      (nonce) => `script-src 'nonce-${nonce}'`,
      () => 'abc',
    ),
    'two policies let the same through': { ...page(''), ...csp("script-src *, script-src 'self' data:") },
    'the one in the page is a comment': page(`<!-- ${META} -->`),
  },
  alsoFixed: {
    'it is in the page': page(META),
    'a nonce overrules unsafe-inline': withNonce(
      (nonce) => `script-src 'nonce-${nonce}' 'unsafe-inline' 'strict-dynamic' https:`,
    ),
    'one of two policies does without the nonce': {
      ...page(''),
      ...csp("script-src 'nonce-abc', script-src 'self'"),
    },
    'one of two policies is strict': { ...page(''), ...csp("frame-ancestors *, default-src 'NONE'") },
    'elements are governed by their own directive': { ...page(''), ...csp("script-src *; script-src-elem 'self'") },
  },
  lookalikes: {
    'what it answers is no page any more': {
      pages: { '/': { headers: { 'content-type': 'application/json' }, body: '{"welcome":"to the target"}' } },
    },
  },
});
