import { ResponseField } from '../../../platform/api/response-field';
import { BELIEFS, type Believed, believedSince, beliefOf } from '../domain/belief';

export class BeliefResponse {
  @ResponseField.string({
    enum: BELIEFS,
    description:
      'The result of tests alone, which no person sets: `proved` (a check of this service saw it), `refuted`, `claimed` (no test has decided yet), or `untestable` (no check is bound to it).',
  })
  value!: string;

  @ResponseField.instant({ description: 'Since when; by default since it was recorded.' })
  since!: string;
}

export const presentBelief = (finding: Believed): BeliefResponse => ({
  value: beliefOf(finding),
  since: believedSince(finding).toISOString(),
});
