import { SEVERITIES } from '../../../kernel/severity';
import { ResponseField } from '../../../platform/api/response-field';
import { CONTRADICTIONS } from '../../retests';
import type { JobContradiction } from '../data/job-findings.repository';

export class JobFindingResponse {
  @ResponseField.string()
  title!: string;

  @ResponseField.string({ enum: SEVERITIES })
  severity!: string;

  @ResponseField.boolean({
    description: 'Whether its check is accepted on its asset now, so that it does not fail jobs.',
  })
  accepted!: boolean;
}

export class JobContradictionResponse {
  @ResponseField.integer()
  finding_id!: number;

  @ResponseField.string()
  title!: string;

  @ResponseField.string({ enum: CONTRADICTIONS })
  contradiction!: string;
}

export const presentContradiction = ({
  findingId,
  title,
  contradiction,
}: JobContradiction): JobContradictionResponse => ({
  finding_id: findingId,
  title,
  contradiction,
});
