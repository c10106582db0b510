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

  @ResponseField.string({
    enum: ['asset', 'label', 'organization'],
    description: 'Whether it is accepted on this asset, on assets with its label or on all assets.',
  })
  accepted_for!: 'asset' | 'label' | 'organization';

  @ResponseField.string({ nullable: true, description: 'The label, if it is accepted for one.' })
  label!: string | null;
}

export const presentAcceptedCheckOfFinding = (accepted: AcceptedCheckOfFinding): AcceptedCheckOfFindingResponse => ({
  check_id: accepted.checkId,
  asset_id: accepted.assetId,
  asset_value: accepted.assetValue,
  reason: accepted.reason,
  until: accepted.until.toISOString(),
  accepted_by: accepted.acceptedBy,
  ...acceptedFor(accepted.acceptedFor),
});

/** From the label that is empty for all assets, and null for one asset. */
export const acceptedFor = (label: string | null): Pick<AcceptedCheckOfFindingResponse, 'accepted_for' | 'label'> => ({
  accepted_for: label === null ? 'asset' : label === '' ? 'organization' : 'label',
  label: label === '' ? null : label,
});
