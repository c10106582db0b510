import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error';
import { recognizeAsset, type ScannedAsset, ScannedAssetsService } from '../../assets';
import type { BegunImport } from '../data/import.entity';
import { ImportResultsRepository, type NewResult } from '../data/import-results.repository';
import type { ScannedResult } from '../domain/scanned-result';

/** A row of the file: a result, or why it has none. */
export type BatchRow = { readonly number: number; readonly line: number } & (
  | { readonly result: ScannedResult; readonly refusal?: undefined }
  | { readonly refusal: string; readonly result?: undefined }
);

export type LocatedRow = BatchRow & { readonly result: ScannedResult; readonly asset: ScannedAsset };

/** Finds the assets that the results of a batch are on. */
@Injectable()
export class BatchLocation {
  /** The hosts that a dry run would have added as assets so far. */
  private readonly previewed = new WeakMap<BegunImport, Set<string>>();

  constructor(
    private readonly results: ImportResultsRepository,
    private readonly assets: ScannedAssetsService,
  ) {}

  /** Results on assets that the organization does not have are refused, or their assets are added. */
  async locate(begun: BegunImport, read: readonly BatchRow[]): Promise<{ rows: LocatedRow[]; refused: NewResult[] }> {
    const { organizationId, assetValue, unknownAssets, dryRun } = begun;
    const covered = await this.assets.find(organizationId, hostsOf(read));
    const batch = read.map((row) => atAddressOf(row, covered));
    const hosts = hostsOf(batch);
    const needsNamed = assetValue !== null && batch.some(({ result }) => result !== undefined && result.host === null);
    const others = await this.assets.find(
      organizationId,
      hosts.filter((host) => !covered.has(host)),
    );
    const assets = new Map<string, ScannedAsset | DomainError>([...covered, ...others]);
    const named = needsNamed ? await this.assets.findByValue(organizationId, assetValue) : undefined;
    if (named !== undefined && assetValue !== null) assets.set(assetValue, named);
    const unknown = [...hosts, ...(needsNamed ? [assetValue] : [])].filter((value) => !assets.has(value));
    if (unknownAssets === 'add' && unknown.length > 0) {
      const added = dryRun ? await this.previewAdding(begun, unknown) : await this.assets.add(organizationId, unknown);
      for (const [value, asset] of added) assets.set(value, asset);
    }
    const rows: LocatedRow[] = [];
    const refused: NewResult[] = [];
    for (const row of batch) {
      const value = row.result?.host ?? assetValue ?? '';
      const asset = row.result === undefined ? undefined : assets.get(value);
      if (row.result === undefined) refused.push(refusedRow(row, row.refusal, null));
      else if (asset === undefined) refused.push(refusedRow(row, unknownAsset(value), row.result));
      else if (asset instanceof DomainError) refused.push(refusedRow(row, asset.message, row.result));
      else rows.push({ asset, ...row });
    }
    return { rows, refused };
  }

  private async previewAdding(begun: BegunImport, hosts: readonly string[]) {
    const { id, organizationId } = begun;
    let earlier = this.previewed.get(begun);
    if (earlier === undefined) {
      // Also those of an attempt whose worker was lost.
      earlier = new Set(await this.assets.listMissing(organizationId, await this.results.listAssetValues(id)));
      this.previewed.set(begun, earlier);
    }
    return this.assets.preview(organizationId, hosts, earlier);
  }
}

const hostsOf = (batch: readonly BatchRow[]): string[] => [
  ...new Set(batch.flatMap(({ result }) => (result?.host == null ? [] : [result.host]))),
];

/** A name of one label is no asset by itself, so a result is at the address of its host if no asset covers the name. */
function atAddressOf(row: BatchRow, covered: ReadonlyMap<string, ScannedAsset>): BatchRow {
  const { result } = row;
  if (result === undefined || result.atAddress === null || covered.has(result.host ?? '')) return row;
  return { number: row.number, line: row.line, result: result.atAddress() };
}

const unknownAsset = (value: string): string =>
  `${value} is not an asset of the organization, and no asset of it covers this host. ${
    recognizeAsset(value) === undefined
      ? `Add the URL of the service as an asset, such as http://${value}/.`
      : 'Add it, or import the file with unknown_assets=add.'
  }`;

const refusedRow = ({ number, line }: BatchRow, reason: string, result: ScannedResult | null): NewResult => ({
  number,
  line,
  result: 'refused',
  reason: reason.replaceAll('\0', '\uFFFD').toWellFormed().slice(0, 1_000),
  findingId: null,
  title: result?.draft.title ?? null,
  assetValue: result?.host ?? null,
  scanner: result?.draft.scanner ?? null,
  severity: null,
  fingerprint: null,
  seenAt: null,
});
