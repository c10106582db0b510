import { Injectable } from '@nestjs/common';
import { SavedViewsService } from '../../modules/findings';
import { BeaconNames } from '../../modules/retests';
import { FindingListReader } from '../findings/finding-list-reader';
import type { Place } from '../http/places';
import { type Checklist, ChecklistReader } from './checklist-reader';
import { FINDING_COUNTS, type FindingCounts, findingMatters, type FindingMatterView } from './finding-matters';
import { OperationsReader, type OperationsView } from './operations-reader';

/** Each list of the page is short, and links to the whole list. */
export const SHOWN = 3;
/** Findings of one list may be shown in another. */
const READ = 4 * SHOWN;
/** A longer list is not counted to its end, so that the page is fast. */
export const COUNTED = 1_000;

export interface HomeView extends OperationsView {
  readonly organizationId: number;
  /** Those with findings. */
  readonly matters: readonly FindingMatterView[];
  readonly counts: FindingCounts;
  /** Of the beacons that the shown findings are behind, by id. */
  readonly beaconNames: ReadonlyMap<number, { readonly name: string }>;
  readonly checklist: Checklist;
  readonly checked: Date;
}

/** Reads what needs a person now. All lists of findings are one statement, with the filters of the lists behind the links. */
@Injectable()
export class HomeReader {
  constructor(
    private readonly findings: FindingListReader,
    private readonly views: SavedViewsService,
    private readonly operations: OperationsReader,
    private readonly checklist: ChecklistReader,
    private readonly beacons: BeaconNames,
  ) {}

  async read(place: Place): Promise<HomeView> {
    const { caller, organizationId } = place;
    const checked = new Date();
    const matters = findingMatters(await this.views.visit(caller, organizationId));
    // Counted without their order, in which few of very many findings would be searched.
    const counted = Object.values(FINDING_COUNTS).map(({ sort: _sort, ...parameters }) => ({ parameters }));
    const lists = [...matters, ...counted];
    const [previews, operations, checklist] = await Promise.all([
      this.findings.preview(
        place,
        lists.map(({ parameters }) => parameters),
        { shown: READ, counted: COUNTED },
      ),
      this.operations.read(place, SHOWN),
      this.checklist.read(place),
    ]);
    const shown = matters.flatMap((matter, index) => {
      const preview = previews[index];
      return preview === undefined || preview.total === 0 ? [] : [{ ...matter, ...preview }];
    });
    const names = Object.keys(FINDING_COUNTS);
    const totals = names.map((name, index) => [name, previews[matters.length + index]?.total ?? 0]);
    const behind = shown.flatMap(({ items }) => items.map(({ beaconId }) => beaconId));
    const beaconNames = await this.beacons.namesOf(caller.scope, organizationId, behind);
    const counts = Object.fromEntries(totals) as FindingCounts;
    return { organizationId, matters: shown, counts, beaconNames, checklist, checked, ...operations };
  }
}
