import { StringDecoder } from 'node:string_decoder';
import { invalid } from '../../../kernel/domain-error';

export interface EpssHeader {
  readonly version: string;
  readonly released: Date;
}

export interface ScoreOfCve {
  readonly cve: string;
  readonly score: number;
  readonly percentile: number;
}

const PIECE = 5_000;
/** A line of the public file has 30 characters, and its first one 60. */
const MAX_LINE = 200;

const VERSION_LINE =
  /^#\s*model_version:\s*([\w.-]{1,40}),\s*score_date:\s*(\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?)$/;
const COLUMNS_LINE = 'cve,epss,percentile';
const SCORE_LINE = /^(CVE-\d{4}-\d{4,19}),(\d(?:\.\d+)?(?:[eE]-?\d+)?),(\d(?:\.\d+)?(?:[eE]-?\d+)?)$/;

/**
 * Reads the file of scores that FIRST publishes: a line with the model and the date, the names of the columns, and a line for
 * each CVE. Calls `take` for each piece, with the number of its first line. Returns the number of CVEs.
 */
export async function readEpssFile(
  chunks: AsyncIterable<Buffer>,
  begin: (header: EpssHeader) => Promise<void>,
  take: (piece: readonly ScoreOfCve[], firstLine: number) => Promise<void>,
): Promise<number> {
  let number = 0;
  let count = 0;
  let header: EpssHeader | undefined;
  let piece: ScoreOfCve[] = [];
  const flush = async (): Promise<void> => {
    if (piece.length > 0) await take(piece, number - piece.length + 1);
    count += piece.length;
    piece = [];
  };
  for await (const lines of linesOf(chunks)) {
    for (const line of lines) {
      number += 1;
      if (number === 1) {
        header = headerOf(line);
        await begin(header);
      } else if (number === 2) {
        if (line !== COLUMNS_LINE) throw problemOf(2, line, `must be the names of the columns, ${COLUMNS_LINE}`);
      } else {
        piece.push(scoreOf(line, number));
        if (piece.length === PIECE) await flush();
      }
    }
  }
  await flush();
  if (header === undefined) throw invalid('The file is empty: it has no line 1.');
  if (count === 0) throw invalid('The file has no scores: it ends before line 3.');
  return count;
}

function headerOf(line: string): EpssHeader {
  const [, version, date] = VERSION_LINE.exec(line) ?? [];
  // The public file writes +0000, and dates in ISO 8601 have a colon.
  const released = new Date((date ?? '').replace(/([+-]\d\d)(\d\d)$/, '$1:$2'));
  if (version !== undefined && !Number.isNaN(released.getTime())) return { version, released };
  throw problemOf(1, line, 'must be #model_version:...,score_date:..., as in the file of EPSS scores of FIRST');
}

function scoreOf(line: string, number: number): ScoreOfCve {
  const [, cve, epss, rank] = SCORE_LINE.exec(line) ?? [];
  const [score, percentile] = [Number(epss), Number(rank)];
  if (cve !== undefined && score <= 1 && percentile <= 1) return { cve, score, percentile };
  throw problemOf(number, line, 'must be a CVE, a score from 0 to 1 and a percentile from 0 to 1');
}

const problemOf = (number: number, line: string, rule: string) =>
  invalid(`Line ${number} ${rule}. It is: ${JSON.stringify(line.slice(0, 100))}. Nothing was changed.`);

/** The lines of each chunk. Refuses a last line without an end, because the file may have been cut off in it. */
async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  let count = 0;
  for await (const chunk of chunks) {
    const lines = (rest + decoder.write(chunk)).split('\n');
    rest = lines.pop() ?? '';
    count += lines.length;
    if (rest.length > MAX_LINE) throw problemOf(count + 1, rest, `must have at most ${MAX_LINE} characters`);
    yield lines.map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  }
  if (rest !== '')
    throw invalid(`The file ends in the middle of line ${count + 1}. Copy or fetch it again. Nothing was changed.`);
}
