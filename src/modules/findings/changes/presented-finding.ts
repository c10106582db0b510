import type { KnownVulnerability } from '../../vulnerabilities';
import type { ListedFinding } from '../data/finding.entity';

/** A check that an admin accepted, with the asset that it applies to. */
export interface AcceptedCheckOfFinding {
  readonly checkId: string;
  readonly assetId: number;
  readonly assetValue: string;
  readonly reason: string;
  readonly until: Date;
  readonly acceptedBy: string;
  /** The label of the assets on which it is accepted; empty for all assets, null for this asset alone. */
  readonly acceptedFor: string | null;
}

/** A finding with everything that a response shows of it. */
export type PresentedFinding = ListedFinding & {
  readonly acceptedCheck?: AcceptedCheckOfFinding | undefined;
  /** Only for findings with CVEs. */
  readonly vulnerability?: KnownVulnerability;
};
