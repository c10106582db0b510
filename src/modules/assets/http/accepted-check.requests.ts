import { Instant, TextWithRule } from '../../../platform/http/fields';
import { MAX_REASON_LENGTH, requireReason } from '../domain/acceptance-rules';

export class AcceptCheckRequest {
  @TextWithRule(
    requireReason,
    { minLength: 1, maxLength: MAX_REASON_LENGTH },
    { description: 'Why findings of the check do not fail jobs. Jobs and reports show it.' },
  )
  reason!: string;

  @Instant({ description: 'The last day of the acceptance, at most a year ahead.' }, 'upper')
  until!: Date;
}
