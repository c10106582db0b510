import { Injectable } from '@nestjs/common';
import { type AssetWithTotals, AssetDetailsService } from '../../modules/assets';
import { type Finding, FindingLists, FindingsService, type FindingWithCheck } from '../../modules/findings';
import { OrganizationsService } from '../../modules/organizations';
import { DomainError } from '../../kernel/domain-error';
import { parseId } from '../../platform/http/path-id';
import type { OrganizationLink } from '../frame/view';
import type { Place } from '../http/places';
import type { PaletteQuery } from './palette.requests';

const MAX_FOUND = 6;
const MAX_ORGANIZATIONS = 100;

/** What the palette offers besides pages. */
export interface PaletteView {
  readonly place: Place;
  readonly text: string;
  /** The finding whose page it is above. */
  readonly finding: FindingWithCheck | undefined;
  readonly found: readonly Finding[];
  readonly assets: readonly AssetWithTotals['asset'][];
  readonly organizations: readonly OrganizationLink[];
}

@Injectable()
export class PaletteReader {
  constructor(
    private readonly findings: FindingsService,
    private readonly lists: FindingLists,
    private readonly assets: AssetDetailsService,
    private readonly organizations: OrganizationsService,
  ) {}

  async read(place: Place, { q = '', path = '' }: PaletteQuery): Promise<PaletteView> {
    const { caller, organizationId } = place;
    const { scope } = caller;
    const text = q.trim();
    const page = { page: 1, perPage: MAX_FOUND };
    const isSearch = text !== '';
    const [finding, found, assets, organizations] = await Promise.all([
      this.findingOf(place, path),
      isSearch ? this.lists.list(scope, organizationId, { searchText: text }, 'newest', page) : undefined,
      isSearch ? this.assets.listFor(scope, organizationId, { q: text }, page) : undefined,
      this.organizations.list(scope, { page: 1, perPage: MAX_ORGANIZATIONS }),
    ]);
    return {
      place,
      text,
      finding,
      found: found?.items ?? [],
      assets: assets?.items.map(({ asset }) => asset) ?? [],
      organizations: organizations.items.filter(({ id }) => id !== organizationId),
    };
  }

  /** None if the page is not that of a finding of this organization, or if it was deleted meanwhile. */
  private async findingOf({ caller, organizationId }: Place, path: string): Promise<FindingWithCheck | undefined> {
    const [, organization, id = ''] = /^\/o\/(\d+)\/findings\/(\d+)(?=\/|$)/.exec(path) ?? [];
    if (organization !== String(organizationId)) return undefined;
    try {
      const finding = await this.findings.getWithCheck(caller.scope, parseId(id));
      return finding.organizationId === organizationId && finding.mergedInto === null ? finding : undefined;
    } catch (error) {
      if (error instanceof DomainError && error.kind === 'not_found') return undefined;
      throw error;
    }
  }
}
