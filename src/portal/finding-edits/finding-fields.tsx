import type { VNode } from 'preact';
import { SEVERITIES, type Severity } from '../../kernel/severity';
import { CVSS_VERSIONS, MAX_EVIDENCE, MAX_TEXT } from '../../modules/findings';
import { SeverityBadge } from '../frame/badges';
import { Card } from '../frame/card';
import { Field, FormError, Select, TextArea } from '../frame/form';
import { Markdown } from '../frame/markdown';
import { labelOf } from '../frame/words';
import { Calculator, CHOOSE, type Choices } from './cvss-fields';
import type { FindingForm } from './finding-edits.requests';

export const EVIDENCE_HINT =
  'Passwords, keys and tokens in it are redacted when it is saved. It is shown as pasted by you: no check has seen it, and no signature covers it.';

/** What the preview shows, or why there is none. */
export interface Preview {
  readonly html: string | null;
  readonly remediationHtml: string | null;
  readonly rating: {
    readonly severity: Severity;
    readonly score: number | null;
    readonly cvssVector: string | null;
  } | null;
  readonly problem: string | null;
  /** How many fields of the severity are empty. */
  readonly unchosen: number;
}

interface FindingFieldsProps {
  readonly values: Partial<FindingForm>;
  readonly choices: Choices;
  /** Of the finding that is edited; undefined for a new one. */
  readonly rated?: { readonly severity: Severity; readonly score: number | null };
  readonly preview: Preview | null;
  readonly previewUrl: string;
  /** Instead of the field of pasted evidence. */
  readonly evidence?: VNode;
}

/** The fields of the form of a finding. Scripts show the rating at once; the button does without them. */
export const FindingFields = (props: FindingFieldsProps): VNode => {
  const { values, choices, rated, preview, previewUrl, evidence } = props;
  const live = (part: '#rated' | '#preview') => ({
    'hx-post': previewUrl,
    'hx-target': part,
    'hx-swap': 'outerHTML',
    'hx-include': 'closest form',
    'hx-select': part,
    // Of quick choices the last one counts.
    'hx-sync': 'replace',
    // Without the files of the form.
    'hx-encoding': 'application/x-www-form-urlencoded',
  });
  return (
    <>
      <Field name="title" label="Title" input={{ value: values.title ?? '', maxLength: 500, dir: 'auto' }} />
      <div class="rating" {...live('#rated')} hx-trigger="change">
        <Select
          name="rating"
          label="Severity by"
          options={[
            ...(rated === undefined ? [] : [{ value: 'keep', label: `As it is: ${textOf(rated)}` }]),
            { value: 'severity', label: 'A word' },
            { value: 'vector', label: 'A CVSS vector' },
            ...CVSS_VERSIONS.map((version) => ({ value: version, label: `The CVSS ${version} calculator` })),
          ]}
          value={values.rating ?? (rated === undefined ? 'severity' : 'keep')}
        />
        <div class="by-severity">
          <Select
            name="severity"
            label="Severity"
            options={[CHOOSE, ...SEVERITIES.toReversed().map((value) => ({ value, label: labelOf(value) }))]}
            value={values.severity}
          />
        </div>
        <div class="by-vector">
          <Field
            name="cvss_vector"
            label="CVSS vector"
            hint="Of version 3.0, 3.1 or 4.0. The score and the severity follow from it."
            input={{ value: values.cvss_vector ?? '', maxLength: 300, required: false, spellcheck: false }}
          />
        </div>
        {CVSS_VERSIONS.map((version) => (
          <Calculator key={version} version={version} choices={choices} />
        ))}
        <RatedPart preview={preview} />
      </div>
      <TextArea name="md" label="Description, in Markdown" value={values.md} rows={12} maxLength={MAX_TEXT} />
      <TextArea
        name="remediation"
        label="How to fix it, in Markdown"
        value={values.remediation}
        rows={6}
        maxLength={MAX_TEXT}
      />
      <div class="inline-form">
        <Field
          name="cwe"
          label="CWE, the number"
          input={{ type: 'number', min: 1, max: 99_999, value: values.cwe ?? '', required: false }}
        />
        <Field
          name="cve"
          label="CVE"
          input={{ value: values.cve ?? '', required: false, placeholder: 'CVE-2026-12345' }}
        />
      </div>
      {evidence ?? (
        <TextArea
          name="evidence"
          label="Evidence that you paste"
          hint={EVIDENCE_HINT}
          value={values.evidence}
          rows={6}
          maxLength={MAX_EVIDENCE}
        />
      )}
      <button formaction={previewUrl} formNoValidate {...live('#preview')}>
        Preview
      </button>
      <PreviewPart preview={preview} />
    </>
  );
};

const textOf = ({ severity, score }: { severity: Severity; score: number | null }): string =>
  `${labelOf(severity)}${score === null ? '' : ` ${score.toFixed(1)}`}`;

/** The severity, while it is chosen. */
const RatedPart = ({ preview }: { preview: Preview | null }): VNode => (
  <div id="rated" aria-live="polite">
    {preview?.problem != null && <FormError>{preview.problem}</FormError>}
    {preview?.rating != null && (
      <p>
        <SeverityBadge severity={preview.rating.severity} /> {preview.rating.score?.toFixed(1)}{' '}
        <code>{preview.rating.cvssVector}</code>
      </p>
    )}
    {preview !== null && preview.unchosen > 0 && <p class="muted">Not chosen yet: {preview.unchosen}.</p>}
  </div>
);

const PreviewPart = ({ preview }: { preview: Preview | null }): VNode => (
  <div id="preview" aria-live="polite">
    {preview !== null && (
      <Card id="previewed" title="Preview">
        {preview.problem !== null && <FormError>{preview.problem}</FormError>}
        {preview.html !== null && <Markdown html={preview.html} />}
        {preview.remediationHtml !== null && (
          <>
            <h3>How to fix it</h3>
            <Markdown html={preview.remediationHtml} />
          </>
        )}
      </Card>
    )}
  </div>
);

/** What a preview replaces in a page that is shown already. */
export const PreviewParts = ({ preview }: { preview: Preview }): VNode => (
  <>
    <RatedPart preview={preview} />
    <PreviewPart preview={preview} />
  </>
);
