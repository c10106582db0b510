import { type Observation, vulnerable, type WebSubject } from '../check';
import { randomWord } from '../twins';
import { observationOf } from './active-check';
import { Experiment, type Oracle } from './experiment';
import { pointAt, requestWith } from './insertion-point';
import type { InsertionPoint } from '../experiment-record';

/** Per finding. Further points come from the same page template. */
const MOST_POINTS = 3;
const MOST_TURNS = 3;

/** The parameters of a request that the page reflects, tested with harmless words. */
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
  // A page that refuses every word is judged without an experiment.
  if (answer.status >= 400) return [];
  return points.filter(({ value }) => answer.text.includes(value)).map((point) => ({ ...point, request: harmless }));
}

interface HalfFixes {
  readonly oracle: Oracle;
  /** The syntax that the plain check uses. */
  readonly variant: string;
  readonly namesIn: (path: string) => readonly string[];
  /** Repeats the request as the plain check does; null if that does not show the weakness. */
  readonly again: (path: string) => Promise<string | null>;
}

/**
 * Runs the whole experiment if a plain check sees no weakness where a finding shows one, because an incomplete fix may only stop
 * one syntax.
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
    // The next verification starts with the same parameters.
    probe.markAsDecisive(seen);
    return shownThere;
  }
  if (result?.state !== 'inconclusive') return result ?? observed;
  // If one of several servers that take turns is not fixed, every experiment breaks in the same way.
  for (let turn = 0; turn < MOST_TURNS; turn += 1)
    if ((await again(seen)) !== null) return vulnerable('the request of the finding shows it again');
  return result;
}
