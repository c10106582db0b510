import { Injectable } from '@nestjs/common';
import { DomainError } from '../../../kernel/domain-error';
import { groupBy } from '../../../kernel/group-by';
import { everything } from '../../../platform/api/scope';
import { BeaconsService } from '../../beacons';
import {
  type AssetOfPlace,
  isDoubt,
  isOnHost,
  recognizeAsset,
  type ResultPlace,
  resultPlaceOf,
  type ScannedAsset,
  ScannedAssetsService,
  siteOf,
} from '../../assets';
import type { BegunImport } from '../data/import.entity';
import { ImportResultsRepository, type NewResult } from '../data/import-results.repository';
import { answerFor, type DoubtfulRow, doubtReason } from '../domain/import-question';
import type { Refusal, ScannedResult } from '../domain/scanned-result';

/** A row of the file: a result, or why it has none. */
export type BatchRow = { readonly number: number; readonly line: number } & (
  { readonly result: ScannedResult; readonly refusal?: undefined } | (Refusal & { readonly result?: undefined })
);

export type LocatedRow = BatchRow & { readonly result: ScannedResult; readonly asset: ScannedAsset };

const scope = everything('a worker runs the imports of all organizations');

/** More than an organization can have. */
const MAX_BEACONS = 100;

/** A row with a result, its place, and the asset that it names. */
interface RowAtPlace {
  readonly row: BatchRow & { readonly result: ScannedResult };
  /** Null if the file names no host. */
  readonly place: ResultPlace | null;
  readonly found: AssetOfPlace<ScannedAsset> | undefined;
  /** The asset that the row or the upload names. */
  readonly named: ScannedAsset | undefined;
}

/** The asset of a row, the value of an asset to add, or why it has none. */
type Decision =
  | { readonly asset: ScannedAsset }
  | { readonly add: string }
  | { readonly refusal: string; readonly doubtful?: DoubtfulRow };

/** Finds the assets for the results of a batch. */
@Injectable()
export class BatchLocation {
  /** The values that the dry run would have added as assets so far. */
  private readonly previewed = new WeakMap<BegunImport, Set<string>>();

  constructor(
    private readonly results: ImportResultsRepository,
    private readonly assets: ScannedAssetsService,
    private readonly beacons: BeaconsService,
  ) {}

  /** Refuses results on assets that the organization does not have, or adds the assets. */
  async locate(begun: BegunImport, batch: readonly BatchRow[]): Promise<{ rows: LocatedRow[]; refused: NewResult[] }> {
    const rows: LocatedRow[] = [];
    const refused: NewResult[] = [];
    const beaconOf = await this.beaconsOf(begun, batch);
    for (const [beaconId, read] of groupBy(batch, beaconOf)) {
      for (const row of read) {
        if (row.result === undefined) refused.push(refusedResult(row, row.refusal, null));
        else if (beaconId === undefined) refused.push(refusedResult(row, unknownBeacon(row, begun), row.result));
      }
      if (beaconId === undefined) continue;
      const placed = await this.placesOf(begun, read, beaconId);
      const decided = placed.map((one) => ({ row: one.row, decision: decisionOf(begun, one, beaconId) }));
      const missing = new Set(decided.flatMap(({ decision }) => ('add' in decision ? [decision.add] : [])));
      const added = await this.addAll(begun, [...missing], beaconId);
      for (const { row, decision } of decided) {
        const asset = 'add' in decision ? added.get(decision.add) : 'asset' in decision ? decision.asset : undefined;
        if ('refusal' in decision) refused.push(refusedResult(row, decision.refusal, row.result));
        else if (asset === undefined) refused.push(refusedResult(row, unknownAsset(row.result, beaconId), row.result));
        else if (asset instanceof DomainError) refused.push(refusedResult(row, asset.message, row.result));
        else rows.push({ asset, ...row });
      }
    }
    return { rows: rows.sort((one, other) => one.number - other.number), refused };
  }

  /** The rows that `locate` would refuse because they are between several assets. */
  async doubtfulRows(begun: BegunImport, batch: readonly BatchRow[]): Promise<DoubtfulRow[]> {
    const beaconOf = await this.beaconsOf(begun, batch);
    const doubtful: DoubtfulRow[] = [];
    for (const [beaconId, read] of groupBy(batch, beaconOf)) {
      if (beaconId === undefined) continue;
      for (const one of await this.placesOf(begun, read, beaconId)) {
        const decision = decisionOf(begun, one, beaconId);
        if ('refusal' in decision && decision.doubtful !== undefined) doubtful.push(decision.doubtful);
      }
    }
    return doubtful;
  }

  private async placesOf(
    { organizationId }: BegunImport,
    batch: readonly BatchRow[],
    beaconId: number | null,
  ): Promise<RowAtPlace[]> {
    const read = batch.flatMap(({ result, number, line }) => {
      if (result === undefined) return [];
      const row = { number, line, result };
      // A single-label name cannot be an asset.
      const other = result.atAddress?.() ?? null;
      const atAddress = other && { row: { ...row, result: other }, place: placeOf(other) };
      return [{ row, place: placeOf(result), atAddress }];
    });
    const places = read
      .flatMap(({ place, atAddress }) => [place, atAddress?.place ?? null])
      .filter((one) => one !== null);
    const found = await this.assets.find(organizationId, places, beaconId);
    const named = await this.namedAssets(organizationId, batch, beaconId);
    return read.map(({ atAddress, ...atName }) => {
      const ofName = atName.place === null ? undefined : found.get(atName.place);
      const ofAddress = atAddress?.place == null ? undefined : found.get(atAddress.place);
      const isAtAddress =
        atAddress !== null &&
        (ofName === undefined || (isDoubt(ofName) && ofAddress !== undefined && !isDoubt(ofAddress)));
      const { row, place } = isAtAddress ? atAddress : atName;
      const ofRow = row.result.assetValue === null ? undefined : named.get(row.result.assetValue);
      return { row, place, found: isAtAddress ? ofAddress : ofName, named: ofRow };
    });
  }

  private async namedAssets(organizationId: number, batch: readonly BatchRow[], beaconId: number | null) {
    const assets = new Map<string, ScannedAsset>();
    for (const value of new Set(batch.flatMap(({ result }) => result?.assetValue ?? []))) {
      const asset = await this.assets.findByValue(organizationId, value, beaconId);
      if (asset !== undefined) assets.set(value, asset);
    }
    return assets;
  }

  private async addAll(
    begun: BegunImport,
    values: readonly string[],
    beaconId: number | null,
  ): Promise<Map<string, ScannedAsset | DomainError>> {
    if (values.length === 0) return new Map();
    const { organizationId, assetLabels: labels, dryRun } = begun;
    return dryRun
      ? this.previewAdding(begun, values, beaconId)
      : this.assets.add(organizationId, values, { beaconId, labels });
  }

  /** Returns the beacon of each row, by name or id: null for the Internet, undefined if the organization has no such beacon. */
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

  private async previewAdding(begun: BegunImport, values: readonly string[], beaconId: number | null) {
    const { id, organizationId } = begun;
    let earlier = this.previewed.get(begun);
    if (earlier === undefined) {
      // Includes assets of an earlier attempt whose worker was lost.
      earlier = new Set(await this.assets.listMissing(organizationId, await this.results.listAssetValues(id)));
      this.previewed.set(begun, earlier);
    }
    return this.assets.preview(organizationId, values, earlier, beaconId);
  }
}

const placeOf = ({ host, place }: ScannedResult): ResultPlace | null =>
  host === null ? null : { scheme: null, port: null, path: null, ...resultPlaceOf(place), host };

function decisionOf(
  { unknownAssets, questions }: BegunImport,
  { row: { result }, place, found, named }: RowAtPlace,
  beaconId: number | null,
): Decision {
  const adds = unknownAssets === 'add';
  if (place === null) {
    if (named !== undefined) return { asset: named };
    return adds && result.assetValue !== null
      ? { add: result.assetValue }
      : { refusal: unknownAsset(result, beaconId) };
  }
  if (found === undefined) return adds ? { add: place.host } : { refusal: unknownAsset(result, beaconId) };
  if (!isDoubt(found)) return found;
  const doubtful = { place, beaconId, doubt: found };
  const answered = answerFor(questions, doubtful);
  const type = named && recognizeAsset(named.value);
  if (answered === null && named !== undefined && type !== undefined && isOnHost(type, place.host))
    return { asset: named };
  const answer = adds ? 'add' : answered;
  if (answer === 'add') return { add: siteOf(place) };
  const asset = found.among.find(({ id }) => id === answer);
  return asset === undefined ? { refusal: doubtReason(doubtful, result.assetValue), doubtful } : { asset };
}

const unknownBeacon = ({ result }: BatchRow, { beaconId }: BegunImport): string =>
  `The organization has no beacon ${JSON.stringify(result?.beacon ?? String(beaconId))}. Name one of its beacons by its name or id.`;

function unknownAsset({ host, assetValue }: ScannedResult, beaconId: number | null): string {
  const value = host ?? assetValue ?? '';
  const behind = beaconId === null ? '' : ` behind the beacon ${beaconId}`;
  const advice =
    recognizeAsset(value) === undefined
      ? `Add the URL of the service as an asset, such as http://${value}/.`
      : 'Add it, or import the file with unknown_assets=add.';
  return `${value} is not an asset of the organization${behind}, and no asset of it covers this host. ${advice}`;
}

const refusedResult = ({ number, line }: BatchRow, reason: string, result: ScannedResult | null): NewResult => ({
  number,
  line,
  result: 'refused',
  contradiction: null,
  reason: reason.replaceAll('\0', '\uFFFD').toWellFormed().slice(0, 1_000),
  findingId: null,
  title: result?.title ?? null,
  assetValue: result?.host ?? null,
  scanner: result?.scanner ?? null,
  severity: null,
  fingerprint: null,
  seenAt: null,
  place: null,
});
