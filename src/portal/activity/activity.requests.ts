import { RECORD_KINDS } from '../../modules/feed';
import { OneOf } from '../../platform/http/fields';

export class ActivityQuery {
  @OneOf(['', ...RECORD_KINDS], { optional: true })
  type?: string;

  get kind(): string | undefined {
    return this.type === '' ? undefined : this.type;
  }
}
