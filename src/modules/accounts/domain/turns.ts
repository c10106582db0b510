/** The work that uses an account or waits for it, in the order of their turns: the first has the account. */
export interface Turn {
  /** The kind and the id of the work. */
  readonly holder: string;
  /** For people, in a sentence: "a scan", "a retest". */
  readonly what: string;
  readonly priority: number;
  /** In milliseconds. */
  readonly since: number;
  /** When its worker last reported that it is there. */
  readonly seen: number;
}

/** Work that has not been seen for this long counts as gone. */
const GONE_MS = 20_000;

/** Retests and jobs of pipelines come before jobs that a schedule or an event started. */
export const TURN_PRIORITY = { retest: 2, pipeline: 1, job: 0 } as const;

const isThere = ({ seen }: Turn, now: number): boolean => now - seen < GONE_MS;

/** The first one stays first until it ends its turn or is gone. The others follow by priority, then by arrival. */
export function withTurn(
  turns: readonly Turn[],
  asked: Pick<Turn, 'holder' | 'what' | 'priority'>,
  now: number,
): Turn[] {
  const others = turns.filter((one) => one.holder !== asked.holder && isThere(one, now));
  const own = turns.find(({ holder }) => holder === asked.holder);
  const isThereNow = own !== undefined && isThere(own, now);
  const mine = { ...asked, since: isThereNow ? own.since : now, seen: now };
  const first = turns.find((one) => isThere(one, now));
  const holder = first?.holder === asked.holder ? mine : first;
  const waiting = [...others, mine].filter((one) => one.holder !== holder?.holder);
  const inOrder = waiting.toSorted((one, other) => other.priority - one.priority || one.since - other.since);
  return holder === undefined ? inOrder : [holder, ...inOrder];
}

export const withoutTurn = (turns: readonly Turn[], holder: string, now: number): Turn[] =>
  turns.filter((one) => one.holder !== holder && isThere(one, now));
