import { MAX_OVERLAP_HOURS } from '../../kernel/overlap';
import { Integer } from '../../platform/http/fields';

/** The form of a secret that is replaced. */
export class OverlapForm {
  @Integer(0, MAX_OVERLAP_HOURS)
  overlap_hours!: number;
}
