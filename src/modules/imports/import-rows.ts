import { Injectable } from '@nestjs/common';
import { MAX_COUNT, offsetOf, type Page, type Slice, sliceOf } from '../../kernel/page';
import type { SeenBefore } from '../findings';
import type { Import } from './data/import.entity';
import { ImportResultsRepository, inOrder, type ShownResult } from './data/import-results.repository';
import type { RowResult } from './domain/import-status';
import { MissingFindings } from './work/missing-findings';

/** Lists the rows of an import, and after them the findings that its file does not have. These are computed on each read. */
@Injectable()
export class ImportRows {
  constructor(
    private readonly results: ImportResultsRepository,
    private readonly missing: MissingFindings,
  ) {}

  async listForVisible(one: Import, result: RowResult | undefined, page: Page): Promise<Slice<ShownResult>> {
    const isFiltered = result !== undefined && result !== 'missing';
    // Imports of an earlier version have stored rows for missing findings.
    if (isFiltered || one.rowsMissing === 0 || (await this.results.count(one.id, 'missing', 0)) > 0)
      return this.results.listForVisible(one.id, result, page);
    const stored =
      result === undefined ? await this.results.listForVisible(one.id, result, page) : { items: [], total: 0 };
    const isWithin = page.before === undefined ? stored.next !== undefined : firstMissing(page.before, one) <= 1;
    const slice = isWithin ? stored : await this.withMissing(one, result, stored, page);
    if (page.isCounted !== true) return slice;
    const total = (stored.total ?? 0) + (await this.missing.count(one, undefined, MAX_COUNT + 1));
    return { ...slice, total: Math.min(total, MAX_COUNT + 1) };
  }

  private async withMissing(
    one: Import,
    result: RowResult | undefined,
    stored: Slice<ShownResult>,
    page: Page,
  ): Promise<Slice<ShownResult>> {
    const found: ShownResult[] = [];
    const last = page.before === undefined ? Infinity : firstMissing(page.before, one) - 1;
    const offset = offsetOf(page);
    const skipped =
      offset === 0
        ? 0
        : Math.max(0, offset - (result === undefined ? await this.results.count(one.id, undefined, one.rowsDone) : 0));
    const wanted = page.before === undefined ? skipped + page.perPage + 1 : Infinity;
    const after = page.after === undefined ? 0 : Math.max(0, firstMissing(page.after, one));
    for await (const finding of this.missing.list(one, after)) {
      if (finding.seenId > last) break;
      found.push(rowOf(one, finding));
      if (found.length >= wanted) break;
    }
    const rows =
      page.before === undefined
        ? [...stored.items, ...found.slice(skipped)]
        : [...found.toReversed(), ...stored.items.toReversed()];
    return sliceOf(rows.slice(0, page.perPage + 1), page, inOrder.positionOf);
  }
}

/** The id of the finding at a position, or less than 1 at a row of the file. */
const firstMissing = ([negative]: readonly (number | string)[], { rowsDone }: Import): number =>
  -Number(negative) - rowsDone;

const rowOf = ({ id, rowsDone }: Import, finding: SeenBefore): ShownResult => ({
  importId: id,
  number: rowsDone + finding.seenId,
  line: null,
  result: 'missing',
  reason: null,
  findingId: finding.id,
  title: finding.title,
  assetValue: finding.assetValue,
  scanner: finding.scanner,
  contradiction: null,
});
