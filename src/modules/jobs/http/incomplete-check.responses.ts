import { ResponseField } from '../../../platform/api/response-field';
import type { IncompleteCheck } from '../domain/job-success';

export class IncompleteCheckResponse {
  @ResponseField.string({ description: 'The id of the check.' })
  id!: string;

  @ResponseField.string()
  place!: string;

  @ResponseField.string()
  reason!: string;
}

export const presentIncomplete = ({ check, location, reason }: IncompleteCheck): IncompleteCheckResponse => ({
  id: check,
  place: location,
  reason,
});
