import type { Severity } from '../../../kernel/severity';
import type { StatedFields } from '../data/finding.entity';
import type { FindingSighting } from '../data/finding-sighting.entity';
import type { SeverityOfFinding } from '../domain/severity-of-finding';
import type { Markdown } from '../rendering/markdown-renderer';

/** The value in canonical form, its beacon, and the id if the organization has this asset. */
export interface AssetOfFinding {
  readonly id: number | null;
  readonly value: string;
  readonly beaconId: number | null;
  readonly tier: number | null;
}

/** The check that tests the finding, or only the id of the check that found it. */
export interface CheckOfFinding {
  readonly checkId: string | null;
  readonly checkDefinition: unknown;
  /** Whether an admin allowed it to change state on the target. Absent: unchanged, or not allowed. */
  readonly allowUnsafe?: boolean | undefined;
}

type OfScannersOnly = 'line' | 'place' | 'parameter' | 'evidence' | 'replay' | 'template';

/**
 * What a job, a person or a scanner saw. A new finding stores the fields that are columns of findings, and each sighting those
 * that are columns of sightings.
 */
export interface SeenFinding
  extends
    StatedFields,
    SeverityOfFinding,
    Pick<FindingSighting, 'scanner' | 'ruleId' | 'location'>,
    Partial<Pick<FindingSighting, OfScannersOnly>> {
  readonly severity: Severity;
  readonly references: string[];
  readonly requestedScore?: number | null;
  readonly otherCves?: string[];
  /** In hex. */
  readonly fingerprint: string;
  readonly asset: AssetOfFinding;
  /** The host that a file names. */
  readonly host?: string | null;
  /** Null for now. */
  readonly seenAt: Date | null;
  readonly check: CheckOfFinding | null;
  /** Called only if the finding is new. */
  readonly text: () => Markdown | null;
}

/** Where results are recorded, and what records them: an import, a job, or otherwise a person. */
export interface RecordingTarget {
  readonly organizationId: number;
  readonly eventId: number | null;
  readonly importId: number | null;
  readonly jobUuid: string | null;
  readonly isByAdmin?: boolean;
  /** The comment in the history of a finding that is reopened. */
  readonly reopenComment: string | null;
}
