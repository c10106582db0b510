import type { ArtifactLocation, Invocation, Location, Log, ReportingDescriptor, Result, Suppression } from 'sarif';
import { type Severity, severityNumber } from '../../../../kernel/severity';
import type { ReportRenderer, ReportSnapshot, SnapshotCheckDescription } from '../../domain/report-snapshot';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { findingIdentity, ruleIdOf } from '../finding-identity';
import { absoluteUriOf, locationOfFinding } from '../finding-location';
import { FINDING_FACTS } from '../finding-facts';
import { FORMATS } from '../formats';
import { undecidedTest } from '../job-result';
import { plainText } from '../plain-text';
import { cveAddress, cweAddress, weaknessesOf } from '../reference-addresses';
import { subjectTexts } from '../subject-texts';
import { truncated } from '../text-format';

/** The root of all locations. It has no URI, because its folders are the hosts of the targets. */
const BASE_ID = 'TARGETS';

/**
 * Relative, because code scanning of GitHub refuses a file with an absolute `https` location: the host, then the path. Each
 * result has its whole URL in `webRequest`.
 */
export function artifactLocationOf(finding: Pick<SnapshotFinding, 'location' | 'asset_value'>): ArtifactLocation {
  const { origin, path } = locationOfFinding(finding);
  if (origin === null) return { uri: path, uriBaseId: BASE_ID };
  // A colon in the first segment of a relative URI would end a scheme.
  const host = origin.replace(/^[a-z]+:\/\//, '').replace(/[:[\]]/g, encodeURIComponent);
  return { uri: path === '' ? host : `${host}/${path}`, uriBaseId: BASE_ID };
}

/** A target has no lines. Consumers require a region. */
const FIRST_LINE = { startLine: 1, startColumn: 1, endLine: 1, endColumn: 1 };

function locationOfResult(finding: SnapshotFinding): Location {
  const uri = absoluteUriOf(finding);
  return {
    physicalLocation: { artifactLocation: artifactLocationOf(finding), region: FIRST_LINE },
    logicalLocations: [{ name: finding.asset_value, fullyQualifiedName: uri ?? finding.asset_value, kind: 'resource' }],
    ...(uri !== null && { message: { text: uri } }),
  };
}

/** The score for a severity without a CVSS score. Consumers derive their own severity from it. */
const TYPICAL_SCORES: Readonly<Record<Severity, number | null>> = {
  cosmic: 10,
  critical: 9.5,
  high: 8,
  medium: 5.5,
  low: 2.5,
  info: null,
  none: null,
};

const scoreOf = ({ score, severity }: SnapshotFinding): number | null => score ?? TYPICAL_SCORES[severity];

const isWorse = (one: SnapshotFinding, other: SnapshotFinding): boolean =>
  severityNumber(one.severity) > severityNumber(other.severity) ||
  (one.severity === other.severity && (scoreOf(one) ?? 0) > (scoreOf(other) ?? 0));

/** One rule for all findings of a kind, with the highest of their severities. */
function rulesOf({ findings, check_descriptions }: ReportSnapshot): ReportingDescriptor[] {
  const descriptions = new Map(check_descriptions.map((check) => [check.id, check]));
  const worst = new Map<string, SnapshotFinding>();
  for (const finding of findings) {
    const id = ruleIdOf(finding);
    const known = worst.get(id);
    if (known === undefined || isWorse(finding, known)) worst.set(id, finding);
  }
  return [...worst].map(([id, finding]) => ruleOf(id, finding, descriptions.get(id)));
}

/** GitHub limits the names and descriptions of rules, and rejects a file with more than 20 tags on a rule. */
const MAX_NAME = 255;
const MAX_DESCRIPTION = 1_024;
const MAX_TAGS = 20;

/** `exposed-git` as the name of a rule: ExposedGit. */
const ruleName = (id: string): string =>
  truncated(
    id.replace(/(?:^|(?<![^A-Za-z0-9])[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_match, first: string) => first.toUpperCase()),
    MAX_NAME,
  );

function ruleOf(
  id: string,
  finding: SnapshotFinding,
  check: SnapshotCheckDescription | undefined,
): ReportingDescriptor {
  const score = scoreOf(finding);
  const title = check?.title ?? finding.title;
  const markdown = check?.text ?? finding.md ?? '';
  const text = plainText(markdown);
  const weaknesses = weaknessesOf(finding, check);
  const addresses = [cveAddress(finding.cve ?? ''), ...(check?.references ?? []), ...weaknesses.map(cweAddress)];
  const helpUri = addresses.find((address) => address !== undefined);
  return {
    id,
    name: ruleName(id),
    shortDescription: { text: truncated(title, MAX_DESCRIPTION) },
    fullDescription: { text: truncated(text || title, MAX_DESCRIPTION) },
    help: { text: text || title, markdown: markdown || title },
    ...(helpUri !== undefined && { helpUri }),
    defaultConfiguration: { level: LEVELS[finding.severity] },
    properties: {
      tags: ['security', ...weaknesses.map((cwe) => `external/cwe/cwe-${cwe}`), ...(check?.owasp ?? [])].slice(
        0,
        MAX_TAGS,
      ),
      // A check proves what it reports; what a person recorded may be a judgment.
      ...(check !== undefined && { precision: 'high' }),
      ...(score !== null && { 'security-severity': score.toFixed(1) }),
    },
  };
}

const LEVELS: Readonly<Record<Severity, 'error' | 'warning' | 'note'>> = {
  cosmic: 'error',
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
  none: 'note',
};

const RESOLVED = 5;

/** Dismissed findings (statuses 6 to 10) are included as suppressed, with the reason. */
function suppressionsOf({ status, status_name, history }: SnapshotFinding): Suppression[] {
  if (status <= RESOLVED) return [];
  const comment = history.findLast(({ to }) => to === status_name)?.comment;
  const justification = comment ? `${status_name}: ${comment}` : status_name;
  return [{ kind: 'external', status: 'accepted', justification }];
}

function resultOf(finding: SnapshotFinding, ruleIndex: number): Result {
  const { title, md, severity, status, created, last_seen } = finding;
  const score = scoreOf(finding);
  const isResolved = status === RESOLVED;
  const identity = findingIdentity(finding);
  const target = absoluteUriOf(finding);
  return {
    ruleId: ruleIdOf(finding),
    ruleIndex,
    kind: isResolved ? 'pass' : 'fail',
    // SARIF allows a level only for results that fail.
    level: isResolved ? 'none' : LEVELS[severity],
    message: { text: title, ...(md !== null && md !== '' && { markdown: md }) },
    locations: [locationOfResult(finding)],
    ...(target !== null && { webRequest: { target } }),
    partialFingerprints: { 'assayFinding/v1': identity, primaryLocationLineHash: `${identity.slice(0, 16)}:1` },
    suppressions: suppressionsOf(finding),
    provenance: { firstDetectionTimeUtc: created, lastDetectionTimeUtc: last_seen },
    ...(score !== null && { rank: Math.round(score * 100) / 10 }),
    properties: propertiesOf(finding),
  };
}

const propertiesOf = (finding: SnapshotFinding): NonNullable<Result['properties']> =>
  Object.fromEntries(
    FINDING_FACTS.flatMap(({ sarifProperty, value }) => {
      const stated = value(finding);
      return sarifProperty === undefined || stated === null ? [] : [[sarifProperty, stated]];
    }),
  );

/** A job that ended in ERROR was not successful. Tests without a result are named. */
const invocationOf = ({ job, taken }: ReportSnapshot): Invocation => ({
  executionSuccessful: job === null || job.status === 'FINISHED',
  ...(job?.started && { startTimeUtc: job.started }),
  endTimeUtc: job?.finished ?? taken,
  ...(job !== null && {
    toolExecutionNotifications: job.tests.flatMap((test) => {
      const undecided = undecidedTest(test);
      return undecided === null ? [] : [{ level: undecided.effects.sarif, message: { text: undecided.text } }];
    }),
  }),
});

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** SARIF 2.1.0: one run, with a rule for each check and each manual title, and a result for each finding. */
export function sarifLog(snapshot: ReportSnapshot): Log {
  const { report_id, event, job, subject, organization, findings, options, assay_version } = snapshot;
  const rules = rulesOf(snapshot);
  const indices = new Map(rules.map(({ id }, index) => [id, index]));
  const { name, series, reference } = subjectTexts(snapshot);
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Assay',
            fullName: 'Assay: security tests with signed evidence',
            version: assay_version,
            semanticVersion: assay_version,
            rules,
          },
        },
        // Consumers group runs by the part before the last slash, so the reports of one subject form a series.
        automationDetails: { id: `assay/${series}/${report_id ?? reference}`, description: { text: name } },
        originalUriBaseIds: {
          [BASE_ID]: { description: { text: 'The first segment of a URI is a host. webRequest has the whole URL.' } },
        },
        invocations: [invocationOf(snapshot)],
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, indices.get(ruleIdOf(finding)) ?? -1)),
        properties: {
          report_id,
          organization: organization.name,
          subject,
          ...(event !== null && { event: event.slug }),
          ...(job !== null && { job: job.uuid, gate: job.gate }),
          options,
        },
      },
    ],
  };
}

export class SarifRenderer implements ReportRenderer {
  readonly contentType = FORMATS.sarif.contentType;
  readonly extension = FORMATS.sarif.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    return Buffer.from(`${JSON.stringify(sarifLog(snapshot), null, 2)}\n`);
  }
}
