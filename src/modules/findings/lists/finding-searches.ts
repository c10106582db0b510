import { Injectable } from '@nestjs/common';
import { checkFormerlyTitled } from '../../../engine/titles';
import { MAX_FOUND_COUNT, offsetOf, type Page } from '../../../kernel/page';
import type { Scope } from '../../../platform/api/scope';
import { isUnfiltered } from '../../../platform/database/list-order';
import { Scheduled } from '../../../platform/work/work-handler';
import { MembersService } from '../../identity';
import type { FindingFilter } from './data/finding-filter';
import { idsOf, type ListOwner, placeOf } from './data/finding-lists.repository';
import type { FindingOrder } from './data/finding-orders';
import {
  type FindingSearch,
  type FoldedSearch,
  FindingWordsRepository,
  MAX_FOUND,
} from './data/finding-words.repository';
import { idIn, type SearchTerm, termsIn } from './data/search-terms';

const BATCH_SIZE = 500;

/** A common word fills a page from a sample of this size. Reading its posting lists would take 30 to 100 ms. */
const SAMPLES = [1_000, 5_000];

/** The share of matches in a sample from which on a larger sample may fill the page. */
const COMMON = 0.02;

/** The share above which comparing a list counts faster than reading posting lists: its texts alone are read in their order. */
const VERY_COMMON = 0.25;
const VERY_COMMON_IN_ALL = 0.05;

/** All findings of an organization. */
const isOfAll = (of: ListOwner, filter: FindingFilter): of is number =>
  typeof of === 'number' && isUnfiltered({ ...filter, searchText: undefined });

const nothing: FindingSearch = { terms: [], ids: [], isPartial: false, some: [], isFilling: false };

/** Finds what people type: ids, CVEs, CWEs, checks, labels, members and words. */
@Injectable()
export class FindingSearches {
  constructor(
    private readonly words: FindingWordsRepository,
    private readonly members: MembersService,
  ) {}

  /** The matches in a list of findings, at least all that the page needs. */
  async find(
    scope: Scope,
    of: ListOwner,
    filter: FindingFilter & { readonly searchText: string },
    order: FindingOrder,
    page: Page,
  ): Promise<FindingSearch> {
    const place = placeOf(scope, of);
    const folded = await this.words.fold(place.owner, termsIn(filter.searchText));
    if (folded === undefined || folded.organizationId === null || folded.texts.length === 0) return nothing;
    const { organizationId, isFilling } = folded;
    const terms = await this.termsOf(organizationId, folded, checkFormerlyTitled(filter.searchText) ?? '');
    const list = idsOf(place, filter, order);
    let ofPage: readonly number[] | null = null;
    let isVeryCommon = false;
    for (const size of SAMPLES) {
      const { ids, isWhole } = await this.words.sample(organizationId, list, page, { terms, isFilling }, size);
      const isPartial = !isWhole || page.after !== undefined || page.before !== undefined;
      const isEnough = isWhole || ids.length > offsetOf(page) + page.perPage;
      if (isEnough && (!isPartial || page.isCounted !== true)) return { terms, ids, isPartial, some: ids, isFilling };
      if (isEnough) ofPage = ids;
      isVeryCommon = ids.length >= size * (isOfAll(of, filter) ? VERY_COMMON_IN_ALL : VERY_COMMON);
      if (isEnough || ids.length < size * COMMON) break;
    }
    const none = { ids: [], isWhole: false };
    const most = ofPage !== null && isOfAll(of, filter) ? MAX_FOUND_COUNT + 1 : MAX_FOUND;
    const isCompared = isFilling || (ofPage !== null && isVeryCommon);
    const { ids: some, isWhole } = isCompared ? none : await this.words.findIds(organizationId, terms, most);
    return { terms, ids: isWhole ? some : ofPage, isPartial: !isWhole, some, isFilling };
  }

  /** The number of matches, exact up to `MAX_FOUND_COUNT`. */
  async count(
    scope: Scope,
    of: ListOwner,
    filter: FindingFilter,
    order: FindingOrder,
    { some, isPartial, ...search }: FindingSearch,
  ): Promise<number> {
    const count = (ids: FindingSearch['ids']) =>
      this.words.countFound(idsOf(placeOf(scope, of), filter, order, { ...search, some, isPartial, ids }).list);
    const known = some.length === 0 && isPartial ? 0 : await count(some);
    if (!isPartial || known > MAX_FOUND_COUNT) return known;
    // Otherwise all rows of the list are compared.
    const isInTexts = isOfAll(of, filter) && !search.isFilling;
    return isInTexts ? this.words.countOfVisible(of, search.terms) : count(null);
  }

  /** After an upgrade, adds search texts in batches that lock briefly. */
  @Scheduled({ name: 'finding.words', everySeconds: 5 })
  async fill(): Promise<void> {
    while (await this.words.fill(BATCH_SIZE));
  }

  private async termsOf(
    organizationId: number,
    { texts, phrases }: FoldedSearch,
    formerlyOf: string,
  ): Promise<SearchTerm[]> {
    const named = await this.members.namedInVisible(organizationId, texts);
    return texts.map((text, place) => ({
      text,
      phrase: phrases[place] ?? '',
      id: idIn(text) ?? 0,
      memberIds: named.filter(({ name }) => name === text).map(({ userId }) => userId),
      formerlyOf,
    }));
  }
}
