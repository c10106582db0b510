import type { Severity } from '../../../kernel/severity';
import type { Standard } from '../../findings';
import type { ReportOptions } from './report-options';
import type { ReportSubjectKind } from './report-subject';
import type { ReportContents, SnapshotComparison } from './report-comparison';
import type { SnapshotFinding } from './snapshot-finding';
import type { SnapshotBeacon } from './snapshot-parts';
import type { SnapshotSummary } from './snapshot-summary';

export interface SnapshotScopeAsset {
  readonly id: number;
  readonly value: string;
  readonly type: string;
  readonly tier: number | null;
  readonly description: string | null;
  /** The beacon that it is behind; null on the Internet. */
  readonly beacon?: SnapshotBeacon | null;
  readonly findings: number;
  /** The end of the last job on it (in an event, of this event) that ended in the period; null where none has. */
  readonly last_tested: string | null;
  readonly checks_completed: number;
  /** Checks that could not be completed, each with the reason. */
  readonly not_tested: readonly { readonly check: string; readonly location: string; readonly reason: string }[];
}

export interface SnapshotEvent {
  readonly id: number;
  readonly name: string;
  readonly slug: string;
  readonly type: string;
  readonly category: string;
  readonly dimension: string | null;
  readonly status: string;
  readonly start_date: string;
  readonly end_date: string;
  /** When and how the event may be tested, in sentences. Only of the subject. */
  readonly rules?: readonly string[];
}

/** A finding of the subject that the report leaves out, with the reasons. */
export interface SnapshotLeftOut {
  readonly id: number;
  readonly title: string;
  readonly asset_value: string;
  readonly severity: Severity;
  readonly status_name: string;
  readonly reasons: readonly string[];
}

/** The texts that a person has written for the report. */
export interface SnapshotAssessment {
  readonly author: string;
  readonly written: string;
  readonly rating: string | null;
  /** Markdown, and its sanitized HTML. */
  readonly texts: readonly { readonly title: string; readonly md: string; readonly html: string }[];
}

/** A job, with every test that it planned. */
export interface SnapshotJob {
  readonly uuid: string;
  readonly url: string;
  /** Through which it tested; null for a direct connection. */
  readonly beacon: SnapshotBeacon | null;
  readonly status: string;
  readonly created: string;
  readonly started: string | null;
  readonly finished: string | null;
  /** Why it ended in ERROR. */
  readonly error: string | null;
  /** Whether a pipeline may continue, and the lowest severity that stops it. */
  readonly gate: { readonly severity: Severity; readonly success: boolean | null; readonly description: string };
  readonly tests: readonly {
    readonly check: string;
    readonly location: string;
    readonly outcome: 'vulnerable' | 'not_vulnerable' | 'inconclusive' | 'blocked' | 'not_applicable';
    readonly reason: string;
    /** Of a blocked one: whether it counts as one that was not completed. */
    readonly incomplete?: boolean;
  }[];
}

/** What a built-in check says of the weakness that it detects. */
export interface SnapshotCheckDescription {
  readonly id: string;
  readonly title: string;
  /** Markdown: what the weakness means and how to fix it. */
  readonly text: string;
  readonly severity: Severity;
  /** Numbers in the Common Weakness Enumeration, the main one first. */
  readonly cwe: readonly number[];
  /** Categories of the OWASP Top 10, such as A05:2021. */
  readonly owasp: readonly string[];
  /** Links to standards and manuals. */
  readonly references: readonly string[];
}

/** What observations of the assets have shown in the period. */
export interface SnapshotChanges {
  readonly total: number;
  /** The most frequent first. The text has the count. */
  readonly by_kind: readonly { readonly kind: string; readonly count: number; readonly text: string }[];
  /** The most important first. */
  readonly listed: readonly {
    readonly seen: string;
    readonly asset_id: number;
    readonly asset_value: string;
    readonly kind: string;
    readonly address: string | null;
    readonly port: number | null;
    /** What differs, in the form of the API. */
    readonly before: Readonly<Record<string, unknown>> | null;
    readonly after: Readonly<Record<string, unknown>> | null;
    readonly text: string;
  }[];
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
 * All data of a report, read at one moment. Every format is made from this and from nothing else, so that they agree
 * and a report does not change when the findings do.
 */
export interface ReportSnapshot {
  /** Null for the report of a job that was not ordered but read at once. */
  readonly report_id: number | null;
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
  readonly subject: ReportSubjectKind;
  /** Only in the report of an event. */
  readonly event: SnapshotEvent | null;
  /** Only in the report of a job. */
  readonly job: SnapshotJob | null;
  /** The events of the organization, newest first, in its report; otherwise empty. */
  readonly events: readonly SnapshotEvent[];
  readonly totals: {
    readonly findings: number;
    /** Findings of the subject that the options or the period leave out. */
    readonly left_out: number;
    readonly open: number;
    readonly resolved: number;
    readonly retests: number;
    readonly by_severity: Readonly<Record<Severity, number>>;
    readonly by_status: readonly { readonly status: number; readonly name: string; readonly count: number }[];
  };
  readonly summary: SnapshotSummary;
  /** All findings, for the page about the report and later comparisons. It is not part of the JSON format. */
  readonly counted: ReportContents['findings'];
  /** Found and resolved in each stretch of the period, oldest first. */
  readonly timeline: readonly { readonly from: string; readonly found: number; readonly resolved: number }[];
  /** How long resolved findings were open, by severity, most urgent first; only severities that have any. */
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
  /** Only in the report of an organization. */
  readonly changes: SnapshotChanges | null;
  /** The built-in checks of the findings and of the job, by id. */
  readonly check_descriptions: readonly SnapshotCheckDescription[];
  /** The checks that ran in the period, by id. */
  readonly checks: readonly SnapshotCheck[];
  /** In the order of the options. A PDF or HTML report may have fewer than its totals count. */
  readonly findings: readonly SnapshotFinding[];
  /** Most urgent first, at most 1,000. `totals` counts all of them. */
  readonly left_out: readonly SnapshotLeftOut[];
  readonly assessment: SnapshotAssessment | null;
  readonly comparison: SnapshotComparison | null;
  /** The id of the key that signs evidence, which is the fingerprint of its public key. Only in a letter. */
  readonly evidence_key?: string | null;
  /** Whose assets the findings are on, if the report has only those. */
  readonly owner_name?: string;
  readonly vocabulary: {
    readonly severities: readonly { readonly name: Severity; readonly from: string | null }[];
    readonly statuses: readonly { readonly number: number; readonly name: string }[];
    readonly retest_results: readonly string[];
  };
}

const MAX_KEPT = 200;

export const contentsOf = ({ taken, counted, totals, left_out }: ReportSnapshot): ReportContents => ({
  taken,
  findings: counted,
  left_out: totals.left_out,
  left_out_findings: left_out.slice(0, MAX_KEPT).map(({ id, title, reasons }) => ({ id, title, reasons })),
});

/** A format: turns a snapshot into the bytes that are downloaded. */
export interface ReportRenderer {
  readonly contentType: string;
  readonly extension: string;
  render(snapshot: ReportSnapshot): Promise<Buffer>;
}
