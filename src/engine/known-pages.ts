import type { AlivePage, Decisive } from './baseline';
import { isAnsweredAs } from './answered-alike';
import { missingBase } from './confirm-absence';
import { hasCaptcha } from './firewall-pages';
import { missingSiblingOf } from './page';
import { missingPath, type Page } from './page';
import { folderOf, type ProbeSession } from './probe-session';
import { blockReason, looksLikeLogin, truncationReason } from './response-trust';
import { similarity } from './response-similarity';
import { linkedPages } from './site-links';
import { type Snapshot, snapshot } from './snapshot';
import type { Target } from './target';
import { ExchangeFailed } from './transport/exchange';

const MOST_KNOWN = 3;
const MOST_REQUESTED = 5;
/** A page with fewer words may resemble another one by chance. */
const FEWEST_WORDS = 12;
/** Two pages with a larger share of common words may be the same page. */
const SAME_WORDS = 0.6;

export const haveSameWords = (one: Snapshot, other: Snapshot): boolean =>
  similarity(one.words, other.words) >= SAME_WORDS;

/** The path of a decisive request if it is a plain GET; null for any other request. */
export const decisivePathOf = (decisive: Decisive): string | null =>
  decisive.kind === 'http' && decisive.request === undefined
    ? (/^GET (\/[^\s?]*)$/.exec(decisive.key)?.[1] ?? null)
    : null;

/** The folder of a weakness may be closed by its fix. Of a tested folder, only pages in it belong to the same service. */
function isBeside(path: string, decisive: string | null, tested: string): boolean {
  if (!path.startsWith(tested)) return false;
  if (decisive === null) return true;
  const folder = folderOf(decisive);
  return path !== decisive && (folder === tested || !path.startsWith(folder));
}

/** Missing paths near this one. An ingress may route a path, or everything that begins with it, to another service. */
export function missingNear(path: string): readonly string[] {
  const within = `${path.replace(/\/$/, '')}${missingPath()}`;
  if (path.endsWith('/')) return [within];
  return path.slice(folderOf(path).length).includes('.') ? [missingSiblingOf(path)] : [missingSiblingOf(path), within];
}

/** Whether the content of a page identifies it among the pages of the site. */
const isDistinct = ({ status, media, login, words }: Snapshot, others: readonly Snapshot[]): boolean =>
  status === 200 &&
  media === 'text/html' &&
  !login &&
  words.length >= FEWEST_WORDS &&
  !others.some((other) => similarity(other.words, words) >= SAME_WORDS);

class KnownPages {
  constructor(
    private readonly place: Target,
    private readonly decisive: string | null,
    /** The tested folder. */
    private readonly tested: string,
    private readonly session: ProbeSession,
    private readonly missing: Page,
  ) {}

  async learn(): Promise<readonly AlivePage[]> {
    if (this.decisive !== null && !(await this.areMissing(missingNear(this.decisive).slice(0, 1)))) return [];
    const known: AlivePage[] = [];
    const front = await this.page('/');
    const others = await Promise.all([this.missing, ...(front === null ? [] : [front])].map((page) => snapshot(page)));
    for (const path of await this.candidates()) {
      const page = await this.page(path);
      const now = page && (await snapshot(page));
      if (page === null || now === null || !isDistinct(now, others)) continue;
      if (blockReason(page) !== null || hasCaptcha(page) || truncationReason(page) !== null) continue;
      if (!(await this.areMissing(missingNear(path)))) continue;
      known.push({ path, page: now });
      others.push(now);
      if (known.length === MOST_KNOWN) break;
    }
    return known;
  }

  private async candidates(): Promise<string[]> {
    const { place } = this;
    const pages = await Promise.all([...new Set([place.path, '/'])].map((path) => this.page(path)));
    const linked = [...new Set(pages.flatMap((page) => (page === null ? [] : linkedPages(page))))];
    const { isInScope = () => true } = this.session.via;
    const further = linked.filter(
      (path) =>
        path !== '/' &&
        path !== place.path &&
        isBeside(path, this.decisive, this.tested) &&
        isInScope({ ...place, path }) &&
        !looksLikeLogin(new URL(`http://host${path}`)),
    );
    return further.slice(0, MOST_REQUESTED);
  }

  /** Whether these paths get the same response as any missing path, which means that the same service answers them. */
  private async areMissing(paths: readonly string[]): Promise<boolean> {
    for (const path of paths) {
      const page = await this.page(path);
      if (page === null || !(await isAnsweredAs(page, this.missing))) return false;
    }
    return true;
  }

  private async page(path: string): Promise<Page | null> {
    try {
      return (await this.session.page({ ...this.place, path }, 'page')).page;
    } catch (error) {
      if (!(error instanceof ExchangeFailed)) throw error;
      return null;
    }
  }
}

/**
 * Learns further pages that the site links to. A page counts only if a missing path next to it, and one next to the path of the
 * weakness, get the same response as any missing path. Behind an ingress, another service may answer, which proves nothing about
 * this one.
 */
export const learnKnownPages = (
  place: Target,
  decisive: Decisive,
  session: ProbeSession,
  missing: Page,
): Promise<readonly AlivePage[]> => {
  const { path: tested } = missingBase(place, decisive);
  return new KnownPages(place, decisivePathOf(decisive), tested, session, missing).learn();
};
