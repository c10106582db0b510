import type { VNode } from 'preact';
import { type ImportQuestion, usualColumns } from '../../modules/imports';
import { Card } from '../frame/card';
import { Field, Form, Select } from '../frame/form';
import { Time } from '../frame/time';
import { labelOf, pluralize } from '../frame/words';
import { importUrl } from '../urls';
import type { ImportView } from './import-reader';
import { NO_HOST } from './import-results';
import { asksColumns } from './imports-page';
import { COLUMN_FIELDS } from './imports.requests';

const REASONS: Readonly<Partial<Record<ImportQuestion['why'], (host: string) => string>>> = {
  other_port: (host) => `You have assets on ${host}, but none with this port.`,
  several: (host) => `Several assets on ${host} match these rows equally well.`,
};

/** About the columns of the file, or rows whose asset is not clear. Nothing is imported before the answer. */
export function Questions({ view }: { view: ImportView }): VNode {
  const { organizationId, one, mayImport } = view;
  const questions = one.questions ?? [];
  const isAboutColumns = asksColumns(questions);
  const url = importUrl(organizationId, one.id);
  return (
    <Card id="questions" title={isAboutColumns ? 'Which column is which?' : 'Which asset do these rows belong to?'}>
      <p>
        {one.dryRun ? 'The dry run' : 'The import'} waits for an answer, and then continues with the file. Without one,
        it {isAboutColumns ? 'ends' : 'continues'} on{' '}
        {one.waitsUntil !== null && <Time at={one.waitsUntil} to="minute" />}
        {isAboutColumns ? '.' : ' and refuses these rows.'}
      </p>
      {mayImport ? (
        <>
          <Form action={`${url}/${isAboutColumns ? 'columns' : 'answers'}`} class="import-questions">
            {questions.map((question, index) => (
              <Question key={index} question={question} index={index} />
            ))}
            <button class="primary">{one.dryRun ? 'Continue the dry run' : 'Continue the import'}</button>
          </Form>
          <Form action={`${url}/cancel`}>
            <button>{one.dryRun ? 'Cancel the dry run' : 'Cancel the import'}</button>
          </Form>
        </>
      ) : (
        <ul class="plain">
          {questions.map((question) => (
            <li key={rowsText(question)}>{rowsText(question)}</li>
          ))}
        </ul>
      )}
    </Card>
  );
}

function Question({ question, index }: { question: ImportQuestion; index: number }): VNode {
  if (question.why === 'columns') return <Columns columns={question.places} />;
  const id = `answer-${index}`;
  const hint = REASONS[question.why]?.(question.host);
  const select = <Select {...{ id, hint, options: optionsOf(question) }} name="answer" label={rowsText(question)} />;
  if (question.why !== 'no_host') return select;
  return (
    <>
      {select}
      <Field
        name="asset"
        label={NO_HOST}
        hint="A domain, a URL, an IP address or a CIDR, such as shop.example.com."
        input={{ required: false, maxLength: 2048 }}
      />
    </>
  );
}

/** Fields that most tables have. */
const SHOWN_FIELDS = 5;

/** The title and the severity, which every finding needs, and what else the table may have. */
function Columns({ columns }: { columns: readonly string[] }): VNode {
  const usual = usualColumns(columns);
  const selects = COLUMN_FIELDS.map((field) => {
    const isNeeded = field === 'title' || field === 'severity';
    const options = [
      { value: '', label: isNeeded ? 'Choose' : 'None' },
      ...columns.map((value) => ({ value, label: value })),
    ];
    return (
      <Select
        key={field}
        id={`column-${field}`}
        name="column"
        label={labelOf(field).replace(/^(?:Url|Cwe|Cves|Cvss)\b/, (word) => word.toUpperCase().replace('CVES', 'CVEs'))}
        options={options}
        value={usual[field]}
        required={isNeeded}
      />
    );
  });
  return (
    <>
      <div class="inline-form">{selects.slice(0, SHOWN_FIELDS)}</div>
      <details>
        <summary>Other columns</summary>
        <div class="inline-form">{selects.slice(SHOWN_FIELDS)}</div>
      </details>
    </>
  );
}

function rowsText({ why, rows, places }: ImportQuestion): string {
  if (why === 'columns') return `Its columns are ${places.join(', ')}`;
  const counted = pluralize(rows, 'row');
  if (why !== 'no_host') return `${counted} at ${places.join(', ')}`;
  return `${counted} without a host, such as ${places.join(', ')}`;
}

const optionsOf = ({ why, assets, places }: ImportQuestion) => [
  { value: 'none', label: 'Choose' },
  ...assets.map(({ id, value }) => ({ value: String(id), label: `They belong to ${value}` })),
  {
    value: 'add',
    label:
      why === 'no_host'
        ? 'They belong to the asset below'
        : places.length === 1
          ? 'Add an asset for this place'
          : 'Add an asset for each of these places',
  },
  { value: 'refuse', label: 'Refuse these rows' },
];
