import { AcceptCheckRequest, type AcceptanceOfMany } from '../../modules/assets';
import { MAX_SLA_DAYS, normalizeLabel, type Sla } from '../../modules/findings';
import { MAX_SECOND_LOOK_HOURS } from '../../modules/retests';
import { invalid } from '../../kernel/domain-error';
import { Flag, Integer, Text } from '../../platform/http/fields';

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

/** Empty fields say all assets, and no critical finding. */
export class AcceptOnManyForm extends AcceptCheckRequest {
  @Text(1, 100)
  check_id!: string;

  @Text(0, 200, { nullable: true })
  label?: string | null;

  @Text(0, 1_100, { nullable: true })
  critical_findings?: string | null;

  get acceptance(): AcceptanceOfMany {
    const { reason, until, covers } = this;
    const label = this.label == null || this.label === '' ? undefined : normalizeLabel(this.label);
    return { reason, until, covers, label, criticalFindings: numbersIn(this.critical_findings ?? '') };
  }
}

export class RemoveOnManyForm {
  @Text(0, 200, { nullable: true })
  label?: string | null;
}

function numbersIn(text: string): number[] {
  const parts = text.split(',').map((part) => part.trim());
  if (parts.length === 1 && parts[0] === '') return [];
  if (!parts.every((part) => /^#?[1-9]\d{0,8}$/.test(part)))
    throw invalid('critical_findings must be the numbers of findings, separated by commas.');
  return [...new Set(parts.map((part) => Number(part.replace('#', ''))))];
}
