import type { PlaceDoubt, ResultPlace, ScannedAsset } from '../../assets';
import { serviceOf, siteOf } from '../../assets/domain/asset-of-place';

/** What to do with rows between several assets: they are on the asset with this id, on one of their own, or refused. */
export type PlaceAnswer = number | 'add' | 'refuse';

/**
 * About all rows of a host that are between the same assets for the same reason; all rows without a host; or the columns of
 * a table whose title or severity is not found.
 */
export interface ImportQuestion {
  readonly why: PlaceDoubt<unknown>['why'] | 'no_host' | 'columns';
  readonly host: string;
  readonly beaconId: number | null;
  readonly assets: readonly Pick<ScannedAsset, 'id' | 'value'>[];
  /** Some of them; all columns of a table. */
  readonly places: readonly string[];
  readonly rows: number;
  /** Of the whole file, also those in no question. Absent in questions of earlier versions. */
  readonly rowsRead?: number;
  /** Null until a person has answered. */
  readonly answer: PlaceAnswer | null;
}

export interface DoubtfulRow {
  readonly place: ResultPlace;
  readonly beaconId: number | null;
  readonly doubt: PlaceDoubt<ScannedAsset>;
}

/** Of an import. The rows of others are refused. */
const MAX_QUESTIONS = 20;
const MAX_ASSETS = 50;
export const MAX_PLACES = 5;
const MAX_COLUMNS = 200;

const isAbout = ({ why, host, beaconId }: ImportQuestion, row: DoubtfulRow): boolean =>
  why === row.doubt.why && host === row.place.host && beaconId === row.beaconId;

/** The questions with those of further rows. */
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

/** The questions with that about rows without a host, of which there are so many, such as these. */
export const withHostless = (asked: readonly ImportQuestion[], rows: number, some: readonly string[]) =>
  rows === 0 ? asked : [{ ...emptyQuestion, why: 'no_host' as const, rows, places: some }, ...asked];

export const columnsQuestion = (columns: readonly string[]): ImportQuestion => ({
  ...emptyQuestion,
  why: 'columns',
  places: columns.slice(0, MAX_COLUMNS),
});

/** Null if the question was not asked, or nobody has answered it. */
export const answerFor = (questions: readonly ImportQuestion[] | null, row: DoubtfulRow): PlaceAnswer | null =>
  questions?.find((one) => isAbout(one, row))?.answer ?? null;

/** The path matters only between assets of one port. */
function placeText({ place, doubt: { why } }: DoubtfulRow): string {
  const site = siteOf(place);
  if (site === place.host) return serviceOf(place);
  return why === 'several' ? site.slice(0, -1) + (place.path ?? '/') : site;
}

const DOUBTS: Readonly<Record<PlaceDoubt<unknown>['why'], string>> = {
  several: 'Several assets are equally specific for',
  other_port: 'Only other ports of the host are assets, and not',
};

/** Why a row is refused. `named` is an asset that the upload names and that is not on the host of the row. */
export function doubtReason(row: DoubtfulRow, named: string | null): string {
  const { among, why } = row.doubt;
  const values = among.slice(0, MAX_PLACES).map(({ value }) => value);
  const others = among.length > values.length ? ' and others' : '';
  const notOnHost = named === null ? '' : ` ${named} is not on this host.`;
  return `${DOUBTS[why]} ${placeText(row)}: ${values.join(', ')}${others}.${notOnHost} Add ${siteOf(row.place)} as an asset, or import the file again and name its asset with the parameter asset, or with unknown_assets=add.`;
}
