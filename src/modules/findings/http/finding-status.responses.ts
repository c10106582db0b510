import { ResponseField } from '../../../platform/api/response-field';

export class FindingStatusResponse {
  @ResponseField.string({ enum: ['updated', 'unchanged'] })
  result!: string;

  @ResponseField.string({ description: 'The id of the finding, as a string.' })
  finding_id!: string;
}

export const presentStatusChange = (id: number, result: string): FindingStatusResponse => ({
  result,
  finding_id: String(id),
});
