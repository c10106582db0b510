import { Injectable } from '@nestjs/common';
import { unprocessable } from '../../kernel/domain-error';
import type { Page, Position, Slice } from '../../kernel/page';
import { AssetsService } from '../../modules/assets';
import {
  type Belief,
  type FindingFilter,
  FindingLists,
  type FindingsPreview,
  normalizeLabel,
  type PreviewLimits,
  type PresentedFinding,
} from '../../modules/findings';
import { RetestSummaryService } from '../../modules/retests';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import type { Scope } from '../../platform/api/scope';
import type { Place } from '../http/places';
import type { FindingsParameters } from '../urls';
import { IN_GROUP } from './finding-groups';
import type { FindingOfList, ListOfRows } from './findings-page-props';
import { FindingsQuery } from './findings.requests';

const MAX_LABELED_ASSETS = 10_000;
/** As many as a page of the API: their texts may have tens of megabytes. */
const IN_PIECE = 100;

/** Reads what the list of findings shows for its parameters. */
@Injectable()
export class FindingListReader {
  constructor(
    private readonly findings: FindingLists,
    private readonly assets: AssetsService,
    private readonly retests: RetestSummaryService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async read(place: Place, query: FindingsQuery, page: Page): Promise<Slice<PresentedFinding>> {
    const { caller, organizationId } = place;
    return this.findings.list(caller.scope, organizationId, await this.filterOf(place, query), query.order, page);
  }

  /** One row for all findings with the same title, if the list can be grouped, with the findings of the opened group. */
  async readRows(place: Place, query: FindingsQuery, page: Page): Promise<ListOfRows> {
    const { caller, organizationId } = place;
    const { order, opened, part = 1 } = query;
    const filter = await this.filterOf(place, query);
    const read = [caller.scope, organizationId, filter, order, page] as const;
    const grouped = query.isGrouped ? await this.findings.listGrouped(...read) : undefined;
    const slice: Slice<PresentedFinding> = grouped ?? (await this.findings.list(...read));
    const rows = slice.items.map((finding): FindingOfList => {
      const group = grouped?.groups.get(finding.id);
      return group === undefined || group.findings === 1 ? finding : { ...finding, group };
    });
    const at = rows.findIndex(({ group }) => group != null && String(group.key) === opened);
    const key = rows[at]?.group?.key;
    if (key == null) return { slice, rows, isGrouped: grouped !== undefined, opened: undefined };
    const ofGroup = { ...filter, titleKey: key };
    const parts = { page: part, perPage: IN_GROUP, isCounted: false };
    const { items, next } = await this.findings.list(caller.scope, organizationId, ofGroup, order, parts);
    rows.splice(at + 1, 0, ...items.map((finding): FindingOfList => ({ ...finding, isOfGroup: true })));
    return { slice, rows, isGrouped: true, opened: { key, part, shown: items.length, isLast: !next } };
  }

  /** Of the findings that the other filters let through. */
  async countByBelief(place: Place, query: FindingsQuery): Promise<ReadonlyMap<Belief, number>> {
    const { belief: _current, ...filter } = await this.filterOf(place, query);
    return this.findings.countByBelief(place.caller.scope, place.organizationId, filter);
  }

  /** The ids of the most urgent claims of the list that no test has examined, and none examines now. */
  async listUntestedClaims(place: Place, query: FindingsQuery, most: number): Promise<number[]> {
    const running = new Set(await this.retests.findingsUnderTest(place.caller.scope, place.organizationId));
    const claims = FindingsQuery.of({
      ...query.parameters,
      belief: 'claimed',
      verification: 'untested',
      sort: 'priority',
    });
    const { items } = await this.read(place, claims, { page: 1, perPage: most + running.size });
    return items.flatMap(({ id }) => (running.has(id) ? [] : [id])).slice(0, most);
  }

  /** The first findings of the lists with these parameters, and how many each list has. */
  async preview(place: Place, lists: readonly FindingsParameters[], limits: PreviewLimits): Promise<FindingsPreview[]> {
    const { caller, organizationId } = place;
    const previewed = lists.map((parameters) => FindingsQuery.of(parameters));
    const filters = await Promise.all(previewed.map((query) => this.filterOf(place, query)));
    const parts = previewed.map(({ order }, index) => ({ filter: filters[index] ?? {}, order }));
    return this.findings.preview(caller.scope, organizationId, parts, limits);
  }

  /** The whole list, in pieces. The audit entry has the filters. */
  async export(place: Place, query: FindingsQuery): Promise<AsyncIterable<readonly PresentedFinding[]>> {
    this.unitOfWork.note({ organizationId: place.organizationId, metadata: { query: query.text } });
    const filter = await this.filterOf(place, query);
    const { findings } = this;
    async function* pieces() {
      let after: Position | undefined;
      do {
        const page = { page: 1, perPage: IN_PIECE, after };
        const slice = await findings.list(place.caller.scope, place.organizationId, filter, query.order, page);
        yield slice.items;
        after = slice.next;
      } while (after !== undefined);
    }
    return pieces();
  }

  async filterOf({ caller, organizationId }: Place, query: FindingsQuery): Promise<FindingFilter> {
    const { asset_label: label, retest } = query;
    const filter = query.filterFor(caller);
    const { scope } = caller;
    const assetIds = label === undefined ? undefined : await this.assetsWith(scope, organizationId, label);
    const ids = retest && (await this.idsOf(retest, scope, organizationId));
    return { ...filter, assetIds, ids };
  }

  private idsOf(
    retest: NonNullable<FindingsParameters['retest']>,
    scope: Scope,
    organizationId: number,
  ): Promise<number[]> {
    if (retest === 'verdict') return this.retests.findingsWithoutVerdict(scope, organizationId);
    if (retest === 'running') return this.retests.findingsUnderTest(scope, organizationId);
    return this.retests.undecidedFindings(scope, organizationId);
  }

  private async assetsWith(scope: Scope, organizationId: number, label: string): Promise<number[]> {
    const ids = await this.assets.listIds(scope, organizationId, normalizeLabel(label), MAX_LABELED_ASSETS + 1);
    if (ids.length > MAX_LABELED_ASSETS)
      throw unprocessable(`More than ${MAX_LABELED_ASSETS} assets have this label. Filter by another one.`);
    return ids;
  }
}
