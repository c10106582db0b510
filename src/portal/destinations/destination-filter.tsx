import { Transform } from 'class-transformer';
import type { VNode } from 'preact';
import { invalid } from '../../kernel/domain-error';
import { type Severity, SEVERITIES } from '../../kernel/severity';
import type { Event } from '../../modules/events';
import { type Destination, FILTERED_TYPES, RECORD_KINDS } from '../../modules/feed';
import { labelsIn } from '../../modules/findings';
import { type Owner, OwnerField } from '../../modules/identity';
import { Flag, Id, OneOf, TextWithRule } from '../../platform/http/fields';
import { Checkbox, Choices, Field, Select } from '../frame/form';
import { type OwnerOption, OwnerSelect } from '../frame/owner-select';
import { labelOf } from '../frame/words';

const MAX_TYPES_LENGTH = 1_000;
const MAX_LABELS_LENGTH = 2_100;

/** Of all check boxes, with commas. */
function typesIn(text: string): string[] {
  const types = [...new Set(text.split(/[\s,]+/).filter((type) => type !== ''))];
  const unknown = types.find((type) => !FILTERED_TYPES.includes(type));
  if (unknown === undefined) return types;
  throw invalid(`types must be kinds of records or types of entries, and "${unknown}" is none.`);
}

/** The filter as the API has it, with lists in one text. */
export class FilterForm {
  @TextWithRule(typesIn, { maxLength: MAX_TYPES_LENGTH }, { nullable: true })
  @Transform(({ obj }: { obj: { types?: unknown } }) => [obj.types].flat().join(','))
  types?: string | null;

  @OneOf(SEVERITIES, { nullable: true })
  severity?: Severity | null;

  @TextWithRule(labelsIn, { maxLength: MAX_LABELS_LENGTH }, { nullable: true })
  labels?: string | null;

  @Id({ nullable: true })
  event?: number | null;

  /** There are several events, which stay. */
  @Flag({ optional: true })
  keep_events?: boolean;

  @Flag({ optional: true })
  confirmed?: boolean;

  @OwnerField({ nullable: true })
  owner?: Owner | null;

  get filter() {
    const { severity, event, confirmed, owner } = this;
    const fields = { severity: severity ?? null, confirmed: confirmed ?? false, owner: owner ?? null };
    const lists = { types: typesIn(this.types ?? ''), labels: labelsIn(this.labels ?? '') };
    return this.keep_events === true
      ? { ...fields, ...lists }
      : { ...fields, ...lists, eventIds: event == null ? [] : [event] };
  }
}

export interface FilterProps {
  readonly events: readonly Event[];
  readonly owners: readonly OwnerOption[];
  readonly filter?: Pick<Destination, 'types' | 'severity' | 'labels' | 'eventIds' | 'confirmed' | 'owner'> | undefined;
}

const SINGLE_TYPES = FILTERED_TYPES.filter((type) => !RECORD_KINDS.includes(type));

/** finding.created: Finding: created */
const choiceOf = (value: string) => ({ value, label: labelOf(value).replace('.', ': ') });

/** Which changes are sent. */
export const FilterFields = ({ events, owners, filter }: FilterProps): VNode => (
  <>
    <Choices
      name="types"
      label="Changes of"
      hint="None for all."
      options={RECORD_KINDS.map(choiceOf)}
      values={filter?.types ?? []}
    />
    <details class="advanced" open={filter?.types.some((type) => SINGLE_TYPES.includes(type)) ?? false}>
      <summary>Single changes</summary>
      <Choices
        name="types"
        label="Only these changes of a record"
        options={SINGLE_TYPES.map(choiceOf)}
        values={filter?.types ?? []}
      />
    </details>
    <Select
      name="severity"
      label="Severity of findings and retests"
      options={[
        { value: '', label: 'Any' },
        ...SEVERITIES.toReversed().map((value) => ({ value, label: `${labelOf(value)} and above` })),
      ]}
      value={filter?.severity}
    />
    <Field
      name="labels"
      label="Labels"
      hint="Of findings and assets, with commas: one of them is enough. Empty for any."
      input={{ required: false, value: filter?.labels.join(', ') ?? '' }}
    />
    <OwnerSelect label="Owner of the asset" owners={owners} value={filter?.owner} none="Anyone" />
    <EventField events={events} eventIds={filter?.eventIds ?? []} />
    <Checkbox name="confirmed" label="Only findings that a check has confirmed" checked={filter?.confirmed} />
  </>
);

/** A program may have named several events. */
const EventField = ({ events, eventIds }: Pick<FilterProps, 'events'> & { eventIds: readonly number[] }): VNode =>
  eventIds.length > 1 ? (
    <input type="hidden" name="keep_events" value="true" />
  ) : (
    <Select
      name="event"
      label="Event"
      options={[{ value: '', label: 'Any' }, ...events.map(({ id, name }) => ({ value: id, label: name }))]}
      value={eventIds[0]}
    />
  );
