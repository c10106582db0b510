import {
  CSV_FIELDS,
  type CsvColumns,
  importOptions,
  ImportQuery,
  type PlaceAnswer,
  type ProposalDecision,
} from '../../modules/imports';
import { Flag, OneOf, SingleLineText, Text } from '../../platform/http/fields';
import { PageQueryOf } from '../../platform/http/page-query';
import { parseSlug } from '../../platform/http/path-slug';
import { Selection } from '../findings/bulk.requests';

const MAX_NAME_LENGTH = 200;

export class ImportsQuery extends PageQueryOf(20) {
  /** From the page of a dry run. */
  @Flag({ optional: true })
  for_real?: boolean;

  /** From the page of an event. */
  @Text(0, 63, { optional: true })
  event?: string;

  /** Only those of the last days that failed. */
  @Flag({ optional: true })
  failed?: boolean;
}

/** The options of the API, and the event. The file is the last field of the form. */
export class ImportForm extends ImportQuery {
  @Text(0, 63, { optional: true })
  event?: string;

  target(organizationId: number) {
    return this.event === undefined ? { organizationId } : { eventSlug: parseSlug(this.event) };
  }

  optionsFor(fileName: string) {
    return { ...importOptions(this), name: shownName(fileName), asksPlaces: true };
  }
}

/** The proposals that are selected on the page of an import. */
export class DecideProposalsForm {
  @Selection('proposals')
  proposal!: string[];

  @OneOf(['approve', 'decline'])
  decision!: ProposalDecision;

  get ids(): number[] {
    return [...new Set(this.proposal.map(Number))];
  }
}

/** One for each question, in their order: the id of an asset, or what to do without one. */
export class AnswersForm {
  @Selection('answers', (answer) => /^(?:\d{1,9}|add|refuse|none)$/.test(String(answer)))
  answer!: string[];

  get answers(): PlaceAnswer[] {
    return this.answer.map((answer) => (answer === 'add' || answer === 'refuse' ? answer : Number(answer)));
  }

  /** Of rows without a host. */
  @SingleLineText(2_048, { optional: true })
  asset?: string;
}

const NEEDED: ReadonlySet<string> = new Set(['title', 'severity']);

/** In the order of the form: first what every finding needs. */
export const COLUMN_FIELDS = CSV_FIELDS.toSorted((one, other) => Number(NEEDED.has(other)) - Number(NEEDED.has(one)));

/** The name of a column, or an empty text, for each of `COLUMN_FIELDS`. */
export class ColumnsForm {
  @Selection('columns', (name) => typeof name === 'string' && name.length <= 200)
  column!: string[];

  get columns(): CsvColumns {
    const named = COLUMN_FIELDS.map((field, index) => [field, this.column[index] ?? ''] as const);
    return Object.fromEntries(named.filter(([, name]) => name !== ''));
  }
}

/** A name of a file may have any characters. */
function shownName(fileName: string): string | null {
  const name = fileName
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed();
  return name === '' ? null : name;
}
