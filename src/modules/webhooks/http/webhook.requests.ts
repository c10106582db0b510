import { MAX_OVERLAP_HOURS } from '../../../kernel/overlap';
import { type Severity, SEVERITIES } from '../../../kernel/severity';
import { MAX_URL_LENGTH } from '../../../kernel/web-url';
import {
  Flag,
  Instant,
  Integer,
  ListOf,
  Name,
  OneOf,
  SingleLineText,
  TextListWithRule,
} from '../../../platform/http/fields';
import { PageQuery } from '../../../platform/http/page-query';
import { FILTERED_TYPES, typesNamed } from '../../feed';
import { MAX_LABEL_LENGTH, normalizeLabels } from '../../findings';
import type { DeliveryFilter } from '../data/webhook-deliveries.repository';
import { TEST_TYPE } from '../domain/test-message';
import {
  DELIVERY_STATES,
  type DeliveryState,
  type Signature,
  SIGNATURES,
  WEBHOOK_STATES,
  type WebhookState,
} from '../domain/vocabulary';
import type { WebhookChange, WebhookDraft } from '../webhooks.service';

const MAX_LISTED = 50;
const MAX_ID = 2_147_483_647;
const DEFAULT_OVERLAP_HOURS = 24;

const isOneOf =
  (values: readonly string[]) =>
  (value: unknown): boolean =>
    typeof value === 'string' && values.includes(value);

const isStatus = (value: unknown): boolean => typeof value === 'string' && /^[\w-]{1,50}$/.test(value);

const isId = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= MAX_ID;

/** The filters of the feed, as lists. */
export class WebhookFilterRequest {
  @ListOf(
    {
      check: isOneOf(FILTERED_TYPES),
      sentence: 'is a type of entry or a kind of record',
      items: { type: 'string', enum: FILTERED_TYPES },
      unique: true,
    },
    0,
    MAX_LISTED,
    {
      optional: true,
      description: 'Only entries of these types, or of these kinds of records. Empty: all.',
      default: [],
    },
  )
  types?: string[];

  @OneOf(SEVERITIES, {
    nullable: true,
    description: 'Only entries of findings and retests of at least this severity, or that had it before.',
  })
  severity?: Severity | null;

  @ListOf(
    { check: isStatus, sentence: 'is a status', items: { type: 'string', minLength: 1, maxLength: 50 }, unique: true },
    0,
    MAX_LISTED,
    {
      optional: true,
      description: 'Only entries of records that have one of these statuses since, as in the feed.',
      default: [],
    },
  )
  statuses?: string[];

  @ListOf(
    {
      check: isId,
      sentence: 'is the id of an event',
      items: { type: 'integer', minimum: 1, maximum: MAX_ID },
      unique: true,
    },
    0,
    MAX_LISTED,
    {
      optional: true,
      description: 'Only entries of these events, their findings, retests, jobs, imports and reports.',
      default: [],
    },
  )
  events?: number[];

  @TextListWithRule(
    normalizeLabels,
    { minItems: 0, maxItems: MAX_LISTED, maxLength: MAX_LABEL_LENGTH },
    {
      optional: true,
      description: 'Only entries of findings, retests and assets with one of these labels.',
      default: [],
    },
  )
  labels?: string[];

  @Flag({ optional: true, description: 'Only entries of findings that a check has confirmed.', default: false })
  confirmed?: boolean;
}

export class CreateWebhookRequest extends WebhookFilterRequest {
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

export class ChangeWebhookRequest extends WebhookFilterRequest {
  @Name(200, { optional: true })
  name?: string;

  @SingleLineText(MAX_URL_LENGTH, { optional: true })
  url?: string;

  @OneOf(WEBHOOK_STATES, {
    optional: true,
    description: 'A paused webhook sends nothing. When it is active again, it continues where it stopped.',
  })
  state?: WebhookState;
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
  types: body.types ?? [],
  severity: body.severity ?? null,
  statuses: body.statuses ?? [],
  eventIds: body.events ?? [],
  labels: normalizeLabels(body.labels ?? []),
  confirmed: body.confirmed ?? false,
});

/** Omitted fields do not change, and null removes the severity. */
export function changeOf(body: ChangeWebhookRequest): WebhookChange {
  const stated: { [Field in keyof WebhookChange]: WebhookChange[Field] | undefined } = {
    name: body.name,
    url: body.url,
    types: body.types,
    severity: body.severity,
    statuses: body.statuses,
    eventIds: body.events,
    labels: body.labels && normalizeLabels(body.labels),
    confirmed: body.confirmed,
    state: body.state,
  };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}
