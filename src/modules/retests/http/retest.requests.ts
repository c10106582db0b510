import { OneOf, Text } from '../../../platform/http/fields';
import { RETEST_RESULTS, type RetestResult } from '../domain/retest-status';

export class GiveVerdictRequest {
  @OneOf(RETEST_RESULTS)
  result!: RetestResult;

  @Text(0, 2_000, { nullable: true, description: 'What the verdict rests on; kept with it.' })
  comment?: string | null;
}
