import type { Severity } from '../../../kernel/severity';
import type { Owner } from '../../identity/domain/owner';

export const REPORT_FORMATS = ['pdf', 'html', 'json', 'csv', 'sarif', 'vex', 'csaf', 'gitlab', 'junit'] as const;
export const REPORT_SECTIONS = [
  'summary',
  'plan',
  'scope',
  'changes',
  'methodology',
  'findings',
  'evidence',
  'retests',
  'appendix',
] as const;

/** A letter has one page without technical details, for people outside the organization. */
export const REPORT_KINDS = ['report', 'letter'] as const;
export const FINDING_ORDERS = ['priority', 'severity', 'asset'] as const;

/** Those that state what CVEs mean for a product. */
export const isVex = (format: ReportFormat): boolean => format === 'vex' || format === 'csaf';

/** The formats for pipelines, which are fast to generate. */
export const JOB_REPORT_FORMATS = [
  'json',
  'sarif',
  'gitlab',
  'junit',
  'csv',
] as const satisfies readonly ReportFormat[];

export type ReportFormat = (typeof REPORT_FORMATS)[number];
export type JobReportFormat = (typeof JOB_REPORT_FORMATS)[number];
export type ReportKind = (typeof REPORT_KINDS)[number];
export type FindingOrder = (typeof FINDING_ORDERS)[number];
export type ReportSection = (typeof REPORT_SECTIONS)[number];

/** What the title page of a PDF or HTML report says. Null for the default. */
export interface TitlePage {
  /** By default the name of the event. */
  readonly title: string | null;
  readonly subtitle: string | null;
  /** The marking on every page. */
  readonly confidentiality: string | null;
  readonly recipient: string | null;
  /** The version of the document, such as "1.0" or "draft". */
  readonly version: string | null;
  readonly tester: string | null;
  readonly contact: string | null;
  /** Who may receive the report. */
  readonly distribution: readonly string[];
  readonly author: string | null;
  readonly reviewer: string | null;
}

/** What a person writes about the subject: the rating is a line, the others are Markdown. Null for what is not written. */
export interface ReportTexts {
  readonly summary: string | null;
  readonly rating: string | null;
  readonly conclusion: string | null;
  readonly next_steps: string | null;
}

export const MAX_TEXT_LENGTH = 10_000;
export const MAX_PICKED_FINDINGS = 1_000;

/** What a report shows, and how. A stored report has every key: those that were left out have their defaults. */
export interface ReportOptions {
  readonly format: ReportFormat;
  readonly sections: readonly ReportSection[];
  readonly min_severity: Severity;
  /** Statuses of findings by their number; empty for all. */
  readonly statuses: readonly number[];
  readonly include_evidence: boolean;
  readonly include_resolved: boolean;
  readonly title_page: TitlePage;
  readonly kind: ReportKind;
  /** After the findings that `first_findings` names. */
  readonly order: FindingOrder;
  readonly first_findings: readonly number[];
  readonly left_out_findings: readonly number[];
  /** Only findings on assets of this owner; null for all. */
  readonly owner: Owner | null;
  /** The id of an earlier report of the same subject. */
  readonly compare_with: number | null;
  readonly texts: ReportTexts;
}

export const defaultTitlePage: TitlePage = {
  title: null,
  subtitle: null,
  confidentiality: null,
  recipient: null,
  version: null,
  tester: null,
  contact: null,
  distribution: [],
  author: null,
  reviewer: null,
};

export const noTexts: ReportTexts = { summary: null, rating: null, conclusion: null, next_steps: null };

export const defaultReportOptions: ReportOptions = {
  format: 'pdf',
  sections: [...REPORT_SECTIONS],
  min_severity: 'none',
  statuses: [],
  include_evidence: true,
  include_resolved: true,
  title_page: defaultTitlePage,
  kind: 'report',
  order: 'priority',
  first_findings: [],
  left_out_findings: [],
  owner: null,
  compare_with: null,
  texts: noTexts,
};

/** Options that an earlier version stored lack those that it did not know. */
export const completeOptions = (stored: ReportOptions): ReportOptions => ({
  ...defaultReportOptions,
  ...stored,
  title_page: { ...defaultTitlePage, ...stored.title_page },
});

export const reportVocabulary = {
  formats: [...REPORT_FORMATS],
  sections: [...REPORT_SECTIONS],
};
