import { MAX_URL_LENGTH } from '../../kernel/web-url';
import {
  DELIVERY_STATES,
  type DeliveryState,
  type Signature,
  SIGNATURES,
  type WebhookChange,
  type WebhookDraft,
} from '../../modules/webhooks';
import { Instant, Name, OneOf, SingleLineText } from '../../platform/http/fields';
import { PageQuery } from '../../platform/http/page-query';
import { FilterForm } from '../destinations/destination-filter';

export class WebhookForm extends FilterForm {
  @Name()
  name!: string;

  @SingleLineText(MAX_URL_LENGTH)
  url!: string;

  @OneOf(SIGNATURES, { optional: true })
  signature?: Signature;

  get change(): WebhookChange {
    return { name: this.name, url: this.url, ...this.filter };
  }

  get draft(): WebhookDraft {
    return { signature: this.signature ?? 'hmac', statuses: [], eventIds: [], ...this.change } as WebhookDraft;
  }
}

export class DeliveriesQuery extends PageQuery {
  @OneOf(DELIVERY_STATES, { optional: true })
  state?: DeliveryState;
}

export class RedeliverForm {
  @Instant({}, 'lower')
  from!: Date;

  @Instant({ nullable: true }, 'upper')
  to?: Date | null;

  @OneOf(['delivered', 'failed'], { nullable: true })
  state?: DeliveryState | null;
}
