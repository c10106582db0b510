import type { SignedEvidence } from '../../engine';
import { previewText, refusedIn } from './preview-blocked';

const FINDING = {
  id: 7,
  organizationId: 1,
  title: 'A .env file is public',
  location: 'https://shop.test/',
  isOpen: false,
  retest: '019a8c5e-7b00-7cc4-9a53-0d4f2c6b1e77',
};

const exchange = (path: string, status: number) => ({
  sent: `GET ${path} HTTP/1.1\r\n\r\n`,
  received: `HTTP/1.1 ${status}\r\n`,
});

const evidence = (...exchanges: object[]): SignedEvidence =>
  ({
    evidence: { baseline: { on: 'web', decisive: { kind: 'http', key: 'GET /.env' } }, probes: [{ exchanges }] },
  }) as unknown as SignedEvidence;

it('a fix rests on a refusal if the tested path got one, and missing paths got another answer', () => {
  expect(refusedIn(evidence(exchange('/.env?a=1', 403), exchange('/nothing-1', 404)), FINDING)).toEqual({
    ...FINDING,
    status: 403,
    missingStatus: 404,
  });
});

it.each([
  ['what missing paths get', [exchange('/.env', 404), exchange('/nothing-1', 404)]],
  ['a page', [exchange('/.env', 200), exchange('/nothing-1', 404)]],
  ['nothing', [exchange('/nothing-1', 404)]],
])('a fix rests on no refusal if the tested path got %s', (_what, exchanges) => {
  expect(refusedIn(evidence(...exchanges), FINDING)).toBeNull();
});

it('the text names the findings, the jobs and the way out', () => {
  const refused = { ...FINDING, status: 403, missingStatus: 404 };
  const text = previewText({ findings: [refused], jobs: [{ uuid: 'a', url: 'https://shop.test/', findings: [7] }] });
  expect(text).toContain('finding 7 of organization 1 (resolved)');
  expect(text).toContain('403, while a missing path gets 404');
  expect(text).toContain('job a of https://shop.test/: findings 7');
  expect(text).toContain('refusals_count_as_fixed');
  expect(previewText({ findings: [], jobs: [] })).toContain('No fix rests on a refusal');
});
