import { MAX_OVERLAP_HOURS } from '../../../kernel/overlap';
import { stated } from '../../../kernel/stated';
import { MAX_URL_LENGTH } from '../../../kernel/web-url';
import { Instant, Integer, Name, OneOf, SingleLineText } from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';
import { DESTINATION_STATES, type DestinationState, FeedRuleRequest, FILTERED_TYPES, typesNamed } from '../../feed';
import type { DeliveryFilter } from '../data/webhook-deliveries.repository';
import { TEST_TYPE } from '../domain/test-message';
import { DELIVERY_STATES, type DeliveryState, type Signature, SIGNATURES } from '../domain/vocabulary';
import type { WebhookChange, WebhookDraft } from '../webhooks.service';

const DEFAULT_OVERLAP_HOURS = 24;

export class CreateWebhookRequest extends FeedRuleRequest {
  @Name()
  name!: string;

  @SingleLineText(MAX_URL_LENGTH, {
    description: 'Of the receiver: https, at a public address or one that the operator has allowed.',
    example: 'https://hooks.example.com/assay',
  })
  url!: string;

  @OneOf(SIGNATURES, {
    optional: true,
    description: 'ed25519 for receivers that must not be able to forge messages: they have a public key only.',
    default: 'hmac',
  })
  signature?: Signature;
}

export class ChangeWebhookRequest extends FeedRuleRequest {
  @Name(200, { optional: true })
  name?: string;

  @SingleLineText(MAX_URL_LENGTH, { optional: true })
  url?: string;

  @OneOf(DESTINATION_STATES, {
    optional: true,
    description: 'A paused webhook sends nothing. When it is active again, it continues where it stopped.',
  })
  state?: DestinationState;
}

export class RotateSecretRequest {
  @Integer(0, MAX_OVERLAP_HOURS, {
    optional: true,
    description: 'For how many hours messages are also signed with the secret before.',
    default: DEFAULT_OVERLAP_HOURS,
  })
  overlap_hours?: number;

  get overlap(): number {
    return this.overlap_hours ?? DEFAULT_OVERLAP_HOURS;
  }
}

export class ListDeliveriesQuery extends PageQuery {
  @OneOf(DELIVERY_STATES, { optional: true, description: 'waiting: also between two attempts.' })
  state?: DeliveryState;

  @OneOf([...FILTERED_TYPES, TEST_TYPE], {
    optional: true,
    description: 'Only of this type, or of this kind of record.',
  })
  type?: string;

  @Instant({ optional: true, description: 'Created from this time on.' }, 'lower')
  from?: Date;

  @Instant({ optional: true, description: 'Created until this time; a bare date includes its whole day.' }, 'upper')
  to?: Date;

  get filter(): DeliveryFilter {
    const { state, type, from, to } = this;
    const types = type === undefined ? undefined : type === TEST_TYPE ? [type] : typesNamed(type);
    return { state, types, from, to };
  }
}

export class RedeliverRangeRequest {
  @Instant({ description: 'Created from this time on.' }, 'lower')
  from!: Date;

  @Instant({ optional: true, description: 'Created until this time. By default until now.' }, 'upper')
  to?: Date;

  @OneOf(['delivered', 'failed'], { optional: true, description: 'Only these. By default both.' })
  state?: DeliveryState;

  get filter(): DeliveryFilter {
    return { from: this.from, to: this.to, state: this.state };
  }
}

export const draftOf = (body: CreateWebhookRequest): WebhookDraft => ({
  name: body.name,
  url: body.url,
  signature: body.signature ?? 'hmac',
  ...body.rule,
});

/** Omitted fields do not change. */
export const changeOf = ({ name, url, state, ruleChange }: ChangeWebhookRequest): WebhookChange => ({
  ...stated({ name, url, state }),
  ...ruleChange,
});
