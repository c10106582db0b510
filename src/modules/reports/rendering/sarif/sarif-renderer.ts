import { createHash } from 'node:crypto';
import type { Location, Log, ReportingDescriptor, Result, Suppression } from 'sarif';
import { parseUrl } from '../../../../kernel/parse-url';
import { type Severity, severityNumber } from '../../../../kernel/severity';
import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { FINDING_FACTS } from '../finding-facts';
import { FORMATS } from '../formats';

const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Characters that RFC 3986 forbids in a URI or that end its path; URL parsers accept some of them. */
const INVALID_URI_CHARACTERS = /%(?![0-9a-f]{2})|[^\w.~:/?@!$&'()*+,;=%-]+/giu;

function absolute(text: string): string {
  const plain = parseUrl(text)?.href ?? text.toWellFormed();
  const [, origin = '', rest = ''] = /^([a-z]+:\/\/[^/?#]*)(.*)$/s.exec(plain) ?? [];
  return origin.replace(/[^\w.~:/[\]-]+/gu, encoded) + rest.replace(INVALID_URI_CHARACTERS, encoded);
}

/** The URI of the finding if it has one, else the asset's value as a relative URI. */
export function uriOf({ location, asset_value }: Pick<SnapshotFinding, 'location' | 'asset_value'>): string {
  const uri = [location, asset_value].find((text) => text !== null && /^[a-z]+:\/\//.test(text));
  return uri ? absolute(uri) : asset_value.split('/').map(encoded).join('/');
}

const locationOfResult = (finding: SnapshotFinding): Location => ({
  physicalLocation: { artifactLocation: { uri: uriOf(finding) } },
  logicalLocations: [{ fullyQualifiedName: finding.asset_value, kind: 'resource' }],
});

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

/** Each check is a rule. A finding that a person recorded gets a rule by its title, the same on every asset. */
const ruleIdOf = ({ check, fingerprint }: SnapshotFinding): string => check ?? `finding-${fingerprint.slice(0, 16)}`;

const isWorse = (one: SnapshotFinding, other: SnapshotFinding): boolean =>
  severityNumber(one.severity) > severityNumber(other.severity) ||
  (one.severity === other.severity && (scoreOf(one) ?? 0) > (scoreOf(other) ?? 0));

/** One rule for all findings of a kind, with the highest of their severities. */
function rulesOf(findings: readonly SnapshotFinding[]): ReportingDescriptor[] {
  const worst = new Map<string, SnapshotFinding>();
  for (const finding of findings) {
    const id = ruleIdOf(finding);
    const known = worst.get(id);
    if (known === undefined || isWorse(finding, known)) worst.set(id, finding);
  }
  return [...worst].map(([id, finding]) => ruleOf(id, finding));
}

function ruleOf(id: string, finding: SnapshotFinding): ReportingDescriptor {
  const score = scoreOf(finding);
  return {
    id,
    shortDescription: { text: finding.title },
    properties: {
      tags: ['security'],
      ...(score !== null && { 'security-severity': score.toFixed(1) }),
    },
  };
}

const LEVELS: Readonly<Record<Severity, Result.level>> = {
  cosmic: 'error',
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
  none: 'note',
};

const RESOLVED = 5;

/** Identifies a finding across reports. */
const identityOf = ({ asset_value, fingerprint }: SnapshotFinding): string =>
  createHash('sha256').update(`${asset_value}\n${fingerprint}`).digest('hex');

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
  const identity = identityOf(finding);
  return {
    ruleId: ruleIdOf(finding),
    ruleIndex,
    kind: isResolved ? 'pass' : 'fail',
    // SARIF allows a level only for results that fail.
    level: isResolved ? 'none' : LEVELS[severity],
    message: { text: title, ...(md !== null && md !== '' && { markdown: md }) },
    locations: [locationOfResult(finding)],
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

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** SARIF 2.1.0: one run, with a rule for each check and each manual title, and a result for each finding. */
export function sarifLog({ report_id, taken, event, organization, findings, options }: ReportSnapshot): Log {
  const rules = rulesOf(findings);
  const indices = new Map(rules.map(({ id }, index) => [id, index]));
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Assay', fullName: 'Assay: findings that are tested, not believed', rules } },
        // Consumers group runs by the part before the last slash, so the reports of one event form a series.
        automationDetails: { id: `assay/${event.slug}/${report_id}`, description: { text: event.name } },
        invocations: [{ executionSuccessful: true, endTimeUtc: taken }],
        columnKind: 'utf16CodeUnits',
        results: findings.map((finding) => resultOf(finding, indices.get(ruleIdOf(finding)) ?? -1)),
        properties: { report_id, organization: organization.name, event: event.slug, options },
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
