import { Transform } from 'class-transformer';
import { HttpException } from '@nestjs/common';
import { DomainError, invalid } from '../../kernel/domain-error';
import { SEVERITIES, type Severity } from '../../kernel/severity';
import { type Owner, OwnerField } from '../../modules/identity';
import {
  type CreateReportRequest,
  FINDING_ORDERS,
  type FindingOrder,
  orderOf,
  REPORT_KINDS,
  REPORT_SECTIONS,
  type ReportFormat,
  reportVocabulary,
  type ReportKind,
  type ReportOrder,
  type ReportSection,
  type ReportSubject,
  ReportTextsRequest,
} from '../../modules/reports';
import { Flag, Instant, Name, OneOf, Text, TextListWithRule, TextWithRule } from '../../platform/http/fields';
import { parseSlug } from '../../platform/http/path-slug';
import { parseUuid } from '../../platform/http/path-uuid';
import { FormPipe } from '../http/form.pipe';
import { type Preset, PRESET_NAMES, type PresetName, PRESETS } from './presets';

const forms = new FormPipe();

/** What the form of a new report begins with. */
export class NewReportQuery {
  @Text(1, 100, { optional: true })
  subject = 'organization';

  @OneOf(PRESET_NAMES, { optional: true })
  preset: PresetName = 'full';

  @Flag({ optional: true })
  draft?: boolean;
}

export type ReportBeginning = Pick<NewReportQuery, 'subject' | 'preset' | 'draft'>;

type Typed = Readonly<Record<string, unknown>>;

/** The subject in the form counts, also if its findings were not shown. */
export const aboutTyped = (query: ReportBeginning, { subject }: Typed): ReportBeginning =>
  typeof subject === 'string' && subject !== '' ? { ...query, subject } : query;

const WORDS = new Set(['summary', 'rating', 'conclusion', 'next_steps']);

/** Of a form that is shown again: a draft fills texts that are empty, and a preset brings its sections. */
export function keptFields(typed: Typed, { preset, draft }: ReportBeginning): Typed {
  const isOfPreset = (name: string): boolean => /^(section_|include_evidence$|annex$|kind$)/.test(name);
  const fields = Object.entries(typed);
  if (draft === true) return Object.fromEntries(fields.filter(([name, text]) => text !== '' || !WORDS.has(name)));
  const kept = fields.filter(([name]) => name !== 'compare_with');
  if (typed['begin_with'] !== 'preset') return Object.fromEntries(kept);
  const { sections, annex, kind } = PRESETS[preset];
  return Object.fromEntries([
    ...kept.filter(([name]) => !isOfPreset(name)),
    ...Object.entries({ annex, kind }),
    ...sections.map((section) => [`section_${section}`, 'true'] as const),
    ...(sections.some((section) => section === 'evidence') ? [['include_evidence', 'true'] as const] : []),
  ]);
}

const itemsIn = (text: string): string[] => text.split(/[\s,]+/).filter((item) => item !== '');

function requireNumbers(text: string): number[] {
  const numbers = [...new Set(itemsIn(text.replaceAll('#', '')).map(Number))];
  if (numbers.every((id) => Number.isInteger(id) && id > 0 && id < 2 ** 31)) return numbers;
  throw invalid('It must be numbers of findings, with commas or spaces between them.');
}

/** What follows the summary: the checked sections, or nothing. */
export const ANNEXES = ['full', 'none'] as const;
export type Annex = (typeof ANNEXES)[number];

/** The options of the API, with a field for each section and each text. */
export class ReportForm extends ReportTextsRequest {
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

  @Name(200, { nullable: true })
  author?: string | null;

  @Name(200, { nullable: true })
  reviewer?: string | null;

  @OneOf(REPORT_KINDS, { optional: true })
  kind?: ReportKind;

  @OneOf(ANNEXES, { optional: true })
  annex?: Annex;

  @OwnerField({ nullable: true })
  owner?: Owner | null;

  @OneOf(FINDING_ORDERS, { optional: true })
  order?: FindingOrder;

  @TextWithRule(requireNumbers, { maxLength: 2_000 }, { nullable: true })
  first_findings?: string | null;

  @TextListWithRule(
    (ids) => requireNumbers(ids.join()),
    { minItems: 0, maxItems: 1_000, maxLength: 10 },
    { optional: true },
  )
  // The last transformation is applied first, so this one replaces what that of the field has read.
  @Transform(({ obj }: { obj: Record<string, unknown> }) => [obj['left_out'] ?? []].flat())
  left_out?: string[];

  @Text(0, 10, { nullable: true })
  compare_with?: string | null;

  @Flag({ optional: true })
  section_summary?: boolean;

  @Flag({ optional: true })
  section_plan?: boolean;

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
export function subjectOf({ subject }: Pick<ReportForm, 'subject'>, organizationId: number): ReportSubject {
  if (subject.startsWith(EVENT)) return { kind: 'event', slug: parseSlug(subject.slice(EVENT.length)) };
  if (subject.startsWith(JOB)) return { kind: 'job', uuid: parseUuid(subject.slice(JOB.length)) };
  if (subject !== subjectValue.organization) throw invalid('Choose the organization, an event or a scan.');
  return { kind: 'organization', id: organizationId };
}

/** What was typed so far, if it can be an order. */
export async function orderTyped(typed: Typed): Promise<ReportOrder | undefined> {
  const { begin_with: _beginning, ...fields } = typed;
  try {
    return orderOfForm((await forms.transform(fields, { type: 'body', metatype: ReportForm })) as ReportForm);
  } catch (error) {
    if (error instanceof DomainError || error instanceof HttpException) return undefined;
    throw error;
  }
}

/** Of a form that nobody has changed. */
export const orderOfPreset = ({ sections, annex, kind }: Preset): ReportOrder =>
  orderOf({ options: { kind, sections: annex === 'none' ? ['summary'] : [...sections] } });

/** Without a checked section all of them, as in the API. */
export function orderOfForm(form: ReportForm): ReportOrder {
  const { format, min_severity, start_date, end_date, title, subtitle, confidentiality, recipient, version } = form;
  const { tester, contact, author, reviewer, kind, order, summary, rating, conclusion, next_steps } = form;
  const sections: ReportSection[] =
    form.annex === 'none'
      ? ['summary']
      : REPORT_SECTIONS.filter((section) => form[`section_${section}` as keyof ReportForm] === true);
  const options = {
    format,
    min_severity,
    sections: sections.length === 0 ? undefined : sections,
    statuses: form.open_only === true ? OPEN_STATUSES : undefined,
    include_evidence: form.include_evidence ?? false,
    include_resolved: form.include_resolved ?? false,
    title_page: { title, subtitle, confidentiality, recipient, version, tester, contact, author, reviewer },
    kind,
    order,
    owner: form.owner,
    first_findings: requireNumbers(form.first_findings ?? ''),
    left_out_findings: requireNumbers((form.left_out ?? []).join()),
    compare_with: requireNumbers(form.compare_with ?? '')[0],
    texts: { summary, rating, conclusion, next_steps },
  };
  // The period of a job is its own.
  const period = form.subject.startsWith(JOB) ? {} : { start_date, end_date };
  return orderOf({ options, ...period } satisfies CreateReportRequest);
}
