import { type Severity, SEVERITIES } from '../../../kernel/severity';
import { stated } from '../../../kernel/stated';
import { Flag, ListOf, OneOf, TextListWithRule } from '../../../platform/http/fields';
import { idsOf } from '../../../platform/http/ids-of';
import { type Owner, OwnerField } from '../../identity';
import { MAX_LABEL_LENGTH, normalizeLabels } from '../../findings';
import { FILTERED_TYPES } from '../domain/entry-types';
import { anyEntry, type FeedRule } from '../domain/feed-rule';

const MAX_LISTED = 50;

const isType = (value: unknown): boolean => FILTERED_TYPES.some((type) => type === value);

const isStatus = (value: unknown): boolean => typeof value === 'string' && /^[\w-]{1,50}$/.test(value);

/** The filters of the feed, as lists. */
export class FeedRuleRequest {
  @ListOf(
    {
      check: isType,
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

  @ListOf(idsOf('an event'), 0, MAX_LISTED, {
    optional: true,
    description: 'Only entries of these events, their findings, retests, jobs, imports and reports.',
    default: [],
  })
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

  @OwnerField({
    nullable: true,
    description: 'Only entries of findings, retests, jobs and assets whose asset has this owner when they are read.',
  })
  owner?: Owner | null;

  get rule(): FeedRule {
    return { ...anyEntry(), ...this.ruleChange };
  }

  /** Omitted fields do not change, and null removes the severity or the owner. */
  get ruleChange(): Partial<FeedRule> {
    const { types, severity, statuses, events: eventIds, labels, confirmed, owner } = this;
    return stated({ types, severity, statuses, eventIds, labels: labels && normalizeLabels(labels), confirmed, owner });
  }
}
