import { MAX_SLA_DAYS, type Sla } from '../../modules/findings';
import { MAX_SECOND_LOOK_HOURS } from '../../modules/retests';
import { Flag, Integer } from '../../platform/http/fields';

const Days = (): PropertyDecorator => Integer(1, MAX_SLA_DAYS, { optional: true });

/** An empty field is no limit. */
export class SlaForm {
  @Days()
  critical?: number;

  @Days()
  high?: number;

  @Days()
  medium?: number;

  @Days()
  low?: number;

  get sla(): Sla {
    const { critical, high, medium, low } = this;
    return { critical: critical ?? null, high: high ?? null, medium: medium ?? null, low: low ?? null };
  }
}

/** A checkbox that is not checked is not sent. */
export class AcceptanceForm {
  @Flag({ optional: true })
  comment?: boolean;

  @Flag({ optional: true })
  until?: boolean;
}

/** An empty field turns second looks off. */
export class SecondLookForm {
  @Integer(1, MAX_SECOND_LOOK_HOURS, { optional: true })
  hours?: number;
}

/** An unchecked box is not sent. */
export class RefusalsForm {
  @Flag({ optional: true })
  count?: boolean;
}
