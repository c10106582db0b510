import { Instant, OneOf, TextWithRule } from '../../../platform/http/fields';
import { ACCEPTANCE_KINDS, type AcceptanceKind } from '../domain/acceptance-kinds';
import { MAX_REASON_LENGTH, requireReason } from '../domain/acceptance-rules';

export class AcceptCheckRequest {
  @TextWithRule(
    requireReason,
    { minLength: 1, maxLength: MAX_REASON_LENGTH },
    { description: 'Why the check does not fail jobs. Jobs and reports show it.' },
  )
  reason!: string;

  @Instant({ description: 'The last day of the acceptance, at most a year ahead.' }, 'upper')
  until!: Date;

  @OneOf(ACCEPTANCE_KINDS, {
    optional: true,
    description:
      '`findings` (default) or `incompleteness`: then findings of the check fail jobs, and it may remain incomplete.',
  })
  covers?: AcceptanceKind;
}
