import type { AccessRecord, AccessRow, Baseline, ExperimentRecord, SessionRecord, Target } from '../../../engine';
import { formatUrlHost } from '../../../kernel/web-url';
import { curlCommand } from './curl-command';

/** The experiment that showed a weakness, as readers see it. */
export interface ShownExperiment extends Pick<ExperimentRecord, 'variant' | 'certainty' | 'rows'> {
  readonly kind: string;
  readonly name: string;
  /** A line for a shell that repeats the decisive request; null if it cannot be sent again as it was. */
  readonly curl: string | null;
  /** Both requests, if an account was served what belongs to another. */
  readonly access?: ShownAccess;
}

export interface ShownAccess extends Pick<AccessRecord, 'kind'> {
  readonly owner: string;
  /** Null without a session. */
  readonly seenAs: string | null;
  readonly own: AccessRow;
  readonly got: AccessRow;
}

const CERTAINTY = {
  object:
    'Values that only the owner may know came twice, in sessions that were opened for it, and not for an id that does not exist',
  function: 'Values that only the higher account is shown came twice, in sessions that were opened for it',
  cache: 'Values of one account came twice to another visitor, and not with a query that no cache knows',
} as const;

/** The requests of the two accounts, and what of the answers decides. */
function shownAccess(access: AccessRecord, origin: string): ShownExperiment | null {
  const { kind, owner, other, seenAs, objects, rows } = access;
  const own = rows.find((row) => row.as === 'owner');
  const got = rows.find((row) => row.as === seenAs);
  const [object] = objects;
  if (own === undefined || got === undefined || object === undefined) return null;
  const names = { owner: owner.name, other: other.name, nobody: 'without a session' };
  const point = { kind: 'query', name: '' } as const;
  return {
    kind,
    name: object.path,
    variant: seenAs,
    certainty: CERTAINTY[kind],
    rows: rows.map(({ as, path, expects, values, status, bytes }, at) => ({
      step: at + 1,
      sent: `${names[as]}: GET ${path}`,
      expects,
      observed:
        values.length === 0
          ? `${bytes} bytes, none of the values`
          : values.map((one) => JSON.stringify(one)).join(', '),
      status,
      ms: 0,
    })),
    curl: curlCommand(origin, { path: object.path }, point, seenAs === 'other'),
    access: { kind, owner: owner.name, seenAs: seenAs === 'other' ? other.name : null, own, got },
  };
}

/** The line repeats it with the forged token or the old id in `SESSION`, which no record has. */
const shownSession = ({ carrier, variant, path, rows }: SessionRecord, origin: string): ShownExperiment => ({
  kind: 'session',
  name: carrier,
  variant,
  certainty:
    'It opened what only a signed-in user sees in two experiments, between requests of the genuine session, and what was made up did not',
  rows: rows.map((row, at) => ({ ...row, step: at + 1, sent: `GET ${path} with ${row.sent}`, ms: 0 })),
  curl: curlCommand(origin, { path }, { kind: 'query', name: '' }, true),
});

const originOfTarget = ({ scheme, host, port }: Target): string =>
  new URL(`${scheme}://${formatUrlHost(host)}:${port}/`).origin;

/** Null where none showed it. */
export function shownExperiment(baseline: Baseline | null, target: Target | undefined): ShownExperiment | null {
  if (baseline?.on === 'access')
    return target === undefined ? null : shownAccess(baseline.access, originOfTarget(target));
  if (baseline?.on === 'session')
    return target === undefined ? null : shownSession(baseline.session, originOfTarget(target));
  if (baseline?.on !== 'web' || baseline.experiment === undefined || target === undefined) return null;
  const { experiment, account } = baseline;
  const { point, variant, certainty, rows, decisive } = experiment;
  const curl = decisive === null ? null : curlCommand(originOfTarget(target), decisive, point, account !== undefined);
  return { kind: point.kind, name: point.name, variant, certainty, rows, curl };
}
