import { Shown } from '../../../platform/api/shown';

export class FindingStatusResponse {
  @Shown.string({ enum: ['updated', 'unchanged'] })
  result!: string;

  @Shown.string({ description: 'The id of the finding, as a string.' })
  finding_id!: string;
}

export const presentStatusChange = (id: number, result: string): FindingStatusResponse => ({
  result,
  finding_id: String(id),
});
