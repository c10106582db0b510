import type { Severity } from '../../../kernel/severity';

export const REPORT_FORMATS = ['pdf', 'html', 'json', 'csv', 'sarif', 'vex', 'gitlab', 'junit'] as const;
export const REPORT_SECTIONS = ['summary', 'scope', 'findings', 'evidence', 'appendix'] as const;

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

/** What a report shows, and how. Every key is there in a stored report: what was left out has become its default. */
export interface ReportOptions {
  readonly format: ReportFormat;
  readonly sections: readonly ReportSection[];
  readonly min_severity: Severity;
  /** Statuses of findings by their number; empty for all. */
  readonly statuses: readonly number[];
  readonly include_evidence: boolean;
  readonly include_resolved: boolean;
}

export const defaultReportOptions: ReportOptions = {
  format: 'pdf',
  sections: [...REPORT_SECTIONS],
  min_severity: 'none',
  statuses: [],
  include_evidence: true,
  include_resolved: true,
};

export const reportVocabulary = {
  formats: [...REPORT_FORMATS],
  sections: [...REPORT_SECTIONS],
};
