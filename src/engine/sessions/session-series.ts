import { exchangeOfRow } from '../access/access-visit';
import type { SessionKind, SessionRecord, SessionRow } from '../session-record';
import { statedPlace } from '../signed-in/account-origin';
import { SignInStopped } from '../signed-in/sign-in-exchanges';
import { originOf } from '../transport/http';
import type { Exchange } from '../transport/exchange';
import { type Attempt, attemptsOf, dressedFields, type TrialContext, TrialFailed } from './session-trials';
import { decideSession, type SessionDecision } from './session-verdict';
import { askAll } from './session-visit';

export interface Tried {
  readonly decision: SessionDecision;
  readonly rows: readonly SessionRow[];
  readonly page?: string;
}

/** These sign in by themselves, so that nothing that they show depends on the session beside them. */
const SIGNS_IN: ReadonlySet<SessionKind> = new Set(['fixation', 'sign_out']);
/** Without further sign-ins. */
export const roundsOf = (kind: SessionKind): number => (SIGNS_IN.has(kind) ? 3 : 1);

/** The experiments of a kind in a proved session, or why there are none. */
export const attemptsIn = (kind: SessionKind, context: TrialContext): Promise<readonly Attempt[] | string> =>
  context.session.proved(async (session) => attemptsOf[kind](context, await dressedFields(context.session, session)));

/** One experiment, in a session that was proved before and after it. A text says why it does not apply. */
export async function tryOut(
  kind: SessionKind,
  { session }: TrialContext,
  { build }: Attempt,
  rounds = 1,
): Promise<readonly Tried[] | string> {
  const work = async (dressed: Parameters<Attempt['build']>[0]): Promise<readonly Tried[] | string> => {
    const trial = await build(dressed);
    if (typeof trial === 'string') return trial;
    const tried: Tried[] = [];
    while (tried.length < rounds) {
      const { round, rows } = await askAll(session, trial);
      tried.push({ decision: decideSession(round), rows, ...(trial.page !== undefined && { page: trial.page }) });
    }
    return tried;
  };
  try {
    return SIGNS_IN.has(kind)
      ? await work([])
      : await session.proved(async (one) => work(await dressedFields(session, one)));
  } catch (error) {
    if (!(error instanceof TrialFailed || error instanceof SignInStopped)) throw error;
    return [{ decision: { state: 'unclear', because: error.message }, rows: [] }];
  }
}

export const pathOf = ({ session }: TrialContext): string =>
  statedPlace(session.of, session.proof.url).path.split('?', 1)[0] ?? '/';

/** The rows as evidence keeps exchanges: without tokens and ids of sessions. */
export function exchangesOf({ session }: TrialContext, path: string, rows: readonly SessionRow[]): Exchange[] {
  const origin = originOf(statedPlace(session.of, session.proof.url));
  return rows.map((row) => {
    const exchange = exchangeOfRow(origin, `with ${row.sent}`, { ...row, path, values: [] });
    return { ...exchange, received: `${exchange.received}: ${row.observed}` };
  });
}

export const inWords = ({ carrier, variant }: Pick<SessionRecord, 'carrier' | 'variant'>): string =>
  `${variant}, in ${carrier},`;
