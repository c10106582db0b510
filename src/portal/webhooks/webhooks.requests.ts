import { type Severity, SEVERITIES } from '../../kernel/severity';
import { invalid } from '../../kernel/domain-error';
import { MAX_URL_LENGTH } from '../../kernel/web-url';
import { FILTERED_TYPES } from '../../modules/feed';
import { labelsIn } from '../../modules/findings';
import {
  DELIVERY_STATES,
  type DeliveryState,
  type Signature,
  SIGNATURES,
  type WebhookChange,
  type WebhookDraft,
} from '../../modules/webhooks';
import { Flag, Id, Instant, Name, OneOf, SingleLineText, TextWithRule } from '../../platform/http/fields';
import { PageQuery } from '../../platform/http/page-query';

const MAX_TYPES_LENGTH = 1_000;
const MAX_LABELS_LENGTH = 2_100;

/** As people write them into one field. */
function typesIn(text: string): string[] {
  const types = [...new Set(text.split(/[\s,]+/).filter((type) => type !== ''))];
  const unknown = types.find((type) => !FILTERED_TYPES.includes(type));
  if (unknown === undefined) return types;
  throw invalid(`types must be kinds of records or types of entries, and "${unknown}" is none.`);
}

/** The filter as the API has it, with lists in one text. */
export class FilterForm {
  @TextWithRule(typesIn, { maxLength: MAX_TYPES_LENGTH }, { nullable: true })
  types?: string | null;

  @OneOf(SEVERITIES, { nullable: true })
  severity?: Severity | null;

  @TextWithRule(labelsIn, { maxLength: MAX_LABELS_LENGTH }, { nullable: true })
  labels?: string | null;

  @Id({ nullable: true })
  event?: number | null;

  /** There are several events, which stay. */
  @Flag({ optional: true })
  keep_events?: boolean;

  @Flag({ optional: true })
  confirmed?: boolean;

  get filter() {
    const { severity, event, confirmed } = this;
    const fields = { severity: severity ?? null, confirmed: confirmed ?? false };
    const lists = { types: typesIn(this.types ?? ''), labels: labelsIn(this.labels ?? '') };
    return this.keep_events === true
      ? { ...fields, ...lists }
      : { ...fields, ...lists, eventIds: event == null ? [] : [event] };
  }
}

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
