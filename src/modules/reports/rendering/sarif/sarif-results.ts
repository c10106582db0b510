import { createHash } from 'node:crypto';
import type { Result, Suppression } from 'sarif';
import type { Severity } from '../../../../kernel/severity';
import type { SnapshotFinding } from '../../domain/snapshot-finding';
import { findingFacts } from '../finding-facts';
import { locationOfResult } from './sarif-location';
import { ruleIdOf, scoreOf } from './sarif-rules';

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

/** The same for the same finding in every report. */
const identityOf = ({ asset_value, fingerprint }: SnapshotFinding): string =>
  createHash('sha256').update(`${asset_value}\n${fingerprint}`).digest('hex');

/** Findings that people set aside (statuses 6 to 10) are included as suppressed, with the reason. */
function suppressionsOf({ status, status_name, history }: SnapshotFinding): Suppression[] {
  if (status <= RESOLVED) return [];
  const comment = history.findLast(({ to }) => to === status_name)?.comment;
  const justification = comment ? `${status_name}: ${comment}` : status_name;
  return [{ kind: 'external', status: 'accepted', justification }];
}

export function resultOf(finding: SnapshotFinding, ruleIndex: number): Result {
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
    findingFacts.flatMap(({ sarifProperty, value }) => {
      const stated = value(finding);
      return sarifProperty === undefined || stated === null ? [] : [[sarifProperty, stated]];
    }),
  );
