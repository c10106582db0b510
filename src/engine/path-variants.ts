import { type Baseline, decisiveKey } from './baseline';
import { type Check, inconclusive, isWebCheck, notVulnerable, type Observation, type WebCheck } from './check';
import type { Page } from './page';
import type { ProbeLog } from './probe-log';
import type { ProbeSession } from './probe-session';
import type { TargetProbe } from './probe';
import { isWeb, type WebTarget, type Target } from './target';
import { ExchangeFailed } from './transport/exchange';

const encoded = (character: string): string => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;

/**
 * Other spellings under which a server may return a path although a rule hides the usual spelling. The folder keeps its spelling.
 */
export function spellingsOf(path: string, folder: string): readonly string[] {
  const [base, name] = [folder.slice(0, -1), path.slice(folder.length)];
  const [first = ''] = name.split('/', 1);
  return [
    `${base}//${name}`,
    `${folder}${encoded(name)}${name.slice(1)}`,
    `${folder}${first.toUpperCase()}${name.slice(first.length)}`,
    `${path};x=1`,
    `${path}/`,
    `${folder}./${name}`,
  ];
}

/** At most three other names of a file, to which a fix may have moved it, or that people use for copies. */
export function otherNamesOf(path: string): readonly string[] {
  const at = path.lastIndexOf('/');
  const [folder, name] = [path.slice(0, at + 1), path.slice(at + 1)];
  if (name === '') return [];
  const names = name === '.env' ? ['.env.prod', '.env.keys', 'api/.env'] : [`old/${name}`, `${name}.bak`];
  return names.map((one) => `${folder}${one}`);
}

const isFound = (page: Page | null): boolean => page !== null && page.status >= 200 && page.status < 300;

/** The path of the GET request that showed the weakness; null for other requests. */
export const decisiveFile = (before: Baseline): string | null =>
  /^GET (\S+)$/.exec(decisiveKey(before) ?? '')?.[1] ?? null;

/** If a retest finds nothing at a path, tests whether the file is still there under another spelling, or for HEAD. */
export class PathVariants {
  constructor(
    private readonly check: WebCheck,
    private readonly place: WebTarget,
    private readonly path: string,
    private readonly log: ProbeLog,
  ) {}

  static of(check: Check, place: Target, before: Baseline, log: ProbeLog): PathVariants | null {
    const path = decisiveFile(before);
    if (path === null || !isWebCheck(check) || !isWeb(place)) return null;
    return path.startsWith(place.path) ? new PathVariants(check, place, path, log) : null;
  }

  /** Null if they prove nothing, because most of them are refused, blocked or unknown. */
  async observation(session: ProbeSession): Promise<Observation | null> {
    const started = session.now().toISOString();
    const probe = session.probe(this.place);
    const seen = (await this.respelled(probe)) ?? (await this.renamed(probe)) ?? (await this.withoutBody(probe));
    const observation = seen ?? notVulnerable('no other spelling and no usual other name of the path shows it');
    this.log.addRequests('variant', started, observation, probe);
    return seen;
  }

  private respelled(probe: TargetProbe): Promise<Observation | null> {
    return this.firstOf(probe, spellingsOf(this.path, this.place.path));
  }

  private renamed(probe: TargetProbe): Promise<Observation | null> {
    return this.firstOf(probe, otherNamesOf(this.path));
  }

  /** Only the content counts as proof, so a page that answers every path does not. */
  private async firstOf(probe: TargetProbe, paths: readonly string[]): Promise<Observation | null> {
    const { shows } = this.check;
    if (shows === undefined) return null;
    for (const path of paths) {
      const page = await this.ask(() => probe.requestPage({ path }));
      const found = page && shows(this.path, page);
      if (found !== null) return { state: 'vulnerable', detail: `${this.path} is reachable as ${path}: ${found}.` };
    }
    return null;
  }

  /** A rule that only covers GET leaves the file to other methods. */
  private async withoutBody(probe: TargetProbe): Promise<Observation | null> {
    const isMissing = this.log.probes.every(({ answer }) => answer === null || answer.startsWith('4'));
    if (!isMissing) return null;
    const request = { method: 'HEAD', path: this.path };
    if (!isFound(await this.ask(() => probe.requestPage(request)))) return null;
    if (isFound(await this.ask(() => probe.askBeside(request)))) return null;
    return inconclusive(`${this.path} is missing for GET, but HEAD finds it, and no missing path next to it`);
  }

  private async ask(request: () => Promise<Page>): Promise<Page | null> {
    try {
      return await request();
    } catch (error) {
      if (error instanceof ExchangeFailed) return null;
      throw error;
    }
  }
}
