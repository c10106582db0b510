import { OneOf, Text } from '../../../platform/http/fields';
import { type RetestResult, RESULTS_BY_HAND } from '../domain/retest-status';

export class GiveVerdictRequest {
  @OneOf(RESULTS_BY_HAND)
  result!: RetestResult;

  @Text(0, 2_000, { nullable: true, description: 'The reason for the verdict, stored with it.' })
  comment?: string | null;
}
