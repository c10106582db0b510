import type { PlaceDoubt, ResultPlace, ScannedAsset } from '../../assets';
import { serviceOf, siteOf } from '../../assets/domain/asset-of-place';

/** What to do with rows between several assets: assign them to the asset with this id, add an asset for them, or refuse them. */
export type PlaceAnswer = number | 'add' | 'refuse';

/**
 * A question about all rows of a host that are between the same assets for the same reason, about all rows without a host, or
 * about the columns of a table whose title or severity was not found.
 */
export interface ImportQuestion {
  readonly why: PlaceDoubt<unknown>['why'] | 'no_host' | 'columns';
  readonly host: string;
  readonly beaconId: number | null;
  readonly assets: readonly Pick<ScannedAsset, 'id' | 'value'>[];
  /** Examples of places; for a table, all its columns. */
  readonly places: readonly string[];
  readonly rows: number;
  /** The number of rows in the whole file. Absent in questions of earlier versions. */
  readonly rowsRead?: number;
  /** Null until a person has answered it. */
  readonly answer: PlaceAnswer | null;
}

export interface DoubtfulRow {
  readonly place: ResultPlace;
  readonly beaconId: number | null;
  readonly doubt: PlaceDoubt<ScannedAsset>;
}

/** Per import. Rows that need further questions are refused. */
const MAX_QUESTIONS = 20;
const MAX_ASSETS = 50;
export const MAX_PLACES = 5;
const MAX_COLUMNS = 200;

const isAbout = ({ why, host, beaconId }: ImportQuestion, row: DoubtfulRow): boolean =>
  why === row.doubt.why && host === row.place.host && beaconId === row.beaconId;

/** Adds the questions of further rows. */
export function withQuestionsOf(
  asked: readonly ImportQuestion[],
  rows: readonly DoubtfulRow[],
): readonly ImportQuestion[] {
  const questions = [...asked];
  for (const row of rows) {
    const { place, beaconId, doubt } = row;
    const index = questions.findIndex((one) => isAbout(one, row));
    const before = questions[index];
    if (before === undefined && questions.length === MAX_QUESTIONS) continue;
    const known = before ?? {
      why: doubt.why,
      host: place.host,
      beaconId,
      assets: [],
      places: [],
      rows: 0,
      answer: null,
    };
    const among = doubt.among.map(({ id, value }) => ({ id, value }));
    const assets = [...new Map([...known.assets, ...among].map((asset) => [asset.id, asset])).values()];
    const question = {
      ...known,
      assets: assets.slice(0, MAX_ASSETS),
      places: [...new Set([...known.places, placeText(row)])].slice(0, MAX_PLACES),
      rows: known.rows + 1,
    };
    questions.splice(before === undefined ? questions.length : index, 1, question);
  }
  return questions;
}

const emptyQuestion = { host: '', beaconId: null, assets: [], rows: 0, answer: null } as const;

/** Adds the question about rows without a host: `rows` is their number, and `some` are examples. */
export const withHostless = (asked: readonly ImportQuestion[], rows: number, some: readonly string[]) =>
  rows === 0 ? asked : [{ ...emptyQuestion, why: 'no_host' as const, rows, places: some }, ...asked];

export const columnsQuestion = (columns: readonly string[]): ImportQuestion => ({
  ...emptyQuestion,
  why: 'columns',
  places: columns.slice(0, MAX_COLUMNS),
});

/** Null if the question was not asked or not answered. */
export const answerFor = (questions: readonly ImportQuestion[] | null, row: DoubtfulRow): PlaceAnswer | null =>
  questions?.find((one) => isAbout(one, row))?.answer ?? null;

/** The path only matters between assets on the same port. */
function placeText({ place, doubt: { why } }: DoubtfulRow): string {
  const site = siteOf(place);
  if (site === place.host) return serviceOf(place);
  return why === 'several' ? site.slice(0, -1) + (place.path ?? '/') : site;
}

const DOUBTS: Readonly<Record<PlaceDoubt<unknown>['why'], string>> = {
  several: 'Several assets are equally specific for',
  other_port: 'Only other ports of the host are assets, and not',
};

/** Why a row is refused. `named` is the asset that the upload names, if it is not on the host of the row. */
export function doubtReason(row: DoubtfulRow, named: string | null): string {
  const { among, why } = row.doubt;
  const values = among.slice(0, MAX_PLACES).map(({ value }) => value);
  const others = among.length > values.length ? ' and others' : '';
  const notOnHost = named === null ? '' : ` ${named} is not on this host.`;
  return `${DOUBTS[why]} ${placeText(row)}: ${values.join(', ')}${others}.${notOnHost} Add ${siteOf(row.place)} as an asset, or import the file again and name its asset with the parameter asset, or with unknown_assets=add.`;
}
