import { isDeepStrictEqual } from 'node:util';
import { AUTOMATION_FIELDS, type Automation } from './automation';
import type { Dimension } from './event-vocabulary';

/** The fields that a change may have, by their names in the API. */
export const CHANGEABLE_FIELDS = {
  name: 'name',
  start_date: 'startDate',
  end_date: 'endDate',
  dimension: 'dimension',
  dimension_type: 'dimensionType',
  latitude: 'latitude',
  longitude: 'longitude',
  ...AUTOMATION_FIELDS,
} as const satisfies Record<string, keyof ChangeableEvent>;

export interface ChangeableEvent extends Automation {
  readonly name: string;
  readonly startDate: Date;
  readonly endDate: Date;
  readonly dimension: Dimension | null;
  readonly dimensionType: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

/** Only the fields that change; null removes a value. */
export type EventChange = Partial<ChangeableEvent>;

/** For the audit entry, under the names of the API. */
export const differencesOf = (
  event: ChangeableEvent,
  change: EventChange,
): Record<string, { from: unknown; to: unknown }> =>
  Object.fromEntries(
    Object.entries(CHANGEABLE_FIELDS)
      .filter(([, field]) => field in change && !isDeepStrictEqual(event[field], change[field]))
      .map(([name, field]) => [name, { from: event[field], to: change[field] }]),
  );
