import { SEVERITIES, type Severity } from '../../kernel/severity';
import {
  type CreateReportRequest,
  orderOf,
  REPORT_SECTIONS,
  type ReportFormat,
  reportVocabulary,
  type ReportSection,
  type ReportSubject,
} from '../../modules/reports';
import { Flag, Instant, Name, OneOf, Text, Uuid } from '../../platform/http/fields';
import { PageQuery } from '../../platform/http/page-query';
import { parseSlug } from '../../platform/http/path-slug';
import { parseUuid } from '../../platform/http/path-uuid';

/** What the order is about, from a link of another page. */
export class ReportsQuery extends PageQuery {
  @Text(0, 63, { optional: true })
  event?: string;

  @Uuid({ optional: true })
  job?: string;
}

/** The options of the API, with a field for each section. */
export class ReportForm {
  @Text(1, 100)
  subject!: string;

  @OneOf(reportVocabulary.formats)
  format!: ReportFormat;

  @OneOf(SEVERITIES)
  min_severity!: Severity;

  @Flag({ optional: true })
  include_evidence?: boolean;

  @Flag({ optional: true })
  include_resolved?: boolean;

  @Flag({ optional: true })
  open_only?: boolean;

  @Instant({ nullable: true })
  start_date?: Date | null;

  @Instant({ nullable: true }, 'upper')
  end_date?: Date | null;

  @Name(200, { nullable: true })
  title?: string | null;

  @Name(200, { nullable: true })
  subtitle?: string | null;

  @Name(60, { nullable: true })
  confidentiality?: string | null;

  @Name(200, { nullable: true })
  recipient?: string | null;

  @Name(40, { nullable: true })
  version?: string | null;

  @Name(200, { nullable: true })
  tester?: string | null;

  @Name(200, { nullable: true })
  contact?: string | null;

  @Flag({ optional: true })
  section_summary?: boolean;

  @Flag({ optional: true })
  section_scope?: boolean;

  @Flag({ optional: true })
  section_changes?: boolean;

  @Flag({ optional: true })
  section_methodology?: boolean;

  @Flag({ optional: true })
  section_findings?: boolean;

  @Flag({ optional: true })
  section_evidence?: boolean;

  @Flag({ optional: true })
  section_retests?: boolean;

  @Flag({ optional: true })
  section_appendix?: boolean;
}

const OPEN_STATUSES = [1, 2, 3, 4];

const EVENT = 'event ';
const JOB = 'job ';

export const subjectValue = {
  organization: 'organization',
  event: (slug: string): string => EVENT + slug,
  job: (uuid: string): string => JOB + uuid,
};

/** Of the given organization, unless it names an event or a job. */
export function subjectOf({ subject }: ReportForm, organizationId: number): ReportSubject {
  if (subject.startsWith(EVENT)) return { kind: 'event', slug: parseSlug(subject.slice(EVENT.length)) };
  if (subject.startsWith(JOB)) return { kind: 'job', uuid: parseUuid(subject.slice(JOB.length)) };
  return { kind: 'organization', id: organizationId };
}

/** Without a checked section all of them, as in the API. */
export function orderOfForm(form: ReportForm): ReturnType<typeof orderOf> {
  const { format, min_severity, start_date, end_date, title, subtitle, confidentiality, recipient, version } = form;
  const { tester, contact } = form;
  const sections = REPORT_SECTIONS.filter((section) => form[`section_${section}` as keyof ReportForm] === true);
  const options = {
    format,
    min_severity,
    sections: sections.length === 0 ? undefined : ([...sections] satisfies ReportSection[]),
    statuses: form.open_only === true ? OPEN_STATUSES : undefined,
    include_evidence: form.include_evidence ?? false,
    include_resolved: form.include_resolved ?? false,
    title_page: { title, subtitle, confidentiality, recipient, version, tester, contact },
  };
  // The period of a job is its own.
  const period = form.subject.startsWith(JOB) ? {} : { start_date, end_date };
  return orderOf({ options, ...period } satisfies CreateReportRequest);
}
