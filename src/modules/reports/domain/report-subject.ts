export const REPORT_SUBJECTS = ['event', 'job', 'organization'] as const;

export type ReportSubjectKind = (typeof REPORT_SUBJECTS)[number];

/** What a report is about, by the key that requests use: the slug of an event, the UUID of a job, the id of an organization. */
export type ReportSubject =
  | { readonly kind: 'event'; readonly slug: string }
  | { readonly kind: 'job'; readonly uuid: string }
  | { readonly kind: 'organization'; readonly id: number };

/** A report without an event and without a job is about the organization. */
export function subjectKindOf(report: {
  readonly eventId: number | null;
  readonly jobUuid: string | null;
}): ReportSubjectKind {
  if (report.eventId !== null) return 'event';
  return report.jobUuid === null ? 'organization' : 'job';
}
