import type { Severity } from '../../../kernel/severity';
import type { ReportOptions } from './report-options';

/** One person's or machine's move of a finding, as it is told to readers. */
export interface SnapshotMove {
  readonly at: string;
  readonly from: string | null;
  readonly to: string;
  readonly actor: string;
  readonly comment: string | null;
}

/** One look of a retest at the target: what was asked, what came back, and what that shows. */
export interface SnapshotProbe {
  readonly at: string;
  readonly state: 'vulnerable' | 'not_vulnerable' | 'inconclusive';
  readonly detail: string;
  /** Redacted and bounded when they were taken. */
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
  /** The key that signed the evidence; null where there is none. */
  readonly signed_by: string | null;
  /** Empty unless the report includes evidence. */
  readonly probes: readonly SnapshotProbe[];
}

export interface SnapshotFinding {
  readonly id: number;
  readonly title: string;
  /** Markdown as it was written, and the HTML that is safe to show. */
  readonly md: string | null;
  readonly html: string | null;
  readonly asset_id: number | null;
  readonly asset_value: string;
  readonly severity: Severity;
  readonly priority: number;
  readonly status: number;
  readonly status_name: string;
  readonly score: number | null;
  readonly cvss_vector: string | null;
  readonly cve: string | null;
  readonly check: string | null;
  /** Where the check looks, for findings that have one. */
  readonly location: string | null;
  readonly fingerprint: string;
  readonly times_seen: number;
  readonly created: string;
  readonly last_seen: string;
  /** When it was last resolved; null while it is not. */
  readonly resolved: string | null;
  /** Oldest first, as are the retests; of very many the newest. */
  readonly history: readonly SnapshotMove[];
  readonly retests: readonly SnapshotRetest[];
}

export interface SnapshotScopeAsset {
  readonly id: number;
  readonly value: string;
  readonly type: string;
  readonly tier: number | null;
  readonly description: string | null;
  readonly findings: number;
  /** The end of the last job on it in this event that ended in the period; null where none has. */
  readonly last_tested: string | null;
  readonly checks_completed: number;
  /** Checks that could not be completed, each with the reason. */
  readonly not_tested: readonly { readonly check: string; readonly location: string; readonly reason: string }[];
}

/**
 * All that a report says, taken in one moment. Every format is made from this and from nothing else, so that they agree
 * and a report does not change when the findings do.
 */
export interface ReportSnapshot {
  readonly report_id: number;
  readonly taken: string;
  readonly start_date: string;
  readonly end_date: string;
  readonly options: ReportOptions;
  readonly organization: { readonly id: number; readonly name: string };
  readonly event: {
    readonly id: number;
    readonly name: string;
    readonly slug: string;
    readonly type: string;
    readonly category: string;
    readonly dimension: string | null;
    readonly status: string;
    readonly start_date: string;
    readonly end_date: string;
  };
  readonly totals: {
    readonly findings: number;
    /** Findings of the event that the options or the period leave out. */
    readonly left_out: number;
    readonly standing: number;
    readonly resolved: number;
    readonly retests: number;
    readonly by_severity: Readonly<Record<Severity, number>>;
    readonly by_status: readonly { readonly status: number; readonly name: string; readonly count: number }[];
  };
  /** Found and resolved in each stretch of the period, oldest first. */
  readonly timeline: readonly { readonly from: string; readonly found: number; readonly resolved: number }[];
  /** How long resolved findings stood, by severity, most urgent first; only severities that have any. */
  readonly time_to_fix: readonly {
    readonly severity: Severity;
    readonly count: number;
    readonly median_hours: number;
    readonly longest_hours: number;
  }[];
  readonly scope: {
    readonly in_scope: readonly SnapshotScopeAsset[];
    readonly out_of_scope: readonly SnapshotScopeAsset[];
  };
  /** Most urgent first. */
  readonly findings: readonly SnapshotFinding[];
  readonly vocabulary: {
    readonly severities: readonly { readonly name: Severity; readonly from: string | null }[];
    readonly statuses: readonly { readonly number: number; readonly name: string }[];
    readonly retest_results: readonly string[];
  };
}

/** A format: turns a snapshot into the bytes that are downloaded. */
export interface ReportRenderer {
  readonly contentType: string;
  readonly extension: string;
  /** The signal is for what it begins outside of its thread, which is ended otherwise. */
  render(snapshot: ReportSnapshot, signal?: AbortSignal): Promise<Buffer>;
}
