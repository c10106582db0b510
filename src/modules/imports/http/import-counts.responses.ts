import { ACTOR_TYPES } from '../../../platform/api/caller';
import { ResponseField } from '../../../platform/api/response-field';

export class ImportActor {
  @ResponseField.string({ enum: ACTOR_TYPES })
  type!: string;

  @ResponseField.string({ description: 'The id of the user.' })
  id!: string;
}

export class ImportCounts {
  @ResponseField.integer()
  new!: number;

  @ResponseField.integer()
  seen_again!: number;

  @ResponseField.integer()
  reopened!: number;

  @ResponseField.integer()
  unchanged!: number;

  @ResponseField.integer()
  refused!: number;

  @ResponseField.integer({
    description:
      'Open findings that the scanner saw before on the assets, hosts and ports of the file, and that the file no longer has.',
  })
  missing!: number;
}

/** Results of the findings whose tests the import requested. */
export class ImportVerificationCounts {
  @ResponseField.integer({ description: 'Findings with a result.' })
  tested!: number;

  @ResponseField.integer()
  confirmed!: number;

  @ResponseField.integer()
  refuted!: number;

  @ResponseField.integer()
  inconclusive!: number;

  @ResponseField.integer({
    description: 'Findings that wait for their test, or whose test was refused in the meantime.',
  })
  untested!: number;

  @ResponseField.integer({ description: 'Findings whose test has not ended.' })
  waiting!: number;
}

export class UntestedResponse {
  @ResponseField.string()
  reason!: string;

  @ResponseField.integer()
  findings!: number;
}
