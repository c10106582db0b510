import { ResponseField } from '../../../platform/api/response-field';
import type { IncompleteCheck } from '../domain/job-success';
import { stepOfJob } from '../domain/next-steps';

export class IncompleteCheckResponse {
  @ResponseField.string({ description: 'The id of the check.' })
  id!: string;

  @ResponseField.string()
  place!: string;

  @ResponseField.string()
  reason!: string;

  @ResponseField.string({ enum: ['inconclusive', 'blocked'] })
  result!: string;

  @ResponseField.string({ nullable: true, description: 'What to do about it.' })
  next_step!: string | null;
}

export const presentIncomplete = (one: IncompleteCheck): IncompleteCheckResponse => ({
  id: one.check,
  place: one.location,
  reason: one.reason,
  result: one.result,
  next_step: stepOfJob({ ...one, findingId: null }),
});
