import { Ajv } from 'ajv';
import { gitlabDastSchema } from '../../../../../test/support/schemas/gitlab-dast';
import type { ReportSnapshot } from '../../domain/report-snapshot';
import { demoSnapshot, emptySnapshot, hostileSnapshot, jobSnapshot, worldSnapshot } from '../testing/snapshots';
import { type FindingParts, finding, scopeAsset, snapshotOf } from '../testing/snapshot-of';
import { type GitlabVulnerability, GitlabRenderer, gitlabReport } from './gitlab-renderer';

const validate = new Ajv({ strict: false, allErrors: true }).compile(gitlabDastSchema);

interface GitlabReport {
  readonly scan: {
    readonly status: string;
    readonly start_time: string;
    readonly end_time: string;
    readonly messages: readonly { readonly level: string; readonly value: string }[];
    readonly scanned_resources: readonly { readonly url: string }[];
  };
  readonly vulnerabilities: readonly GitlabVulnerability[];
}

const reportOf = (snapshot: ReportSnapshot) => gitlabReport(snapshot) as GitlabReport;
const vulnerabilityOf = (parts: Partial<FindingParts>): GitlabVulnerability | undefined =>
  reportOf(snapshotOf({ findings: [finding(1, { title: 'x', ...parts })] })).vulnerabilities[0];

describe('GitLab', () => {
  it.each([
    ['an empty event', emptySnapshot],
    ['the demo', demoSnapshot],
    ['texts of the world', worldSnapshot],
    ['hostile texts', hostileSnapshot],
    ['a job', jobSnapshot],
  ])('conforms to the schema of DAST reports: %s', async (_name, snapshot) => {
    const report: unknown = JSON.parse((await new GitlabRenderer().render(snapshot())).toString());
    expect(validate(report) ? [] : validate.errors?.slice(0, 3)).toEqual([]);
  });

  it('fails the schema when it is not such a report', () => {
    const report = reportOf(jobSnapshot());
    const [first] = report.vulnerabilities;
    expect(validate({ ...report, version: '15' })).toBe(false);
    expect(validate({ ...report, scan: { ...report.scan, end_time: '2026-01-01T00:00:00.000Z' } })).toBe(false);
    expect(validate({ ...report, vulnerabilities: [{ ...first, identifiers: [] }] })).toBe(false);
    expect(validate({ ...report, vulnerabilities: [{ ...first, severity: 'high' }] })).toBe(false);
  });

  it('lists the open findings of a job with its times, pages and incomplete tests', () => {
    const { scan, vulnerabilities } = reportOf(jobSnapshot());
    expect([scan.status, scan.start_time, scan.end_time]).toEqual([
      'success',
      '2026-11-02T08:00:00',
      '2026-11-02T08:01:00',
    ]);
    expect(scan.scanned_resources.map(({ url }) => url)).toEqual([
      'https://shop.nordwind.example/cart',
      'https://shop.nordwind.example/.git/HEAD',
      'https://shop.nordwind.example/',
      'https://shop.nordwind.example/.env',
    ]);
    expect(scan.messages).toEqual([{ level: 'warn', value: expect.stringContaining('tls-certificate') }]);
    expect(vulnerabilities.map(({ name }) => name)).toEqual(['Public Git repository', 'No HSTS', 'SQL injection <q>']);
    expect(vulnerabilities[0]).toMatchObject({
      severity: 'High',
      identifiers: [
        { type: 'assay_check', value: 'exposed-git', name: 'Assay: Public Git repository' },
        { type: 'cwe', value: '527', name: 'CWE-527', url: 'https://cwe.mitre.org/data/definitions/527.html' },
        { type: 'cwe', value: '538' },
        { type: 'owasp', value: 'A05:2021' },
      ],
      location: {
        hostname: 'https://shop.nordwind.example',
        method: 'GET',
        path: '/.git/HEAD',
        param: 'shop.nordwind.example',
      },
    });
  });

  it('says that a job failed, and why', () => {
    const { scan } = reportOf(jobSnapshot({ status: 'ERROR', error: 'The target stopped answering.' }));
    expect([scan.status, scan.messages[0]]).toEqual([
      'failure',
      { level: 'fatal', value: 'The target stopped answering.' },
    ]);
  });

  it('has a CVE and a CVSS vector of a version that GitLab reads', () => {
    const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
    const known = vulnerabilityOf({ cve: 'CVE-2026-1000', cvss_vector: vector });
    expect(known?.cvss_vectors).toEqual([{ vendor: 'Assay', vector }]);
    expect(known?.identifiers.at(-1)).toMatchObject({ type: 'cve', value: 'CVE-2026-1000' });
    expect(
      vulnerabilityOf({ cvss_vector: 'CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N' }),
    ).not.toHaveProperty('cvss_vectors');
  });

  it('has an id that is the same in the next report, and another one on another asset', () => {
    const idOf = (parts: Partial<FindingParts>): string | undefined => vulnerabilityOf(parts)?.id;
    expect(idOf({ id: 9, status: 3, title: 'y' })).toBe(idOf({}));
    expect(idOf({ asset_value: 'b.example' })).not.toBe(idOf({}));
  });

  it('lists the tested URLs of an event', () => {
    const in_scope = [
      scopeAsset(1, 'https://a.example/', { type: 'url', last_tested: '2026-11-02T08:00:00.000Z' }),
      scopeAsset(2, 'https://b.example/', { type: 'url' }),
      scopeAsset(3, 'c.example', { last_tested: '2026-11-02T08:00:00.000Z' }),
    ];
    const { scan } = reportOf(snapshotOf({ scope: { in_scope, out_of_scope: [] } }));
    expect(scan.scanned_resources.map(({ url }) => url)).toEqual(['https://a.example/']);
  });
});
