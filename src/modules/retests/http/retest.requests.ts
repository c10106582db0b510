import { OneOf, Text } from '../../../platform/http/fields';
import { RETEST_RESULTS, type RetestResult } from '../domain/retest-status';

export class GiveVerdictRequest {
  @OneOf(RETEST_RESULTS)
  result!: RetestResult;

  @Text(0, 2_000, { nullable: true, description: 'The reason for the verdict, stored with it.' })
  comment?: string | null;
}
