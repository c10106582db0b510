import { createHash } from 'node:crypto';
import type { SnapshotFinding } from '../domain/snapshot-finding';

/** The same in every report: the asset, the beacon that it is behind if any, and what was found on it. */
export const findingIdentity = ({ asset_value, beacon, fingerprint }: SnapshotFinding): string =>
  createHash('sha256')
    .update(`${asset_value}\n${beacon === null ? '' : `beacon ${beacon.id}\n`}${fingerprint}`)
    .digest('hex');

/** Each check is a rule. A finding that a person recorded gets a rule by its title, the same on every asset. */
export const ruleIdOf = ({ check, fingerprint }: SnapshotFinding): string =>
  check ?? `finding-${fingerprint.slice(0, 16)}`;
