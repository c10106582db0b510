import type { Severity } from '../../../kernel/severity';

export const REPORT_FORMATS = ['pdf', 'html', 'json', 'csv', 'sarif', 'vex', 'gitlab', 'junit'] as const;
export const REPORT_SECTIONS = [
  'summary',
  'scope',
  'changes',
  'methodology',
  'findings',
  'evidence',
  'retests',
  'appendix',
] as const;

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
}

/** What a report shows, and how. Every key is there in a stored report: what was left out has become its default. */
export interface ReportOptions {
  readonly format: ReportFormat;
  readonly sections: readonly ReportSection[];
  readonly min_severity: Severity;
  /** Statuses of findings by their number; empty for all. */
  readonly statuses: readonly number[];
  readonly include_evidence: boolean;
  readonly include_resolved: boolean;
  readonly title_page: TitlePage;
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
};

export const defaultReportOptions: ReportOptions = {
  format: 'pdf',
  sections: [...REPORT_SECTIONS],
  min_severity: 'none',
  statuses: [],
  include_evidence: true,
  include_resolved: true,
  title_page: defaultTitlePage,
};

export const reportVocabulary = {
  formats: [...REPORT_FORMATS],
  sections: [...REPORT_SECTIONS],
};
