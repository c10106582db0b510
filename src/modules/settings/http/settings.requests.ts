import { OneOf, WholeNumber } from '../../../platform/http/fields';
import { DURATION_UNITS, type DurationUnit, MAX_HOURS } from '../domain/event-duration';

export class ChangeDefaultEventDurationRequest {
  @WholeNumber(MAX_HOURS, { description: 'From 1 hour to 365 days in the given unit; other values return 422.' })
  duration!: number;

  @OneOf(DURATION_UNITS, { description: 'A month is 30 days.' })
  unit!: DurationUnit;
}
