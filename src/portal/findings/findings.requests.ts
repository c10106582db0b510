import type { Page } from '../../kernel/page';
import { dayOf } from '../../kernel/day';
import { DAY_MS } from '../../kernel/durations';
import { SEVERITIES, type Severity, severityNumber } from '../../kernel/severity';
import {
  FINDING_CHANGE_KINDS,
  FINDING_STATUS,
  type FindingChangeFilter,
  type FindingFilter,
  type FindingOrder,
  type FindingStatus,
  idIn,
  Label,
  ListFindingsQuery,
} from '../../modules/findings';
import type { Caller } from '../../platform/api/caller';
import { Flag, Instant, Integer, OneOf, SingleLineText } from '../../platform/http/fields';
import { RequestPipe } from '../../platform/http/request-pipe';
import { recently } from '../frame/recently';
import { EXPORT_FORMATS, type ExportFormat } from './findings-export';
import { FINDINGS_PARAMETERS, type FindingsParameters, queryStringOf } from '../urls';

const PER_PAGE = 50;
const MAX_PARTS = 10_000;

/** Those with a tab of their own; the filter has all. */
export const TAB_STATUSES: readonly FindingStatus[] = [FINDING_STATUS.risk_accepted, FINDING_STATUS.resolved];

/** What the list has without a filter and an order: open findings, the most urgent first. */
const DEFAULTS: FindingsParameters = { open: true, sort: 'priority' };

const inDays = (now: Date, days: number): Date => new Date(now.getTime() + days * DAY_MS);

/** The filters, the order and the page of the list, as the API names them, and further filters of the portal. */
export class FindingsQuery extends ListFindingsQuery {
  @Flag({ optional: true })
  open?: boolean;

  @OneOf(SEVERITIES, { optional: true })
  max_severity?: Severity;

  @Label({ optional: true })
  asset_label?: string;

  /** Due from today on, within so many days. */
  @Integer(0, 366, { optional: true })
  due_in?: number;

  /** Accepted risks whose acceptance ends within so many days. */
  @Integer(0, 366, { optional: true })
  ends_in?: number;

  /** What a person has to decide about the last retest, or that it has not ended. */
  @OneOf(['verdict', 'undecided', 'running'], { optional: true })
  retest?: 'verdict' | 'undecided' | 'running';

  @OneOf(FINDING_CHANGE_KINDS, { optional: true })
  change?: FindingChangeFilter['kind'];

  @Instant({ optional: true })
  since?: Date;

  @Instant({ optional: true }, 'upper')
  until?: Date;

  @Flag({ optional: true })
  grouped?: boolean;

  /** The group whose findings are shown in the list. */
  @SingleLineText(16, { optional: true })
  opened?: string;

  /** The page of its findings. */
  @Integer(1, MAX_PARTS, { optional: true })
  part?: number;

  static of(parameters: FindingsParameters): FindingsQuery {
    return Object.assign(new FindingsQuery(), parameters);
  }

  override get slice(): Page {
    return { ...super.slice, perPage: this.per_page ?? PER_PAGE, isCounted: true };
  }

  get parameters(): FindingsParameters {
    const given = FINDINGS_PARAMETERS.filter((name) => this[name] !== undefined);
    return given.length === 0 ? DEFAULTS : Object.fromEntries(given.map((name) => [name, this[name]]));
  }

  /** As a query string, in a fixed order. */
  get text(): string {
    return queryStringOf(this.parameters);
  }

  override get order(): FindingOrder {
    return this.parameters.sort ?? 'newest';
  }

  /** Without the filters by label of the asset and by retest, which other modules know. */
  override filterFor(caller: Pick<Caller, 'facts'>, now = new Date()): FindingFilter {
    const filter = super.filterFor(caller, now);
    const { since = recently(), until, change: kind } = this;
    return {
      ...filter,
      // A status that is chosen within the open ones may be one that has ended.
      isOpen: this.parameters.open === true && this.status === undefined ? true : undefined,
      maxSeverity: this.max_severity && severityNumber(this.max_severity),
      ...(this.due_in !== undefined && { dueFrom: dayOf(now), dueBefore: dayOf(inDays(now, this.due_in + 1)) }),
      acceptedBefore: this.ends_in === undefined ? undefined : inDays(now, this.ends_in),
      change: kind === undefined && this.since === undefined ? undefined : { kind: kind ?? 'found', since, until },
    };
  }

  /** The id of the finding that is searched for, if nothing else is. */
  get searchedId(): number | undefined {
    const { q, grouped: _grouped, ...others } = this.parameters;
    return q === undefined || Object.keys(others).length > 0 ? undefined : idIn(q);
  }

  /** Other lists have one group, findings that are merged, or few findings that change while they are shown. */
  get isGrouped(): boolean {
    const { grouped = true, title, merged_into: main, retest } = this;
    return grouped && title === undefined && main === undefined && retest === undefined;
  }

  /** Filters that the counts of the tabs do not have. */
  get isFiltered(): boolean {
    const { status: _status, open: _open, sort: _sort, grouped: _grouped, ...filters } = this.parameters;
    return Object.values(filters).some((value) => value !== undefined);
  }
}

export class FindingsExportQuery extends FindingsQuery {
  @OneOf(EXPORT_FORMATS, { optional: true })
  format: ExportFormat = 'csv';
}

/** The same string for the same filters. Throws if one of them is not valid; leaves out parameters that are no filters. */
export const canonicalQuery = async (text: string): Promise<string> => (await queryIn(text)).text;

export async function queryIn(text: string): Promise<FindingsQuery> {
  const known = [...new URLSearchParams(text)].filter(
    ([name, value]) => value !== '' && FINDINGS_PARAMETERS.some((parameter) => parameter === name),
  );
  const query = await new RequestPipe().transform(Object.fromEntries(known), {
    type: 'query',
    metatype: FindingsQuery,
  });
  return query as FindingsQuery;
}
