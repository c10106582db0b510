import type { Severity } from '../../../../kernel/severity';
import type { ReportRenderer, ReportSnapshot, SnapshotCheckDescription } from '../../domain/report-snapshot';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { contentUuid } from '../content-uuid';
import { dispositionOf } from '../disposition';
import { findingIdentity, ruleIdOf } from '../finding-identity';
import { locationOfFinding } from '../finding-location';
import { FORMATS } from '../formats';
import { undecidedTest } from '../job-result';
import { cveAddress, cweAddress, weaknessesOf } from '../reference-addresses';
import { truncated } from '../text-format';

/** The version of GitLab's security report schemas that the document follows. */
const SCHEMA_VERSION = '15.0.7';

const MAX_NAME = 255;
const MAX_DESCRIPTION = 1_048_576;

/** A vulnerability of GitLab's DAST report, with the fields that reports use. */
export interface GitlabVulnerability {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly severity: 'Info' | 'Low' | 'Medium' | 'High' | 'Critical';
  readonly identifiers: readonly {
    readonly type: string;
    readonly name: string;
    readonly value: string;
    readonly url?: string;
  }[];
  readonly links: readonly { readonly url: string }[];
  readonly cvss_vectors?: readonly { readonly vendor: string; readonly vector: string }[];
  readonly location: {
    readonly hostname: string;
    readonly method: string;
    readonly path: string;
    readonly param: string;
  };
  readonly evidence?: { readonly summary: string };
  readonly details: Readonly<
    Record<string, { readonly name: string; readonly type: string; readonly value: string | number }>
  >;
}

const SEVERITIES: Readonly<Record<Severity, GitlabVulnerability['severity']>> = {
  cosmic: 'Critical',
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  info: 'Info',
  none: 'Info',
};

/** The first identifier is the primary one, by which GitLab recognizes a vulnerability. */
function identifiersOf(
  finding: SnapshotFinding,
  check: SnapshotCheckDescription | undefined,
): GitlabVulnerability['identifiers'] {
  const id = ruleIdOf(finding);
  const url = cveAddress(finding.cve ?? '');
  return [
    { type: 'assay_check', name: truncated(`Assay: ${check?.title ?? finding.title}`, MAX_NAME), value: id },
    ...weaknessesOf(finding, check).map((cwe) => ({
      type: 'cwe',
      name: `CWE-${cwe}`,
      value: String(cwe),
      url: cweAddress(cwe),
    })),
    ...(check?.owasp ?? []).map((category) => ({ type: 'owasp', name: `OWASP ${category}`, value: category })),
    ...(finding.cve !== null && url !== undefined ? [{ type: 'cve', name: finding.cve, value: finding.cve, url }] : []),
  ];
}

/** GitLab reads version 3 alone, and limits its length. */
const isAcceptedVector = (vector: string): boolean =>
  /^CVSS:3\.[01]\//.test(vector) && vector.length >= 32 && vector.length <= 128;

function vulnerabilityOf(finding: SnapshotFinding, check: SnapshotCheckDescription | undefined): GitlabVulnerability {
  const { id, title, md, severity, cve, cvss_vector, asset_value, created, retests } = finding;
  const { origin, path } = locationOfFinding(finding);
  const links = [cveAddress(cve ?? ''), ...(check?.references ?? [])].filter((url) => url !== undefined);
  const shown = retests.flatMap(({ probes }) => probes).findLast(({ state }) => state === 'vulnerable');
  return {
    id: contentUuid(findingIdentity(finding)),
    name: truncated(title, MAX_NAME),
    description: truncated(md ?? title, MAX_DESCRIPTION),
    severity: SEVERITIES[severity],
    identifiers: identifiersOf(finding, check),
    links: links.map((url) => ({ url })),
    ...(cvss_vector !== null &&
      isAcceptedVector(cvss_vector) && { cvss_vectors: [{ vendor: 'Assay', vector: cvss_vector }] }),
    location: {
      hostname: origin ?? asset_value,
      method: 'GET',
      path: origin === null ? '' : `/${path}`,
      // GitLab ignores the host when it compares vulnerabilities, so that two hosts would be one.
      param: asset_value,
    },
    ...(shown !== undefined && { evidence: { summary: shown.detail } }),
    details: {
      finding: { name: 'Finding', type: 'value', value: id },
      asset: { name: 'Asset', type: 'text', value: asset_value },
      first_seen: { name: 'First seen', type: 'text', value: created },
    },
  };
}

/** GitLab requires times without milliseconds and zone. */
const timeOf = (moment: string): string => moment.slice(0, 19);

/** The pages that were tested: those of the tests of a job, otherwise the tested assets that are URLs. */
function scannedUrls({ job, scope }: ReportSnapshot): string[] {
  const places =
    job === null
      ? scope.in_scope.filter(({ last_tested }) => last_tested !== null).map(({ value }) => value)
      : [job.url, ...job.tests.filter(({ outcome }) => outcome !== 'not_applicable').map(({ location }) => location)];
  return [...new Set(places)].filter((place) => /^https?:\/\//.test(place));
}

/** Tests without a result, and why a job ended in ERROR. */
function messagesOf({ job }: ReportSnapshot): object[] {
  if (job === null) return [];
  const undecided = job.tests.flatMap((test) => undecidedTest(test) ?? []);
  return [
    ...(job.error === null || job.error === '' ? [] : [{ level: 'fatal', value: job.error }]),
    ...undecided.map(({ effects, text }) => ({ level: effects.gitlab, value: text })),
  ];
}

/** A DAST report of GitLab. It has no place for resolved and dismissed findings, so it lists the open ones. */
export function gitlabReport(snapshot: ReportSnapshot): object {
  const { job, findings, check_descriptions, assay_version, start_date, end_date, taken } = snapshot;
  const descriptions = new Map(check_descriptions.map((check) => [check.id, check]));
  const tool = { id: 'assay', name: 'Assay', version: assay_version, vendor: { name: 'Assay' } };
  return {
    version: SCHEMA_VERSION,
    scan: {
      type: 'dast',
      status: job === null || job.status === 'FINISHED' ? 'success' : 'failure',
      analyzer: tool,
      scanner: tool,
      start_time: timeOf(job?.started ?? start_date),
      end_time: timeOf(job?.finished ?? (end_date < taken ? end_date : taken)),
      messages: messagesOf(snapshot),
      scanned_resources: scannedUrls(snapshot).map((url) => ({ method: 'GET', url, type: 'url' })),
    },
    vulnerabilities: findings
      .filter(({ status }) => dispositionOf(status) === 'open')
      .map((finding) => vulnerabilityOf(finding, descriptions.get(ruleIdOf(finding)))),
  };
}

export class GitlabRenderer implements ReportRenderer {
  readonly contentType = FORMATS.gitlab.contentType;
  readonly extension = FORMATS.gitlab.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    return Buffer.from(`${JSON.stringify(gitlabReport(snapshot), null, 2)}\n`);
  }
}
