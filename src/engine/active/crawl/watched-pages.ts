import { inTurns } from '../../../kernel/in-turns';
import type { Page } from '../../page';
import { SEARCHED_CHARACTERS, withoutTags, wordsOf } from '../../response-similarity';
import type { SentRequest } from '../../sent-request';

const MOST_WATCHED = 3;
/** Reads after the first visit, before a page counts as stable. */
const FURTHER_READS = 2;
const MOST_TRIED = 12;
const MAX_ROWS = 3_000;

/** The start of a row in a table, a list, a text or a JSON array. */
const ROW = /<(?=(?:tr|li|dt|article|section|div|p|option|h\d)\b)|[{\n]/i;

/** How often each row occurs. Numbers, dates and tokens are removed, because they change by themselves. */
type Rows = ReadonlyMap<string, number>;

interface Reading {
  readonly status: number;
  readonly rows: Rows;
  readonly size: number;
}

/** Yields to the event loop, because one row may have megabytes. */
async function readingOf({ status, text }: Page): Promise<Reading> {
  const rows = new Map<string, number>();
  let size = 0;
  for await (const part of inTurns(text.split(ROW, MAX_ROWS))) {
    const start = `<${part.slice(0, SEARCHED_CHARACTERS)}`;
    if (withoutTags(start).replace(/[<\s]/g, '') === '') continue;
    const row = [...wordsOf(start)].join(' ');
    rows.set(row, (rows.get(row) ?? 0) + 1);
    size += 1;
  }
  return { status, rows, size };
}

/** The number of rows that the other page does not have. */
const missingIn = (rows: Rows, other: Rows): number =>
  [...rows].reduce((sum, [row, count]) => sum + Math.max(0, count - (other.get(row) ?? 0)), 0);

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;

/** What changed on the page, or null. */
function changeOf(before: Reading, now: Reading | null): string | null {
  if (now === null) return 'does not answer';
  if (now.status !== before.status) return `responds with ${now.status}`;
  const [lost, added] = [missingIn(before.rows, now.rows), missingIn(now.rows, before.rows)];
  if (lost === added) return lost === 0 ? null : `shows ${counted(lost, 'other row')}`;
  return `shows ${counted(Math.abs(lost - added), 'row')} ${lost > added ? 'fewer' : 'more'}`;
}

/** Pages that show what an application stores. They are read again to detect requests that change it. */
export class WatchedPages {
  private readonly candidates = new Map<string, Reading>();
  private readonly tried = new Set<string>();
  private watched: { readonly path: string; readonly reading: Reading }[] = [];
  private isFresh = false;

  constructor(private readonly ask: (request: SentRequest) => Promise<Page | null>) {}

  /** Offers a page that was visited. */
  async offer({ method = 'GET', path, headers }: SentRequest, page: Page): Promise<void> {
    if (method === 'GET' && headers === undefined && page.status === 200 && !this.candidates.has(path))
      this.candidates.set(path, await readingOf(page));
    for (const [other] of this.largestFirst().slice(MOST_TRIED)) this.candidates.delete(other);
  }

  private largestFirst(): [path: string, reading: Reading][] {
    return [...this.candidates].sort(([, one], [, other]) => other.size - one.size);
  }

  /** Called after other requests were sent. */
  forget(): void {
    this.isFresh = false;
  }

  /** Sends a request alone, and returns what changed on the watched pages after it. */
  async around(
    send: () => Promise<Page | null>,
  ): Promise<{ readonly page: Page | null; readonly change: string | null }> {
    await this.choose();
    if (!this.isFresh) await this.changes();
    const page = await send();
    const [change = null] = page?.status === 404 ? [] : await this.changes();
    this.isFresh = true;
    return { page, change };
  }

  /** Chooses the stable pages with the most rows. */
  private async choose(): Promise<void> {
    for (const [path, reading] of this.largestFirst().slice(0, MOST_WATCHED)) {
      if (this.tried.has(path) || this.tried.size >= MOST_TRIED) continue;
      this.tried.add(path);
      let isStable = true;
      for (let read = 0; read < FURTHER_READS && isStable; read += 1)
        isStable = changeOf(reading, await this.read(path)) === null;
      if (!isStable) this.candidates.delete(path);
      else
        this.watched = [{ path, reading }, ...this.watched].sort((one, other) => other.reading.size - one.reading.size);
    }
    this.watched = this.watched.slice(0, MOST_WATCHED);
  }

  /** The changes of the pages. A difference counts only if a second read shows it as well. */
  private async changes(): Promise<string[]> {
    const changes: string[] = [];
    const watched: typeof this.watched = [];
    for (const { path, reading } of this.watched) {
      const first = changeOf(reading, await this.read(path));
      const now = first === null ? reading : await this.read(path);
      const change = first === null ? null : changeOf(reading, now);
      if (change !== null) changes.push(`${path} ${change}`);
      watched.push({ path, reading: now ?? reading });
    }
    this.watched = watched;
    return changes;
  }

  private async read(path: string): Promise<Reading | null> {
    const page = await this.ask({ path });
    return page && (await readingOf(page));
  }
}
