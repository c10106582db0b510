import { type Observation, vulnerable, type WebSubject } from '../check';
import { randomWord } from '../twins';
import { observationOf } from './active-check';
import { Experiment, type Oracle } from './experiment';
import { pointAt, requestWith } from './insertion-point';
import type { InsertionPoint } from '../experiment-record';

/** Of one finding. More of them come from one template of pages. */
const MOST_POINTS = 3;
const MOST_TURNS = 3;

/** The parameters of a request that come back when they have a harmless word. */
async function reflectedPoints(
  path: string,
  names: readonly string[],
  { target, probe }: WebSubject,
): Promise<InsertionPoint[]> {
  const pointOf = (name: string): InsertionPoint => {
    const place = { ...target, path: path.split('?', 1)[0] ?? '/', parameter: name };
    return { ...pointAt(place, [path]), value: randomWord() };
  };
  const points = names.map(pointOf);
  const harmless = points.reduce((request, point) => requestWith({ ...point, request }, point.value), { path });
  const answer = await probe.requestPage(harmless);
  // What refuses every word is judged without an experiment.
  if (answer.status >= 400) return [];
  return points.filter(({ value }) => answer.text.includes(value)).map((point) => ({ ...point, request: harmless }));
}

interface HalfFixes {
  readonly oracle: Oracle;
  /** The syntax of the plain check. */
  readonly variant: string;
  readonly namesIn: (path: string) => readonly string[];
  /** Asks as the plain check does; null if that shows nothing. */
  readonly again: (path: string) => Promise<string | null>;
}

/**
 * A plain check has seen no weakness where a finding shows one. Runs the whole experiment there before that counts, because
 * half a fix stops one syntax.
 */
export async function withHalfFixes(
  observed: Observation,
  subject: WebSubject,
  { oracle, variant, namesIn, again }: HalfFixes,
): Promise<Observation> {
  const { seen, shown, page, probe, isRepeat } = subject;
  if (observed.state !== 'not_vulnerable' || seen === null || isRepeat) return observed;
  const points: InsertionPoint[] = [];
  for (const path of new Set([seen, ...shown]))
    if (points.length < MOST_POINTS && namesIn(path).length > 0)
      points.push(...(await reflectedPoints(path, namesIn(path), subject)));
  let result: Observation | null = null;
  for (const point of points.slice(0, MOST_POINTS)) {
    const outcome = await new Experiment(point, probe, variant).run(oracle);
    const shownThere = await observationOf(outcome, point, page);
    if (result === null || result.state === 'not_vulnerable') result = shownThere;
    if (shownThere.state !== 'vulnerable') continue;
    // The next verification begins with the same parameters.
    probe.markAsDecisive(seen);
    return shownThere;
  }
  if (result?.state !== 'inconclusive') return result ?? observed;
  // Servers that take turns, of which one is not fixed, break every experiment in the same way.
  for (let turn = 0; turn < MOST_TURNS; turn += 1)
    if ((await again(seen)) !== null) return vulnerable('the request of the finding shows it again');
  return result;
}
