import { ResponseField } from '../../../platform/api/response-field';
import type { AcceptedCheckOfFinding } from '../changes/presented-finding';

/** An accepted check that applies to findings, with its asset. */
export class AcceptedCheckOfFindingResponse {
  @ResponseField.string()
  check_id!: string;

  @ResponseField.integer()
  asset_id!: number;

  @ResponseField.string()
  asset_value!: string;

  @ResponseField.string()
  reason!: string;

  @ResponseField.instant()
  until!: string;

  @ResponseField.string({ description: 'The name of the person who accepted it.' })
  accepted_by!: string;
}

export const presentAcceptedCheckOfFinding = (accepted: AcceptedCheckOfFinding): AcceptedCheckOfFindingResponse => ({
  check_id: accepted.checkId,
  asset_id: accepted.assetId,
  asset_value: accepted.assetValue,
  reason: accepted.reason,
  until: accepted.until.toISOString(),
  accepted_by: accepted.acceptedBy,
});
