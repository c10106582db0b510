import type { Severity } from '../../../kernel/severity';
import type { Standard } from '../../findings';
import type { ReportOptions } from './report-options';
import type { SnapshotFinding } from './snapshot-finding';

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

/** A built-in check or a check in YAML that ran in the period. */
export interface SnapshotCheck {
  readonly id: string;
  /** Null for checks in YAML. */
  readonly title: string | null;
  readonly cwe: number | null;
  /** Categories of the OWASP Top 10. */
  readonly owasp: readonly Standard[];
  /** Tests of the OWASP Web Security Testing Guide. */
  readonly wstg: readonly Standard[];
  /** Tests of a page, an origin or a zone, over all assets. */
  readonly completed: number;
  readonly not_completed: number;
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
  /** The version of the service and its checks. */
  readonly assay_version: string;
  /** For the title page. It is not part of the JSON format. */
  readonly logo: {
    readonly media_type: 'image/png' | 'image/jpeg';
    readonly width: number;
    readonly height: number;
    readonly base64: string;
  } | null;
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
    readonly open: number;
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
  /** The checks that ran in the period, by id. */
  readonly checks: readonly SnapshotCheck[];
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
  render(snapshot: ReportSnapshot): Promise<Buffer>;
}
