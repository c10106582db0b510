import { type Severity, SEVERITIES } from '../../../kernel/severity';
import { ResponseField } from '../../../platform/api/response-field';
import { DESTINATION_STATES, type DestinationState } from '../domain/destinations';

export class DestinationResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.integer()
  organization_id!: number;

  @ResponseField.string()
  name!: string;

  @ResponseField.strings({ description: 'Types of entries, or kinds of records. Empty: all.' })
  types!: string[];

  @ResponseField.string({ nullable: true, enum: SEVERITIES })
  severity!: Severity | null;

  @ResponseField.strings()
  statuses!: string[];

  @ResponseField.integers()
  events!: number[];

  @ResponseField.strings()
  labels!: string[];

  @ResponseField.boolean()
  confirmed!: boolean;

  @ResponseField.string({ nullable: true, description: 'A member, such as `user:12`, or a group, such as `group:3`.' })
  owner!: string | null;

  @ResponseField.string({ enum: DESTINATION_STATES })
  state!: DestinationState;

  @ResponseField.integer({
    description: 'The user who saved it last. It is paused when that user is no longer an admin.',
  })
  maker_id!: number;

  @ResponseField.instant()
  created!: string;
}

export const destinationExample = {
  id: 3,
  organization_id: 7,
  types: ['finding', 'retest'],
  severity: 'high',
  statuses: [],
  events: [],
  labels: ['production'],
  confirmed: true,
  owner: null,
  state: 'active',
  pause_reason: null,
  maker_id: 12,
  created: '2026-01-31T12:00:00.000Z',
};
