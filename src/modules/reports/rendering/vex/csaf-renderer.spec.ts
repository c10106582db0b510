import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { ReportGenerationError } from '../../domain/report.errors';
import { demoSnapshot, emptySnapshot } from '../testing/snapshots';
import { finding, type FindingParts, snapshotOf } from '../testing/snapshot-of';
import { csafDocument, CsafRenderer } from './csaf-renderer';

const shop = { purl: 'pkg:npm/shop@4.2.0', cpe: null };
const till = { purl: null, cpe: 'cpe:2.3:a:example:till:1.0:*:*:*:*:*:*:*' };

const stated = (...parts: readonly Partial<FindingParts>[]): ReportSnapshot =>
  snapshotOf({
    findings: parts.map((part, at) =>
      finding(at + 1, { title: 'Old library', cve: 'CVE-2026-1000', product: shop, ...part }),
    ),
  });

interface Csaf {
  readonly document: { readonly tracking: { readonly id: string } };
  readonly vulnerabilities: readonly Record<string, unknown>[];
}
const documentOf = (snapshot: ReportSnapshot): Csaf => csafDocument(snapshot) as Csaf;

/** What the validator of CSAF finds, in a process of its own because it is a module of the other kind. */
function errorsOf(...documents: readonly object[]): string {
  const program = join(__dirname, '../../../../../test/support/validate-csaf.mjs');
  const { stdout, stderr, status } = spawnSync(process.execPath, [program], {
    input: JSON.stringify(documents),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

const everyStatus = stated(
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((status) => ({
    status,
    cve: `CVE-2026-100${status}`,
    product: status % 2 ? shop : till,
  })),
);

it('is valid by the schema and the mandatory tests, which find mistakes', () => {
  const hostile = stated({ title: '"\u202e<b>', asset_value: '2001:db8::/32' });
  const documents = [demoSnapshot(), everyStatus, hostile, stated({}, { status: 7 }, { product: till })].map(
    csafDocument,
  );
  expect(errorsOf(...documents)).toBe('');
  const [vulnerability] = documentOf(everyStatus).vulnerabilities;
  const contradicting = { ...vulnerability, product_status: { fixed: ['P1'], known_affected: ['P1'] } };
  expect(errorsOf({ ...documentOf(everyStatus), vulnerabilities: [contradicting] })).toContain('mandatoryTest_6_1_6 ');
});

it.each([
  [['not_affected', 'affected'], [7, 1], { known_affected: ['P1'] }],
  [['fixed, not by a test', 'false positive'], [5, 7], { under_investigation: ['P1'] }],
  [['two false positives'], [7, 7], { known_not_affected: ['P1'] }],
])('states the worst of a CVE on a product: %j', (_names, statuses, product_status) => {
  const { vulnerabilities } = documentOf(stated(...statuses.map((status) => ({ status }))));
  expect(vulnerabilities).toMatchObject([{ cve: 'CVE-2026-1000', product_status }]);
  expect(vulnerabilities[0]?.['notes']).toHaveLength(2);
});

it('has what each status needs: an action, an impact or a flag', () => {
  const { vulnerabilities } = documentOf(everyStatus);
  const of = (status: number) => vulnerabilities.find(({ cve }) => cve === `CVE-2026-100${status}`);
  expect(of(1)).toMatchObject({ remediations: [{ details: 'It has not been assessed yet.', product_ids: ['P1'] }] });
  expect(of(7)).toMatchObject({ threats: [{ category: 'impact', product_ids: ['P1'] }] });
  expect(of(8)).toBeUndefined();
});

it('has the same id for the same statements', () => {
  const idOf = (snapshot: ReportSnapshot): string => documentOf(snapshot).document.tracking.id;
  expect(idOf(everyStatus)).toBe(idOf({ ...everyStatus, taken: '2026-12-01T00:00:00.000Z' }));
  expect(idOf(everyStatus)).not.toBe(idOf(stated({})));
});

it('refuses a report without a CVE', async () => {
  await expect(new CsafRenderer().render(emptySnapshot())).rejects.toThrow(ReportGenerationError);
});
