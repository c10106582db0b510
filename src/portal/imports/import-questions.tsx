import type { VNode } from 'preact';
import type { ImportQuestion } from '../../modules/imports';
import { Card } from '../frame/card';
import { Form, Select } from '../frame/form';
import { Time } from '../frame/time';
import { pluralize } from '../frame/words';
import { importUrl } from '../urls';
import type { ImportView } from './import-reader';

const REASONS: Readonly<Record<ImportQuestion['why'], (host: string) => string>> = {
  other_port: (host) => `You have assets on ${host}, but none with this port.`,
  several: (host) => `Several assets on ${host} match these rows equally well.`,
};

/** About rows that are between several assets. Nothing is imported before the answer. */
export function Questions({ view: { organizationId, one, mayImport } }: { view: ImportView }): VNode {
  const questions = one.questions ?? [];
  return (
    <Card id="questions" title="Which asset do these rows belong to?">
      <p>
        {one.dryRun ? 'The dry run' : 'The import'} waits for an answer. Without one, it continues on{' '}
        {one.waitsUntil !== null && <Time at={one.waitsUntil} to="minute" />} and refuses these rows.
      </p>
      {mayImport ? (
        <>
          <Form action={`${importUrl(organizationId, one.id)}/answers`} class="import-questions">
            {questions.map((question, index) => (
              <Select
                key={index}
                id={`answer-${index}`}
                name="answer"
                label={rowsText(question)}
                hint={REASONS[question.why](question.host)}
                options={optionsOf(question)}
              />
            ))}
            <button class="primary">{one.dryRun ? 'Continue the dry run' : 'Continue the import'}</button>
          </Form>
          <Form action={`${importUrl(organizationId, one.id)}/cancel`}>
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

const rowsText = ({ rows, places }: ImportQuestion): string => `${pluralize(rows, 'row')} at ${places.join(', ')}`;

const optionsOf = ({ assets, places }: ImportQuestion) => [
  { value: 'none', label: 'Choose' },
  ...assets.map(({ id, value }) => ({ value: String(id), label: `They belong to ${value}` })),
  {
    value: 'add',
    label: places.length === 1 ? 'Add an asset for this place' : 'Add an asset for each of these places',
  },
  { value: 'refuse', label: 'Refuse these rows' },
];
