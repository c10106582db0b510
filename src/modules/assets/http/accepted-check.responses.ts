import { ResponseField } from '../../../platform/api/response-field';
import type { AcceptedCheckView } from '../accepted-checks.service';
import type { AcceptedCheckOfAsset } from '../data/accepted-checks.repository';

export class AcceptedCheckResponse {
  @ResponseField.string({ description: 'The id of a built-in check.' })
  check_id!: string;

  @ResponseField.string()
  reason!: string;

  @ResponseField.instant({ description: 'Afterwards the findings of the check fail jobs again.' })
  until!: string;

  @ResponseField.string({ description: 'The e-mail address of the person who accepted it.' })
  accepted_by!: string;

  @ResponseField.instant()
  accepted_at!: string;

  @ResponseField.boolean()
  expired!: boolean;
}

export class AcceptedCheckListResponse {
  @ResponseField.list(AcceptedCheckResponse)
  accepted_checks!: AcceptedCheckResponse[];
}

/** An accepted check that applied to findings, with its asset. */
export class AppliedAcceptedCheckResponse {
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

  @ResponseField.string()
  accepted_by!: string;
}

export const presentAcceptedCheck = ({ accepted, isExpired }: AcceptedCheckView): AcceptedCheckResponse => ({
  check_id: accepted.checkId,
  reason: accepted.reason,
  until: accepted.until.toISOString(),
  accepted_by: accepted.acceptedBy,
  accepted_at: accepted.acceptedAt.toISOString(),
  expired: isExpired,
});

export const presentAppliedAcceptedCheck = (accepted: AcceptedCheckOfAsset): AppliedAcceptedCheckResponse => ({
  check_id: accepted.checkId,
  asset_id: accepted.assetId,
  asset_value: accepted.assetValue,
  reason: accepted.reason,
  until: accepted.until.toISOString(),
  accepted_by: accepted.acceptedBy,
});

export const acceptedCheckExample: AcceptedCheckResponse = {
  check_id: 'no-https-redirect',
  reason: 'The staging site is only reachable in the office network.',
  until: '2027-01-31T23:59:59.999Z',
  accepted_by: 'admin@example.com',
  accepted_at: '2026-01-31T12:00:00.000Z',
  expired: false,
};
