import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error';
import { groupBy } from '../../../kernel/group-by';
import { everything } from '../../../platform/api/scope';
import { BeaconsService } from '../../beacons';
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

const scope = everything('a worker runs the imports of all organizations');

/** More than an organization can have. */
const MAX_BEACONS = 100;

/** Finds the assets that the results of a batch are on. */
@Injectable()
export class BatchLocation {
  /** The hosts that a dry run would have added as assets so far. */
  private readonly previewed = new WeakMap<BegunImport, Set<string>>();

  constructor(
    private readonly results: ImportResultsRepository,
    private readonly assets: ScannedAssetsService,
    private readonly beacons: BeaconsService,
  ) {}

  /** Results on assets that the organization does not have are refused, or their assets are added. */
  async locate(begun: BegunImport, batch: readonly BatchRow[]): Promise<{ rows: LocatedRow[]; refused: NewResult[] }> {
    const rows: LocatedRow[] = [];
    const refused: NewResult[] = [];
    const beaconOf = await this.beaconsOf(begun, batch);
    for (const [beaconId, read] of groupBy(batch, beaconOf)) {
      if (beaconId === undefined) {
        for (const row of read) refused.push(refusedResult(row, unknownBeacon(row, begun), row.result ?? null));
        continue;
      }
      const { organizationId } = begun;
      const covered = await this.assets.find(organizationId, hostsOf(read), beaconId);
      const found = read.map((row) => atAddressOf(row, covered));
      const assets = await this.assetsOf(begun, found, beaconId);
      for (const row of found) {
        const value = row.result?.host ?? row.result?.assetValue ?? '';
        const asset = row.result === undefined ? undefined : assets.get(value);
        if (row.result === undefined) refused.push(refusedResult(row, row.refusal, null));
        else if (asset === undefined) refused.push(refusedResult(row, unknownAsset(value, beaconId), row.result));
        else if (asset instanceof DomainError) refused.push(refusedResult(row, asset.message, row.result));
        else rows.push({ asset, ...row });
      }
    }
    return { rows: rows.sort((one, other) => one.number - other.number), refused };
  }

  /** By hosts, and by the values that rows without a host name. */
  private async assetsOf(begun: BegunImport, batch: readonly BatchRow[], beaconId: number | null) {
    const { organizationId, unknownAssets, assetLabels: labels, dryRun } = begun;
    const found = await this.assets.find(organizationId, hostsOf(batch), beaconId);
    const assets = new Map<string, ScannedAsset | DomainError>(found);
    const named = new Set(
      batch.flatMap(({ result }) => (result?.host === null && result.assetValue !== null ? [result.assetValue] : [])),
    );
    for (const value of named) {
      const asset = await this.assets.findByValue(organizationId, value, beaconId);
      if (asset !== undefined) assets.set(value, asset);
    }
    const unknown = [...new Set([...hostsOf(batch), ...named])].filter((value) => !assets.has(value));
    if (unknownAssets !== 'add' || unknown.length === 0) return assets;
    const added = dryRun
      ? await this.previewAdding(begun, unknown, beaconId)
      : await this.assets.add(organizationId, unknown, { beaconId, labels });
    for (const [value, asset] of added) assets.set(value, asset);
    return assets;
  }

  /** The beacon of each row, by its name or id; null on the Internet, and undefined if the organization has none like it. */
  private async beaconsOf(
    { organizationId, beaconId }: BegunImport,
    batch: readonly BatchRow[],
  ): Promise<(row: BatchRow) => number | null | undefined> {
    const named = beaconId === null ? null : String(beaconId);
    if (named === null && batch.every(({ result }) => result == null || result.beacon === null)) return () => null;
    const { items } = await this.beacons.list(scope, organizationId, { page: 1, perPage: MAX_BEACONS });
    const ids = new Map(
      items.flatMap(
        ({ id, name }) =>
          [
            [name.toLowerCase(), id],
            [String(id), id],
          ] as const,
      ),
    );
    return ({ result }) => {
      const wanted = result?.beacon ?? named;
      return wanted === null ? null : ids.get(wanted.toLowerCase());
    };
  }

  private async previewAdding(begun: BegunImport, hosts: readonly string[], beaconId: number | null) {
    const { id, organizationId } = begun;
    let earlier = this.previewed.get(begun);
    if (earlier === undefined) {
      // Also those of an attempt whose worker was lost.
      earlier = new Set(await this.assets.listMissing(organizationId, await this.results.listAssetValues(id)));
      this.previewed.set(begun, earlier);
    }
    return this.assets.preview(organizationId, hosts, earlier, beaconId);
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

const unknownBeacon = ({ result }: BatchRow, { beaconId }: BegunImport): string =>
  `The organization has no beacon ${JSON.stringify(result?.beacon ?? String(beaconId))}. Name one of its beacons by its name or id.`;

const unknownAsset = (value: string, beaconId: number | null): string =>
  `${value} is not an asset of the organization${beaconId === null ? '' : ` behind the beacon ${beaconId}`}, and no asset of it covers this host. ${
    recognizeAsset(value) === undefined
      ? `Add the URL of the service as an asset, such as http://${value}/.`
      : 'Add it, or import the file with unknown_assets=add.'
  }`;

const refusedResult = ({ number, line }: BatchRow, reason: string, result: ScannedResult | null): NewResult => ({
  number,
  line,
  result: 'refused',
  reason: reason.replaceAll('\0', '\uFFFD').toWellFormed().slice(0, 1_000),
  findingId: null,
  title: result?.title ?? null,
  assetValue: result?.host ?? null,
  scanner: result?.scanner ?? null,
  severity: null,
  fingerprint: null,
  seenAt: null,
});
