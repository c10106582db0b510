import { ResponseField } from '../../../platform/api/response-field';
import { ACCEPTANCE_KINDS, type AcceptanceKind } from '../domain/acceptance-kinds';
import type { AcceptedCheckView } from '../accepted-checks.service';

export class AcceptedCheckResponse {
  @ResponseField.string({ description: 'The id of a built-in check.' })
  check_id!: string;

  @ResponseField.string()
  reason!: string;

  @ResponseField.instant({ description: 'Afterwards the check fails jobs again.' })
  until!: string;

  @ResponseField.string({
    enum: ACCEPTANCE_KINDS,
    description: 'Whether findings of the check, or that it could not be completed, do not fail jobs.',
  })
  covers!: AcceptanceKind;

  @ResponseField.string({ description: 'The name of the person who accepted it.' })
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

export const presentAcceptedCheck = ({
  accepted,
  covers,
  until,
  isExpired,
}: AcceptedCheckView): AcceptedCheckResponse => ({
  check_id: accepted.checkId,
  reason: accepted.reason,
  until: until.toISOString(),
  covers,
  accepted_by: accepted.acceptedBy,
  accepted_at: accepted.acceptedAt.toISOString(),
  expired: isExpired,
});

export const acceptedCheckExample: AcceptedCheckResponse = {
  check_id: 'no-https-redirect',
  reason: 'The staging site is only reachable in the office network.',
  until: '2027-01-31T23:59:59.999Z',
  covers: 'findings',
  accepted_by: 'Ada Ito',
  accepted_at: '2026-01-31T12:00:00.000Z',
  expired: false,
};
