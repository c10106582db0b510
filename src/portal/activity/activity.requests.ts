import { RECORD_KINDS } from '../../modules/feed';
import { Integer, OneOf } from '../../platform/http/fields';

export class ActivityQuery {
  @OneOf(['', ...RECORD_KINDS], { optional: true })
  type?: string;

  @Integer(1, Number.MAX_SAFE_INTEGER, { optional: true })
  before?: number;

  get kind(): string | undefined {
    return this.type === '' ? undefined : this.type;
  }
}
