import { Text } from '../../../platform/http/fields';

export class ConfirmBaselineRequest {
  /** The retest that saw the site, from the baseline that was read. */
  @Text(36, 36)
  retest!: string;
}
