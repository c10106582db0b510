import type { ReportSection } from '../../domain/report-options';
import type { ReportRenderer, ReportSnapshot } from '../../domain/report-snapshot';
import { FORMATS } from '../formats';

/** Named in every document, so that programs know its format. The number changes only when a field changes its meaning. */
export const JSON_REPORT_SCHEMA = 'assay/report/1';

/** The fields of each section; all others are always included. Evidence is part of the findings. */
const SECTION_OF: Partial<Record<keyof ReportSnapshot, ReportSection>> = {
  totals: 'summary',
  summary: 'summary',
  timeline: 'summary',
  time_to_fix: 'summary',
  scope: 'scope',
  changes: 'changes',
  checks: 'methodology',
  findings: 'findings',
  check_descriptions: 'findings',
  vocabulary: 'appendix',
};

/** The snapshot without the logo, what is not for readers and the sections that were not requested. */
export function jsonReport(snapshot: ReportSnapshot): object {
  const wanted = Object.entries(snapshot).filter(([name]) => {
    if (name === 'logo' || name === 'counted') return false;
    const section = SECTION_OF[name as keyof ReportSnapshot];
    return section === undefined || snapshot.options.sections.includes(section);
  });
  return { schema: JSON_REPORT_SCHEMA, ...Object.fromEntries(wanted) };
}

export class JsonRenderer implements ReportRenderer {
  readonly contentType = FORMATS.json.contentType;
  readonly extension = FORMATS.json.extension;

  async render(snapshot: ReportSnapshot): Promise<Buffer> {
    return Buffer.from(`${JSON.stringify(jsonReport(snapshot), null, 2)}\n`);
  }
}
