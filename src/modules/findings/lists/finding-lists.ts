import { Injectable } from '@nestjs/common';
import { notFound } from '../../../kernel/domain-error';
import { orThrow } from '../../../kernel/or-throw';
import { MAX_COUNT, MAX_FOUND_COUNT, type Page, type Slice } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { isWholeList } from '../../../platform/database/list-order';
import { OwnerOf } from '../../../platform/audit/resource-owners';
import { OrganizationsService } from '../../organizations';
import { type KnownVulnerability, UNKNOWN_VULNERABILITY } from '../../vulnerabilities';
import { FindingsRepository } from '../changes/data/findings.repository';
import { FindingVulnerabilities } from '../changes/finding-vulnerabilities';
import type { AcceptedCheckOfFinding, PresentedFinding } from '../changes/presented-finding';
import type { Finding, ListedFinding, WithAcceptingOrganization } from '../data/finding.entity';
import type { Belief } from '../domain/belief';
import { FINDING_STATUS, type FindingStatus } from '../domain/finding-status';
import { explainPriority, type PriorityExplanation, priorityFactsOf } from '../domain/priority';
import type { FindingFilter } from './data/finding-filter';
import { type FindingGroup, FindingGroupsRepository, isInIndexOfGroups } from './data/finding-groups.repository';
import { FindingListsRepository, type FindingOfBuiltInCheck, type ListOwner } from './data/finding-lists.repository';
import type { FindingOrder } from './data/finding-orders';
import type { PreviewedFinding, PreviewedList, PreviewLimits } from './data/previewed-list';
import { FindingSearches } from './finding-searches';

/** By finding id. Contains only findings whose check is accepted. */
export type FindAcceptedChecks = (
  organizationId: number,
  findings: readonly FindingOfBuiltInCheck[],
) => Promise<ReadonlyMap<number, AcceptedCheckOfFinding>>;

/** A finding with the reasons of its priority. */
export interface ExplainedFinding extends PriorityExplanation {
  readonly finding: Finding;
  readonly vulnerability: KnownVulnerability;
}

export interface FindingsPreview {
  readonly items: readonly PreviewedFinding[];
  /** The total up to the counting limit, plus one if there are more. */
  readonly total: number;
}

/** The first finding of each group of a page, with the group by its id. `total` counts all findings. */
export interface GroupedSlice extends Slice<PresentedFinding> {
  readonly groups: ReadonlyMap<number, FindingGroup>;
}

const FEW_ASSETS = 100;

/**
 * PostgreSQL groups 120,000 findings of an organization by an index in 60 ms. Larger organizations group only as many findings as
 * lists count.
 */
const MAX_GROUPED = 150_000;

const findingNotFound = () => notFound('Finding');

/** Lists findings with everything that responses show of them. */
@Injectable()
export class FindingLists {
  private findAcceptedChecks: FindAcceptedChecks | undefined;

  constructor(
    private readonly findings: FindingsRepository,
    private readonly lists: FindingListsRepository,
    private readonly vulnerabilities: FindingVulnerabilities,
    private readonly organizations: OrganizationsService,
    private readonly searches: FindingSearches,
    private readonly groups: FindingGroupsRepository,
  ) {}

  @OwnerOf('finding')
  ownerOf(scope: Scope, id: string): Promise<number | undefined> {
    return this.findings.findOrganization(scope, Number(id));
  }

  /** Registers the lookup of accepted checks. The assets module calls it, because accepted checks belong to assets. */
  registerAcceptedChecks(find: FindAcceptedChecks): void {
    this.findAcceptedChecks = find;
  }

  /** Throws if the organization does not exist. Returns no findings for an event that does not exist. */
  async list(
    scope: Scope,
    of: ListOwner,
    stated: FindingFilter,
    order: FindingOrder,
    page: Page,
  ): Promise<Slice<PresentedFinding>> {
    const filter = await this.withFewAssets(scope, of, stated);
    const slice =
      filter.searchText === undefined
        ? await this.lists.list(scope, of, filter, order, page)
        : await this.found(scope, of, { ...filter, searchText: filter.searchText }, order, page);
    // Any finding proves that the organization is visible.
    if (typeof of === 'number' && slice.items.length === 0) await this.organizations.get(scope, of);
    return { ...slice, items: await this.presented(slice.items) };
  }

  /**
   * The list with one row for all findings with the same title: the first of them. Undefined if too many findings match to group
   * them quickly enough for a page.
   */
  async listGrouped(
    scope: Scope,
    organizationId: number,
    stated: FindingFilter,
    order: FindingOrder,
    page: Page,
  ): Promise<GroupedSlice | undefined> {
    const filter = await this.withFewAssets(scope, organizationId, stated);
    const { searchText } = filter;
    const stored = await this.groups.countStored(organizationId);
    // A page of a search needs few of its matches. Finding all of them takes long in a large organization.
    if (searchText !== undefined && stored > MAX_COUNT) return undefined;
    const all = { page: 1, perPage: MAX_COUNT, isCounted: true };
    const search =
      searchText && (await this.searches.find(scope, organizationId, { ...filter, searchText }, order, all));
    if (search && (search.ids === null || search.isPartial)) return undefined;
    const isWhole = isInIndexOfGroups(filter) && stored <= MAX_GROUPED;
    const read = { most: isWhole ? null : MAX_COUNT, search: search || undefined };
    const groups = await this.groups.list(scope, organizationId, filter, order, page, read);
    const total = groups[0]?.total ?? 0;
    if (!isWhole && total > MAX_COUNT) return undefined;
    const ids = groups.map(({ firstId }) => firstId);
    const slice = await this.list(scope, organizationId, { ids }, order, { ...page, page: 1, isCounted: false });
    return { ...slice, total, groups: new Map(groups.map((group) => [group.firstId, group])) };
  }

  private async found(
    scope: Scope,
    of: ListOwner,
    filter: FindingFilter & { readonly searchText: string },
    order: FindingOrder,
    page: Page,
  ): Promise<Slice<ListedFinding & WithAcceptingOrganization>> {
    const search = await this.searches.find(scope, of, filter, order, page);
    const slice = await this.lists.list(scope, of, filter, order, { ...page, isCounted: false }, search);
    if (page.isCounted !== true) return slice;
    if (isWholeList(page, slice)) return { ...slice, total: slice.items.length };
    const total = await this.searches.count(scope, of, filter, order, search);
    return { ...slice, total, most: MAX_FOUND_COUNT };
  }

  /** The ids of at most `limit` findings that match the filter. Throws if the organization does not exist. */
  async listIds(scope: Scope, organizationId: number, stated: FindingFilter, limit: number): Promise<number[]> {
    const { id } = await this.organizations.get(scope, organizationId);
    const filter = await this.withFewAssets(scope, id, stated);
    const { searchText } = filter;
    const page = { page: 1, perPage: limit, isCounted: true };
    const search = searchText && (await this.searches.find(scope, id, { ...filter, searchText }, 'newest', page));
    const rows = await this.lists.listIds(scope, id, filter, limit, search || undefined);
    return rows.map((row) => row.id);
  }

  /** The first findings of each of these lists of an organization, and their totals. */
  async preview(
    scope: Scope,
    organizationId: number,
    lists: readonly PreviewedList[],
    limits: PreviewLimits,
  ): Promise<FindingsPreview[]> {
    const { id } = await this.organizations.get(scope, organizationId);
    return this.lists.preview(scope, id, lists, limits);
  }

  /** Newest first. The caller has read the asset in scope. */
  async listForVisibleAsset(organizationId: number, assetId: number, limit: number): Promise<PresentedFinding[]> {
    return this.presented(await this.lists.listForVisibleAsset(organizationId, assetId, limit));
  }

  /** The number of findings with each status, up to `MAX_COUNT + 1`. All are 0 for an organization out of scope. */
  async countByStatus(scope: Scope, organizationId: number): Promise<ReadonlyMap<FindingStatus, number>> {
    const rows = await this.lists.countByStatus(scope, organizationId, Object.values(FINDING_STATUS), MAX_COUNT + 1);
    return new Map(rows.map(({ status, count }) => [status, count]));
  }

  /**
   * The number of findings for each belief among those that match the other filters, up to `MAX_COUNT + 1` each. Not counted for
   * a search, which finds a page faster than all matches.
   */
  async countByBelief(
    scope: Scope,
    organizationId: number,
    filter: FindingFilter,
  ): Promise<ReadonlyMap<Belief, number>> {
    if (filter.searchText !== undefined) return new Map();
    const shown = await this.withFewAssets(scope, organizationId, filter);
    const rows = await this.lists.countByBelief(scope, organizationId, shown, MAX_COUNT + 1);
    return new Map(rows.map(({ belief, count }) => [belief, count]));
  }

  async get(scope: Scope, id: number): Promise<PresentedFinding> {
    const finding = orThrow(await this.findings.findOne(scope, id), findingNotFound);
    return orThrow((await this.presented([finding]))[0], findingNotFound);
  }

  /** The reasons for its priority, with public data about its CVE. The copies in the finding decide until they are updated. */
  async explain(scope: Scope, id: number): Promise<ExplainedFinding> {
    const finding = orThrow(await this.findings.findOne(scope, id), findingNotFound);
    const [{ vulnerability = UNKNOWN_VULNERABILITY } = {}] = await this.vulnerabilities.addTo([finding]);
    return { finding, vulnerability, ...explainPriority(priorityFactsOf(finding)) };
  }

  /** An owner with few assets has few of the findings: reading the list in its order would read all others first. */
  private async withFewAssets(scope: Scope, of: ListOwner, filter: FindingFilter): Promise<FindingFilter> {
    const { owner, assetIds, ...others } = filter;
    if (owner === undefined || owner === 'none') return filter;
    const owned = await this.lists.listOwned(scope, of, owner, FEW_ASSETS + 1);
    if (owned.length > FEW_ASSETS) return filter;
    return { ...others, assetIds: assetIds === undefined ? owned : owned.filter((id) => assetIds.includes(id)) };
  }

  private async presented(findings: (ListedFinding & WithAcceptingOrganization)[]): Promise<PresentedFinding[]> {
    return this.vulnerabilities.addTo(await this.withAcceptedChecks(findings));
  }

  /** For findings of one organization. Two statements in all, and none if the organization has not accepted any check. */
  private async withAcceptedChecks(
    findings: (ListedFinding & WithAcceptingOrganization)[],
  ): Promise<(ListedFinding & Pick<PresentedFinding, 'acceptedCheck'>)[]> {
    const [first] = findings;
    if (first?.acceptingOrganization == null) return findings;
    if (this.findAcceptedChecks === undefined)
      throw new Error('No module has registered the search for accepted checks.');
    const tested = await this.lists.listOfBuiltInChecks(findings.map(({ id }) => id));
    const accepted = await this.findAcceptedChecks(first.acceptingOrganization, tested);
    return findings.map((finding) => ({ acceptedCheck: accepted.get(finding.id), ...finding }));
  }
}
