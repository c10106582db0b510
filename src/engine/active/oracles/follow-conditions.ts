import type { Experiment } from '../experiment';
import { type Answered, Distinction, type Traits, traitsOf } from './answer-traits';
import { isHeads } from './conditions';

/** The number of pairs from which the rule is learned that decides about the others. */
const LEARNED_PAIRS = 3;
/** With this many answers, chance is below 1 in a billion. */
export const DECISIVE_ANSWERS = 30;
/** A busy server fails with these from time to time. */
const FAILURES = ['status 502', 'status 503', 'status 504'];
const MAX_FAILURES = 5;

/** The probability that this many answers match the random draws by chance. */
export const ODDS = `1 in 2^${DECISIVE_ANSWERS}, which is ${(2 ** DECISIVE_ANSWERS).toLocaleString('en')}`;

/** The rule that tells the answers apart, and how many further answers were failures of the server. */
interface Followed {
  readonly rule: Distinction;
  readonly leftOut: number;
}

/** `what` describes what was drawn at random. */
export const certaintyOf = (what: string, leftOut: number): string => {
  const certainty = `${DECISIVE_ANSWERS} of ${DECISIVE_ANSWERS} answers followed ${what} at random. If they did not depend on that, the chance of it was ${ODDS}.`;
  return leftOut === 0
    ? certainty
    : `${certainty} Failures of the server were left out, whatever they were asked: ${leftOut}.`;
};

/**
 * Sends a condition that only an interpreter of it can find true or false. Null if something other than the application answered.
 */
export type Ask = (isTrue: boolean) => Promise<Answered | null>;

type AskTraits = (isTrue: boolean) => Promise<Traits | null>;

/**
 * Records a doubt if stored traits of the proof still tell some conditions apart. Without the weakness, conditions are only text,
 * and all of them are answered alike.
 */
function askOneServer({ prior: { distinction }, doubt }: Experiment, ask: Ask): AskTraits {
  const kinds = new Set<boolean>();
  return async (isTrue) => {
    const answered = await ask(isTrue);
    const traits = answered && traitsOf(answered);
    if (traits !== null && distinction !== undefined) kinds.add(Distinction.isTrueBy(distinction, traits));
    if (kinds.size > 1) doubt('some conditions are answered as when the weakness was seen, and others are not');
    return traits;
  };
}

const isFailure = (traits: Traits | null): boolean =>
  traits === null || FAILURES.some((failure) => traits.has(failure));

interface Lesson {
  readonly rule: Distinction;
  /** The application itself seems to answer with failures, so these count. */
  readonly hasFailures: boolean;
}

/** Sends independent requests at the same time. If one fails, it still waits until all have ended. */
export async function answersOf<T>(asks: readonly (() => Promise<T>)[]): Promise<T[]> {
  const asked = asks.map((ask) => ask());
  await Promise.allSettled(asked);
  return Promise.all(asked);
}

class Learning {
  private readonly answers: Record<'true' | 'false', Traits[]> = { true: [], false: [] };
  private failures = 0;

  constructor(private readonly ask: AskTraits) {}

  async lesson(): Promise<Lesson | null> {
    let rule: Distinction | null = null;
    for (let pair = 0; pair < LEARNED_PAIRS; pair += 1) {
      const first = isHeads();
      const learned = await answersOf([first, !first].map((isTrue) => () => this.learn(isTrue)));
      if (learned.includes(false)) return null;
      rule = Distinction.between(this.answers.true, this.answers.false);
      if (rule === null) return null;
    }
    const all = [...this.answers.true, ...this.answers.false];
    return rule && { rule, hasFailures: all.some(isFailure) };
  }

  /** Returns false if there was no answer to learn from. */
  private async learn(isTrue: boolean): Promise<boolean> {
    const traits = await this.ask(isTrue);
    if (isFailure(traits) && ++this.failures <= MAX_FAILURES) return this.learn(isTrue);
    if (traits === null) return false;
    this.answers[isTrue ? 'true' : 'false'].push(traits);
    return true;
  }
}

/**
 * Returns what tells the answers to true conditions from those to false ones, if all answers follow it; the first that does not
 * ends the test. The rule is fixed before the answers that count, so each of them matches by chance with probability 1/2.
 */
export async function followConditions(
  experiment: Experiment,
  anyServer: Ask,
  passesControl: (rule: Distinction) => Promise<boolean> = () => Promise.resolve(true),
): Promise<Followed | null> {
  const ask = askOneServer(experiment, anyServer);
  const lesson = await new Learning(ask).lesson();
  if (lesson === null || !(await passesControl(lesson.rule))) return null;
  const { rule, hasFailures } = lesson;
  let failures = 0;
  for (let decided = 0; decided < DECISIVE_ANSWERS;) {
    const isTrue = isHeads();
    const traits = await ask(isTrue);
    // Failures are left out whether they would match or not, so that this does not change the probability.
    if ((traits === null || !hasFailures) && isFailure(traits) && ++failures <= MAX_FAILURES) continue;
    if (traits === null || rule.isTrue(traits) !== isTrue) return null;
    decided += 1;
  }
  return { rule, leftOut: Math.min(failures, MAX_FAILURES) };
}
