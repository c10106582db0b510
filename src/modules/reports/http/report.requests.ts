import { isInt, max, min } from 'class-validator';
import { invalid } from '../../../kernel/domain-error';
import { isLine } from '../../../kernel/plain-text';
import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { Flag, Id, Instant, ListOf, Name, Nested, OneOf } from '../../../platform/http/fields';
import { type Owner, OwnerField } from '../../identity';
import {
  defaultReportOptions,
  defaultTitlePage,
  FINDING_ORDERS,
  type FindingOrder,
  JOB_REPORT_FORMATS,
  type JobReportFormat,
  MAX_PICKED_FINDINGS,
  noTexts,
  REPORT_FORMATS,
  REPORT_KINDS,
  type ReportKind,
  REPORT_SECTIONS,
  type ReportFormat,
  type ReportOptions,
  type ReportSection,
} from '../domain/report-options';
import { requireStartBeforeEnd } from '../domain/report-period';
import type { ReportOrder } from '../reports.service';
import { ReportTextsRequest } from './report-texts.request';

const optional = <Value>(fallback: Value, description?: string) => ({ nullable: true, default: fallback, description });

const MAX_DISTRIBUTION = 20;
const MAX_LENGTH = 200;

const isName = (text: unknown): boolean =>
  typeof text === 'string' && text.trim() !== '' && Array.from(text).length <= MAX_LENGTH && isLine(text);

export class TitlePageRequest {
  @Name(MAX_LENGTH, { nullable: true, description: 'By default the name of the event.' })
  title?: string | null;

  @Name(MAX_LENGTH, { nullable: true })
  subtitle?: string | null;

  @Name(60, { nullable: true, description: 'The marking on every page. By default "Confidential".' })
  confidentiality?: string | null;

  @Name(MAX_LENGTH, { nullable: true, description: 'By default the name of the organization.' })
  recipient?: string | null;

  @Name(40, { nullable: true, description: 'The version of the document.', example: '1.0' })
  version?: string | null;

  @Name(MAX_LENGTH, { nullable: true, description: 'Who tested. By default the service and its version.' })
  tester?: string | null;

  @Name(MAX_LENGTH, { nullable: true, description: 'How to reach the tester.' })
  contact?: string | null;

  @ListOf(
    {
      check: isName,
      sentence: `is a string of 1 to ${MAX_LENGTH} characters of one line that is not blank`,
      items: { type: 'string', minLength: 1, maxLength: MAX_LENGTH },
    },
    0,
    MAX_DISTRIBUTION,
    { nullable: true, description: 'Who may receive the report.', default: [] },
  )
  distribution?: string[] | null;

  @Name(MAX_LENGTH, { nullable: true, description: 'Who wrote the document.' })
  author?: string | null;

  @Name(MAX_LENGTH, { nullable: true, description: 'Who reviewed the document.' })
  reviewer?: string | null;
}

const TITLE_PAGE_NAMES = Object.keys(defaultTitlePage).join(', ');

export class ReportOptionsRequest {
  @OneOf(REPORT_FORMATS, optional(defaultReportOptions.format))
  format?: ReportFormat | null;

  @ListOf(
    {
      check: (section) => REPORT_SECTIONS.includes(section as ReportSection),
      sentence: `is one of: ${REPORT_SECTIONS.join(', ')}`,
      items: { type: 'string', enum: [...REPORT_SECTIONS] },
      unique: true,
    },
    1,
    REPORT_SECTIONS.length,
    optional(
      [...defaultReportOptions.sections],
      'The sections of pdf, html and json; those beside summary are its annex. The other formats are lists of findings.',
    ),
  )
  sections?: ReportSection[] | null;

  @OneOf(SEVERITIES, optional(defaultReportOptions.min_severity))
  min_severity?: Severity | null;

  @ListOf(
    {
      check: (status) => isInt(status) && min(status, 1) && max(status, 10),
      sentence: 'is a whole number from 1 to 10',
      items: { type: 'integer', minimum: 1, maximum: 10 },
      unique: true,
    },
    0,
    10,
    optional([], 'Only findings with these statuses; empty for all.'),
  )
  statuses?: number[] | null;

  @Flag(
    optional(
      defaultReportOptions.include_evidence,
      'The requests of retests and their answers; needs the section evidence too.',
    ),
  )
  include_evidence?: boolean | null;

  @Flag(optional(defaultReportOptions.include_resolved))
  include_resolved?: boolean | null;

  @Nested(TitlePageRequest, `of: ${TITLE_PAGE_NAMES}`, {
    nullable: true,
    description: 'The texts of the title page of pdf and html.',
  })
  title_page?: TitlePageRequest | null;

  @OneOf(
    REPORT_KINDS,
    optional(
      defaultReportOptions.kind,
      'A letter (pdf or html) has one page for people outside the organization: what was tested, when and how, and the findings by severity and state.',
    ),
  )
  kind?: ReportKind | null;

  @OneOf(FINDING_ORDERS, optional(defaultReportOptions.order, 'Of the findings.'))
  order?: FindingOrder | null;
}

const Findings = (description: string): PropertyDecorator =>
  ListOf(
    {
      check: (id) => isInt(id) && min(id, 1) && max(id, 2_147_483_647),
      sentence: 'is the id of a finding',
      items: { type: 'integer', minimum: 1, maximum: 2_147_483_647 },
      unique: true,
    },
    0,
    MAX_PICKED_FINDINGS,
    optional([], description),
  );

/** With the options that fit only one report. */
export class OrderedOptionsRequest extends ReportOptionsRequest {
  @Findings('The ids of findings that come first, in this order.')
  first_findings?: number[] | null;

  @Findings('The ids of findings that the report names as left out by choice.')
  left_out_findings?: number[] | null;

  @OwnerField({ nullable: true, description: 'Only findings on assets of this owner. The gate of a job counts all.' })
  owner?: Owner | null;

  @Id({
    nullable: true,
    description:
      'The id of an earlier report of the same subject: pdf, html and json show what is new, open, fixed and back.',
  })
  compare_with?: number | null;

  @Nested(ReportTextsRequest, `of: ${Object.keys(noTexts).join(', ')}`, { nullable: true })
  texts?: ReportTextsRequest | null;
}

const OPTION_NAMES = Object.keys(defaultReportOptions).join(', ');

/** The period of a job is its own. */
export class CreateJobReportRequest {
  @Nested(OrderedOptionsRequest, `of: ${OPTION_NAMES}`, {
    nullable: true,
    description: 'All of them may be left out. A report shows the findings that satisfy all of them.',
  })
  options?: OrderedOptionsRequest | null;
}

export class CreateReportRequest extends CreateJobReportRequest {
  @Instant({
    nullable: true,
    description:
      'The start of the period. The report contains findings that were first seen before its end and last seen after its start, and jobs that ended in it. By default the start of the event, or the creation of the organization.',
  })
  start_date?: Date | null;

  @Instant({ nullable: true, description: 'The end of the period. By default the end of the event, or now.' }, 'upper')
  end_date?: Date | null;
}

/** Omitted and null options get their defaults. */
const withDefaults = <Options extends object>(defaults: Options, sent: object | null | undefined): Options => ({
  ...defaults,
  ...Object.fromEntries(Object.entries(sent ?? {}).filter(([, value]) => value !== undefined && value !== null)),
});

export function optionsOf(sent: OrderedOptionsRequest): ReportOptions {
  const options = {
    ...withDefaults(defaultReportOptions, sent),
    title_page: withDefaults(defaultTitlePage, sent.title_page),
    texts: withDefaults(noTexts, sent.texts),
  };
  if (options.kind === 'letter' && options.format !== 'pdf' && options.format !== 'html')
    throw invalid('options.kind must be report in this format: a letter is pdf or html.');
  return options;
}

export const jobOrderOf = (body: CreateJobReportRequest): ReportOrder => ({
  options: optionsOf(body.options ?? {}),
  startDate: null,
  endDate: null,
});

export class JobReportQuery {
  @OneOf(JOB_REPORT_FORMATS, { optional: true, description: 'By default json.' })
  format: JobReportFormat = 'json';

  @OneOf(SEVERITIES, { optional: true, description: 'The least severity that stops the pipeline; medium by default.' })
  severity?: Severity;
}

export const orderOf = (body: CreateReportRequest): ReportOrder => ({
  options: optionsOf(body.options ?? {}),
  ...requireStartBeforeEnd({ startDate: body.start_date ?? null, endDate: body.end_date ?? null }),
});
