import { SEVERITIES, type Severity } from '../../../kernel/severity';
import { ResponseField } from '../../../platform/api/response-field';
import { CONTRADICTIONS } from '../../retests';
import type { JobContradiction } from '../data/job-findings.repository';
import type { JobSuccess } from '../domain/job-success';

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

export class FailingFindingResponse {
  @ResponseField.integer()
  id!: number;

  @ResponseField.string()
  title!: string;

  @ResponseField.string({ enum: SEVERITIES })
  severity!: Severity;

  @ResponseField.boolean({
    description: 'Whether a check of this service has seen it. Claims come last, and fail a job as well.',
  })
  proved!: boolean;

  @ResponseField.string({ nullable: true, description: 'What its check requests. Null if it has no check.' })
  place!: string | null;

  @ResponseField.string({ nullable: true, description: 'The id of its check: `checks` of a launch runs it again.' })
  check!: string | null;

  @ResponseField.string({ description: 'Its page in the portal.' })
  url!: string;
}

export const presentFailing = (
  { id, title, severity, place, check, isProved = true }: JobSuccess['failing'][number],
  organization: string,
): FailingFindingResponse => ({
  id,
  title,
  severity,
  proved: isProved,
  place,
  check,
  url: `${organization}/findings/${id}`,
});
