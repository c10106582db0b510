import type { VNode } from 'preact';
import { SEVERITIES } from '../../kernel/severity';
import type { FindingDetails } from '../../modules/findings';
import { Card } from '../frame/card';
import { Field, Form } from '../frame/form';
import { Markdown } from '../frame/markdown';
import { Time } from '../frame/time';
import { labelOf } from '../frame/words';
import { editFindingUrl } from '../urls';

interface Edited {
  readonly organizationId: number;
  readonly finding: Pick<FindingDetails, 'id' | 'edits' | 'texts'>;
  readonly mayTest: boolean;
}

const NAMES = { title: 'Title', md: 'Description', severity: 'Severity' } as const;

/** The fields that scans and imports leave as they are, each with what the scanner says and the way back to it. */
export function Pinned({ organizationId, finding: { id, edits, texts }, mayTest }: Edited): VNode | null {
  const { title, md, severity } = edits?.pins ?? {};
  const said = {
    title,
    md: md && (texts?.statedMd ?? ''),
    severity:
      severity &&
      [labelOf(SEVERITIES[severity.severity] ?? 'none'), severity.score, severity.cvssVector].filter(Boolean).join(' '),
  };
  const fields = (['title', 'md', 'severity'] as const).filter((field) => said[field] !== undefined);
  if (fields.length === 0) return null;
  return (
    <details class="pinned">
      <summary>Pinned: {fields.map((field) => NAMES[field].toLowerCase()).join(', ')}</summary>
      <p class="muted">Scans and imports do not change these. Jobs and reports count the higher severity.</p>
      {fields.map((field) => (
        <div key={field}>
          <p>
            {NAMES[field]} by the scanner: <bdi class="stated">{said[field] === '' ? 'none' : said[field]}</bdi>
          </p>
          {mayTest && (
            <Form action={`${editFindingUrl(organizationId, id)}/unpin`} class="inline-form">
              <input type="hidden" name="field" value={field} />
              {field === 'severity' && (
                <Field
                  id={`reason-${field}`}
                  name="reason"
                  label="Reason"
                  hint="Needed if the scanner says less."
                  input={{ required: false, maxLength: 2_000 }}
                />
              )}
              <button>Use what the scanner says</button>
            </Form>
          )}
        </div>
      ))}
    </details>
  );
}

/** How to fix it and evidence, as people have written them. */
export function WrittenTexts({
  finding: { texts },
  people,
}: Pick<Edited, 'finding'> & { people: ReadonlyMap<number, string> }) {
  if (texts === null) return null;
  const { remediationHtml, evidence, evidenceBy, evidenceAt } = texts;
  return (
    <>
      {remediationHtml !== null && (
        <Card id="remediation" title="How to fix it">
          <Markdown html={remediationHtml} />
        </Card>
      )}
      {evidence !== null && (
        <Card id="pasted" title={<>Pasted by {<bdi>{people.get(evidenceBy ?? 0) ?? 'a former user'}</bdi>}</>}>
          <p class="muted">
            No check has seen this, and no signature covers it. {evidenceAt !== null && <Time at={evidenceAt} />}
          </p>
          <pre dir="auto">{evidence}</pre>
        </Card>
      )}
    </>
  );
}
