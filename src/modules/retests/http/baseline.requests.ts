import { OneOf, Text } from '../../../platform/http/fields';

export class ConfirmBaselineRequest {
  /** The retest that saw the site, from the baseline that was read. */
  @Text(36, 36)
  retest!: string;
}

export class ConfirmRefusalRequest {
  /** The retest that was refused, from the baseline that was read. */
  @Text(36, 36)
  retest!: string;

  @Text(1, 2_000, { description: 'Why this refusal is the fix, for the audit log.' })
  reason!: string;

  @OneOf(['finding', 'origin'], {
    optional: true,
    description: '`origin`: also for the other findings of the origin that are refused in the same way.',
  })
  applies_to?: 'finding' | 'origin';
}
