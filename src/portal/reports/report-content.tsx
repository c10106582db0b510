import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import { REPORT_SECTIONS, reportVocabulary } from '../../modules/reports';
import { Card } from '../frame/card';
import { Checkbox, Field, Select } from '../frame/form';
import { Advanced } from '../frame/form-parts';
import { OwnerSelect } from '../frame/owner-select';
import { labelOf } from '../frame/words';
import type { Preset } from './presets';
import type { NewReportView } from './report-reader';
import { FORMAT_LABELS } from './reports-page';
import { ANNEXES } from './reports.requests';

/** Said before the report is generated. Scripts keep it current; the button of the subject does without them. */
export const ReportSize = ({ facts }: Pick<NewReportView, 'facts'>): VNode => (
  <p id="report-size" role="status">
    {facts.size}
  </p>
);

const ANNEX_LABELS = {
  full: 'An annex with each finding in full',
  none: 'Nothing: two pages for a board',
} as const;

export function ReportContent({ view }: { readonly view: NewReportView }): VNode {
  const { preset, query, owners, facts } = view;
  const formats = reportVocabulary.formats
    .filter((format) => preset.kind === 'report' || format === 'pdf' || format === 'html')
    .map((value) => ({ value, label: FORMAT_LABELS[value] }));
  const severities = SEVERITIES.map((value) => ({
    value,
    label: value === 'none' ? 'All' : `${labelOf(value)} and above`,
  }));
  return (
    <Card id="content" title="What it contains">
      {preset.kind === 'report' && (
        <Select
          name="annex"
          label="After the summary of two pages"
          options={ANNEXES.map((value) => ({ value, label: ANNEX_LABELS[value] }))}
          value={preset.annex}
        />
      )}
      <div class="inline-form">
        <Select name="format" label="Format" options={formats} value="pdf" />
        <Select name="min_severity" label="Severity" options={severities} value="none" />
        <OwnerSelect label="Owner of the assets" owners={owners} value={null} none="Anyone" />
        {!query.subject.startsWith('job ') && (
          <>
            <Field name="start_date" label="From, in UTC" input={{ type: 'date', required: false }} />
            <Field name="end_date" label="To, in UTC" input={{ type: 'date', required: false }} />
          </>
        )}
      </div>
      <div class="flags">
        {preset.kind === 'report' && (
          <Checkbox name="include_evidence" label="With evidence" checked={preset.sections.includes('evidence')} />
        )}
        <Checkbox name="include_resolved" label="With resolved findings" checked />
        <Checkbox name="open_only" label="Only open findings" />
      </div>
      <ReportSize facts={facts} />
      {preset.kind === 'report' && <Sections preset={preset} />}
    </Card>
  );
}

const Sections = ({ preset }: { preset: Preset }): VNode => (
  <Advanced label="Customize">
    <fieldset class="flags">
      <legend>Sections of PDF, HTML and JSON with an annex</legend>
      {REPORT_SECTIONS.map((section) => (
        <Checkbox
          key={section}
          name={`section_${section}`}
          label={section === 'plan' ? 'Remediation plan' : labelOf(section)}
          checked={preset.sections.includes(section)}
        />
      ))}
    </fieldset>
  </Advanced>
);
