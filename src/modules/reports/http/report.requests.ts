import { SEVERITIES } from '../../../kernel/severity';
import { Instant, field } from '../../../platform/http/fields';
import { readReportOptions } from '../domain/read-report-options';
import { defaultReportOptions, REPORT_FORMATS, REPORT_SECTIONS } from '../domain/report-options';
import { requireStartBeforeEnd } from '../domain/report-period';
import type { ReportOrder } from '../reports.service';

const listOf = (items: object, maxItems: number) => ({ type: 'array', uniqueItems: true, maxItems, items });

/** Each option as the documentation shows it; what is refused, and how, is the domain's to say. */
const options = {
  format: { type: 'string', enum: [...REPORT_FORMATS], default: defaultReportOptions.format },
  sections: {
    ...listOf({ type: 'string', enum: [...REPORT_SECTIONS] }, REPORT_SECTIONS.length),
    minItems: 1,
    default: [...defaultReportOptions.sections],
    description: 'What pdf, html and json contain; csv, sarif and vex are lists of findings.',
  },
  min_severity: { type: 'string', enum: [...SEVERITIES], default: defaultReportOptions.min_severity },
  statuses: {
    ...listOf({ type: 'integer', minimum: 1, maximum: 10 }, 10),
    default: [],
    description: 'Findings in these statuses alone; empty for all.',
  },
  include_evidence: {
    type: 'boolean',
    default: defaultReportOptions.include_evidence,
    description: 'What retests asked and what they were answered; needs the section evidence too.',
  },
  include_resolved: { type: 'boolean', default: defaultReportOptions.include_resolved },
};

export class CreateReportRequest {
  @field(
    {
      check: (value) => typeof value === 'object' && !Array.isArray(value),
      sentence: `must be an object of: ${Object.keys(options).join(', ')}`,
      schema: { type: 'object', additionalProperties: false, properties: options } as never,
    },
    { nullable: true, description: 'All of them may be left out. A finding is told if it satisfies all of them.' },
  )
  options?: object | null;

  @Instant({
    nullable: true,
    description:
      'The period of the report: the findings that were seen in it (first seen before its end, last seen after its start) and the jobs that ended in it. By default the start of the event.',
  })
  start_date?: Date | null;

  @Instant({ nullable: true, description: 'By default the end of the event.' }, 'upper')
  end_date?: Date | null;
}

export const orderOf = (body: CreateReportRequest): ReportOrder => ({
  options: readReportOptions(body.options),
  ...requireStartBeforeEnd({ startDate: body.start_date ?? null, endDate: body.end_date ?? null }),
});
