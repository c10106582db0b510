import type { Page } from '../../page';
import type { Experiment, Oracle } from '../experiment';
import { pathOf } from '../insertion-point';
import type { Outcome } from '../outcome';
import { type Arrival, FURTHER_SYNTAXES, isAtLeast, newMark, PLAIN_SYNTAX, storedMarkup } from './stored-arrival';
import { StoredValues } from './stored-values';
import { isThorough } from './variants';

const NOTHING_WRITTEN = 'nothing is stored by this request';
const NOT_SHOWN = 'no page that visitors without a session read shows what was entered';
const NOT_STORED =
  'what was entered does not appear any more where the weakness was seen, so that nothing shows whether it is escaped';
const NOT_TWICE = 'one stored value became an element, and a second one did not';

const NOT_ESCAPED =
  'what was entered appears only where markup has no effect, as in a script or an attribute, so that nothing shows whether it is escaped';

interface Wanted {
  /** What shows the weakness in a job. */
  readonly shows: (arrival: Arrival) => boolean;
  /** A retest is not `fixed` while this arrives. */
  readonly atLeast: Arrival;
  readonly as: string;
}

/**
 * Each value is read first by a visitor without a session, past caches, and before the session that wrote it can read it. So a cache
 * has no page of the writer to give.
 */
async function observe(experiment: Experiment, { shows, atLeast, as }: Wanted): Promise<Outcome> {
  const { probe, point, variant } = experiment;
  if (point.request.submits === undefined || probe.readAsNobody === undefined)
    return { state: 'disturbed', reason: NOTHING_WRITTEN, hasNoSubject: true };
  const values = new StoredValues(experiment, (path) => probe.readAsNobody?.(path) as Promise<Page>);
  const isRetest = variant !== null;
  const isSeen = (arrival: Arrival): boolean => (isRetest ? isAtLeast(arrival, atLeast) : shows(arrival));
  const word = newMark();
  const plain = await values.store(word, word, 'appears as text');
  if (plain === null) return values.answers.sound('');
  const showing = [...(await values.arrivals(values.pages(plain.led), word)).keys()];
  const { appearsAt } = experiment.prior;
  if (showing.length === 0 || (isRetest && appearsAt !== undefined && !showing.includes(appearsAt)))
    return { state: 'disturbed', reason: isRetest ? NOT_STORED : NOT_SHOWN, hasNoSubject: true };
  const first = variant ?? PLAIN_SYNTAX;
  const further = isThorough(experiment) ? FURTHER_SYNTAXES.filter((one) => one !== first) : [];
  for (const syntax of [first, ...further]) {
    let path: string | null = null;
    for (let turn = 0; turn < 2; turn += 1) {
      const mark = newMark();
      const stored = await values.store(
        storedMarkup(mark, syntax),
        mark,
        `becomes ${as} for a visitor without a session`,
      );
      if (stored === null) return values.answers.sound('');
      const arrived = await values.arrivals(path === null ? showing : [path], mark);
      path = [...arrived].find(([, arrival]) => isSeen(arrival))?.[0] ?? null;
      if (path === null && turn > 0) return { state: 'disturbed', reason: NOT_TWICE };
      if (path === null && syntax === first) probe.markAsUnshown?.();
      const there = arrived.get(appearsAt ?? showing[0] ?? '') ?? 'nothing';
      if (path === null && isRetest && !isAtLeast(there, 'text'))
        return { state: 'disturbed', reason: there === 'nothing' ? NOT_STORED : NOT_ESCAPED };
      if (path === null) break;
    }
    if (path !== null) return proved(experiment, syntax, as, path);
  }
  return values.answers.sound(`what is stored does not become ${as} where visitors read it`);
}

const proved = ({ point }: Experiment, syntax: string, as: string, path: string): Outcome => ({
  state: 'proved',
  detail: `What is written to ${pathOf(point.request.path)} in ${point.name} becomes ${as} in ${path}, for a visitor without a session.`,
  certainty: `Two stored values with random names of nine letters became ${as} in ${path}, read without the session that wrote them. A page that has both names by chance is less likely than 1 to 2.6 × 10^23.`,
  variant: syntax,
  appearsAt: path,
});

const ELEMENT = 'an element';
const WITH_HANDLER = 'an element with an event handler';

const oracleFor = (wanted: Wanted): Oracle => ({
  // Nothing else is sent meanwhile that could bring a page of the writer into a cache.
  measuresTime: true,
  observe: (experiment) => observe(experiment, wanted),
});

/** Proves that a stored value becomes an element with an event handler for others. */
export const storedXss = oracleFor({
  shows: (arrival) => arrival === 'attribute',
  atLeast: 'attribute',
  as: WITH_HANDLER,
});

/** Proves that it becomes an element, whose event handler is removed. */
export const storedHtml = oracleFor({ shows: (arrival) => arrival === 'element', atLeast: 'element', as: ELEMENT });
