import type { Coverage } from '../scan-request';
import { proved } from '../signed-in/in-session';
import { locationOf } from '../target';
import type { SecretValues } from '../transport/secret-values';
import { Direction } from './access-direction';
import { AccessPages } from './access-pages';
import {
  type AccessAccount,
  type AccessScan,
  type AccessScanRequest,
  type AccessSighting,
  CHECK_OF,
  MOST_COMMON,
  MOST_OWN,
} from './access-scan-request';
import { type AccessVias, ask, type Send, valuesIn } from './access-visit';

const MOST_PUBLIC = 10;

/** The same series from the other account's side. */
const turned =
  (send: Send): Send =>
  (as, path, fresh) =>
    send(as === 'nobody' ? as : as === 'owner' ? 'other' : 'owner', path, fresh);

const inTurn = <T>(one: readonly T[], other: readonly T[]): T[] =>
  Array.from({ length: Math.max(one.length, other.length) }, (_none, at) => [one[at], other[at]])
    .flat()
    .filter((value) => value !== undefined);

/** Compares what two accounts and a visitor without a session are served. All requests only read, and answers count only in proved sessions. */
export async function scanAccess(request: AccessScanRequest): Promise<AccessScan> {
  const { target, transport, first, second, isAbove, series, isInScope = () => true } = request;
  const pages = new AccessPages(target);
  const secrets = new Set<SecretValues>();
  const known = (): readonly SecretValues[] => [...secrets];
  const directions = [new Direction(request, pages, first, second, 'owner', known)];
  if (!isAbove) directions.push(new Direction(request, pages, second, first, 'other', known));
  const allowed = (path: string): boolean => isInScope({ ...target, path: path.split('?', 1)[0] ?? path });
  /** In sessions that were opened for this work and proved before and after it. */
  const inSeries = (work: (send: Send) => Promise<void>): Promise<void> =>
    series((one, other) =>
      proved(one, (owner) =>
        proved(other, (another) => {
          const vias: AccessVias = { owner, other: another, nobody: { ...owner, session: undefined } };
          for (const { session } of [owner, another]) if (session !== undefined) secrets.add(session.secrets);
          return work(async (as, path, fresh) =>
            allowed(path) ? ask(target, transport, vias[as], path, fresh) : null,
          );
        }),
      ),
    );
  await inSeries((send) => {
    pages.forget();
    pages.know('owner', first.paths.filter(allowed));
    pages.know('other', second.paths.filter(allowed));
    pages.know('nobody', request.publicPaths.filter(allowed));
    return learn(pages, send, [first, second]);
  });
  for (const step of ['askFirst', 'confirm'] as const)
    await inSeries(async (send) => {
      for (const direction of directions) await direction[step](direction.owner === first ? send : turned(send));
    });
  const sightings = directions.flatMap((direction) => direction.sightings);
  return redactedBy([...secrets], { sightings, coverage: coverageOf(request, directions, sightings) });
}

/** What each visitor is shown at the addresses that the pages of both accounts name. */
async function learn(
  pages: AccessPages,
  send: Send,
  [first, second]: readonly [AccessAccount, AccessAccount],
): Promise<void> {
  for (const [at, path] of pages.commonPathsOf('owner', 'other').slice(0, MOST_COMMON).entries()) {
    const order = at % 2 === 0 ? (['owner', 'other'] as const) : (['other', 'owner'] as const);
    for (const visitor of order) {
      const answer = await send(visitor, path);
      // A page from a cache is not one of its pages.
      const foreign = valuesIn(answer, (visitor === 'owner' ? second : first).values);
      pages.keep(
        visitor,
        foreign.length === 0 ? answer : await send(visitor, path, true).then((one) => one && { ...one, path }),
      );
    }
    pages.keep('nobody', await send('nobody', path, true).then((one) => one && { ...one, path }));
  }
  for (const path of pages.ownPathsOf('nobody', 'owner').slice(0, MOST_PUBLIC))
    pages.keep('nobody', await send('nobody', path));
  const own = [pages.ownPathsOf('owner', 'other'), pages.ownPathsOf('other', 'owner')] as const;
  const visits = inTurn<readonly ['owner' | 'other', string]>(
    own[0].slice(0, MOST_OWN).map((path) => ['owner', path]),
    own[1].slice(0, MOST_OWN).map((path) => ['other', path]),
  );
  for (const [visitor, path] of visits) pages.keep(visitor, await send(visitor, path));
}

const redactedBy = (secrets: readonly SecretValues[], found: AccessScan): AccessScan =>
  secrets.reduce((all, one) => one.redactAll(all), found);

/** One row for each finding, and one row for everything else that was requested. */
function coverageOf(
  { target, checks, first, second, isAbove }: AccessScanRequest,
  directions: readonly Direction[],
  sightings: readonly AccessSighting[],
): Coverage[] {
  const tested = directions.reduce((sum, one) => sum + one.tested, 0);
  const location = locationOf({ ...target, path: '/', parameter: undefined });
  const pair = `${first.name} and ${second.name}`;
  const reason =
    tested === 0
      ? `neither what ${pair} have typed as theirs alone, nor an identifier of one of them, is in a page that the other does not have`
      : `${tested} requests of ${pair} were sent with the other account and without a session, and no others showed what belongs to the owner`;
  return checks.flatMap(({ id: check }): Coverage[] => {
    const found = sightings.filter((one) => one.check === check);
    const rows = found.map((one): Coverage => ({
      check,
      location: one.location,
      outcome: 'vulnerable',
      reason: one.detail,
      controlFailure: null,
      verdict: null,
    }));
    const isFor = check !== CHECK_OF.function || isAbove;
    return found.length > 0 || !isFor
      ? rows
      : [
          {
            check,
            location,
            outcome: tested === 0 ? 'not_applicable' : 'not_vulnerable',
            reason,
            controlFailure: null,
            verdict: null,
          },
        ];
  });
}
