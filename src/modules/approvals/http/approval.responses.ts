import { presented, ResponseField } from '../../../platform/api/response-field';
import { type Approval, APPROVAL_STATUSES, type StoredChange } from '../data/approval.entity';

class ApprovalChangeResponse {
  @ResponseField.string({ description: 'What is changed, such as `finding.merge`.' })
  kind!: string;

  @ResponseField.string({ description: 'The change in words.' })
  summary!: string;

  @ResponseField.object({ description: 'The values of the change; the fields depend on `kind`.' })
  values!: Readonly<Record<string, unknown>>;

  @ResponseField.string({ nullable: true, description: 'Why it was not made although it was confirmed.' })
  error!: string | null;
}

export class ApprovalResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string({ enum: APPROVAL_STATUSES })
  status!: string;

  @ResponseField.list(ApprovalChangeResponse, { description: 'What was proposed together, at most 500 changes.' })
  changes!: ApprovalChangeResponse[];

  @ResponseField.integer({ description: 'The id of the user.' })
  proposed_by!: number;

  @ResponseField.instant()
  proposed_at!: string;

  @ResponseField.instant({ description: '30 days after the proposal.' })
  expires!: string;

  @ResponseField.integer({ nullable: true, description: 'The id of the user; null if it is pending or has expired.' })
  decided_by!: number | null;

  @ResponseField.instant({ nullable: true })
  decided_at!: string | null;

  @ResponseField.string({ nullable: true, description: 'Why it was rejected.' })
  reason!: string | null;
}

export class ApprovalListResponse {
  @ResponseField.list(ApprovalResponse)
  approvals!: ApprovalResponse[];
}

export class SecondApprovalResponse {
  @ResponseField.boolean({ description: 'Whether decisions need a second admin.' })
  second_approval!: boolean;
}

const presentChange = ({ kind, summary, payload, error = null }: StoredChange): ApprovalChangeResponse => ({
  kind,
  summary,
  values: payload,
  error,
});

export const presentApproval = (approval: Approval): ApprovalResponse =>
  presented(ApprovalResponse, approval, { changes: approval.changes.map(presentChange) });

export const approvalExample = {
  id: 12,
  status: 'pending',
  changes: [
    {
      kind: 'finding.merge',
      summary: 'Merge into finding 4711: 4712.',
      values: { finding_id: 4711, finding_ids: [4712] },
      error: null,
    },
  ],
  proposed_by: 3,
  proposed_at: '2026-12-01T09:00:00.000Z',
  expires: '2026-12-31T09:00:00.000Z',
  decided_by: null,
  decided_at: null,
  reason: null,
} satisfies ApprovalResponse;
