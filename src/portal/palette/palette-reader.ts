import { Injectable } from '@nestjs/common';
import { type AssetWithTotals, AssetDetailsService } from '../../modules/assets';
import { type ListedFinding, FindingLists, FindingsService, type FindingWithCheck } from '../../modules/findings';
import { OrganizationsService } from '../../modules/organizations';
import type { OrganizationLink } from '../frame/view';
import type { Place } from '../http/places';
import type { PaletteQuery } from './palette.requests';

const MAX_FOUND = 6;
const MAX_ORGANIZATIONS = 100;

/** What the palette offers besides pages. */
export interface PaletteView extends Place {
  readonly text: string;
  /** The finding whose page it is above. */
  readonly finding: FindingWithCheck | undefined;
  readonly found: readonly ListedFinding[];
  readonly assets: readonly AssetWithTotals[];
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
    const { scope } = place.caller;
    const { organizationId } = place;
    const text = q.trim();
    const page = { page: 1, perPage: MAX_FOUND };
    const nothing = { items: [] };
    const [finding, found, assets, organizations] = await Promise.all([
      this.findingOf(place, path),
      text === '' ? nothing : this.lists.list(scope, organizationId, { searchText: text }, 'newest', page),
      text === '' ? nothing : this.assets.listFor(scope, organizationId, { q: text }, page, 'newest'),
      this.organizations.list(scope, { page: 1, perPage: MAX_ORGANIZATIONS }),
    ]);
    const others = organizations.items.filter(({ id }) => id !== organizationId);
    return { ...place, text, finding, found: found.items, assets: assets.items, organizations: others };
  }

  /** None if the page is not that of a finding of this organization. */
  private async findingOf({ caller: { scope }, organizationId }: Place, path: string) {
    const [, id] = /^\/o\/\d+\/findings\/(\d{1,9})(?:\/|$)/.exec(path) ?? [];
    if (id === undefined || (await this.lists.ownerOf(scope, id)) !== organizationId) return undefined;
    const finding = await this.findings.getWithCheck(scope, Number(id));
    return finding.mergedInto === null ? finding : undefined;
  }
}
