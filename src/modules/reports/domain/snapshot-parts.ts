import type { Severity } from '../../../kernel/severity';
import type { ActorType } from '../../../platform/api/caller';
import type { VexJustification } from '../../findings';
import type { VerificationResult } from '../../findings/domain/verification';

/** The beacon through which a target is tested. */
export interface SnapshotBeacon {
  readonly id: number;
  readonly name: string;
}

/** A change of status, made by a person or by the service. */
export interface SnapshotTransition {
  readonly at: string;
  readonly from: string | null;
  readonly to: string;
  readonly actor: string;
  /** A person may have any name. Reports of earlier versions have none. */
  readonly actor_type?: ActorType;
  readonly comment: string | null;
  /** Of a change of the status that says why the finding does not affect its product. */
  readonly justification?: VexJustification;
}

/** One probe of a retest: the requests, the responses, and what they show. */
export interface SnapshotProbe {
  readonly at: string;
  readonly state: 'vulnerable' | 'not_vulnerable' | 'inconclusive' | 'blocked';
  readonly detail: string;
  /** Redacted and limited in length when the retest stored them. */
  readonly exchanges: readonly {
    readonly request: string;
    readonly response: string;
    readonly address: string | null;
  }[];
}

export interface SnapshotRetest {
  readonly uuid: string;
  readonly status: string;
  readonly result: string | null;
  readonly reason: string | null;
  readonly created: string;
  readonly finished: string | null;
  /** When the response arrived that decided; null where nothing was decided. Reports of earlier versions have none. */
  readonly decided?: string | null;
  /** The check that ran; null where a person gave the result. */
  readonly check: string | null;
  /** The person who gave the result. */
  readonly judged_by: string | null;
  /** Why a refusal counts as the fix; null if none does. Reports of earlier versions have none. */
  readonly by_refusal?: 'confirmed' | 'setting' | null;
  /** The number of requests in the evidence; null where there is none. */
  readonly requests: number | null;
  /** The key that signed the evidence; null where there is none. */
  readonly signed_by: string | null;
  /** Empty unless the report includes evidence. */
  readonly probes: readonly SnapshotProbe[];
}

/** An admin's decision that findings of a check on an asset do not fail jobs until a date. */
export interface SnapshotAcceptedCheck {
  readonly asset_id: number;
  readonly asset_value: string;
  readonly reason: string;
  readonly until: string;
  /** The name of the person. */
  readonly accepted_by: string;
}

/** What runs on an asset, in identifiers that other tools match. */
export interface SnapshotProduct {
  readonly purl: string | null;
  readonly cpe: string | null;
}

/** What the job of the report showed of a finding. */
export interface SnapshotJobFinding {
  /** `not_seen`: known before, and the job did not confirm that it is fixed. */
  readonly outcome: 'seen' | 'fixed' | 'not_seen';
  readonly severity: Severity;
  /** Whether a pipeline stops because of it. */
  readonly fails_gate: boolean;
}

export interface SnapshotVerification {
  readonly result: VerificationResult;
  readonly reason: string;
  readonly tested_at: string | null;
}

/** The probability that the CVE is exploited in the next 30 days. */
export interface SnapshotEpss {
  readonly score: number;
  readonly percentile: number;
  readonly date: string;
  readonly source: string;
}

/** The entry of the CVE in the catalog of known exploited vulnerabilities. */
export interface SnapshotKev {
  readonly date_added: string;
  readonly due_date: string | null;
  readonly ransomware: boolean;
  readonly source: string;
  readonly released: string;
}
