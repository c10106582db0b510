import type { Experiment } from '../experiment';
import { Distinction, type Traits, traitsOf } from './answer-traits';
import { type Condition, condition, isHeads } from './conditions';

/** Before the rule is fixed by which the others are judged. */
const LEARNED_PAIRS = 3;
/** With this many, chance is below 1 in a billion. */
export const DECISIVE_ANSWERS = 30;
/** With these a busy server fails now and then. */
const FAILURES = ['status 502', 'status 503', 'status 504'];
const MAX_FAILURES = 5;

export const CERTAINTY = `${DECISIVE_ANSWERS} of ${DECISIVE_ANSWERS} answers followed conditions that were true or false at random. If they did not depend on them, the chance of that was 1 in 2^${DECISIVE_ANSWERS} = ${(2 ** DECISIVE_ANSWERS).toLocaleString('en')}.`;

export type ValueFor = (condition: Condition) => string;

const expectationOf = ({ isTrue, product, stated }: Condition): string =>
  isTrue ? `${product} is ${stated}: as with the value itself` : `${product} is not ${stated}: not so`;

async function ask(experiment: Experiment, valueFor: ValueFor, isTrue: boolean): Promise<Traits> {
  const drawn = condition(isTrue);
  const value = valueFor(drawn);
  return traitsOf({ value, answer: await experiment.send(value, { expects: expectationOf(drawn) }) });
}

const isFailure = (traits: Traits): boolean => FAILURES.some((failure) => traits.has(failure));

interface Lesson {
  readonly rule: Distinction;
  /** The application itself answers so, as far as is known: such answers count. */
  readonly hasFailures: boolean;
}

class Learning {
  private readonly answers: Record<'true' | 'false', Traits[]> = { true: [], false: [] };
  private failures = 0;

  constructor(
    private readonly experiment: Experiment,
    private readonly valueFor: ValueFor,
  ) {}

  async lesson(): Promise<Lesson | null> {
    let rule: Distinction | null = null;
    for (let pair = 0; pair < LEARNED_PAIRS; pair += 1) {
      const first = isHeads();
      await this.learn(first);
      await this.learn(!first);
      rule = Distinction.between(this.answers.true, this.answers.false);
      if (rule === null) return null;
    }
    const all = [...this.answers.true, ...this.answers.false];
    return rule && { rule, hasFailures: all.some(isFailure) };
  }

  private async learn(isTrue: boolean): Promise<void> {
    const traits = await ask(this.experiment, this.valueFor, isTrue);
    if (isFailure(traits) && ++this.failures <= MAX_FAILURES) return this.learn(isTrue);
    this.answers[isTrue ? 'true' : 'false'].push(traits);
  }
}

/**
 * What tells the answers to true conditions from those to false ones, if they follow all of them; the first that does not ends
 * it. The rule is fixed before the answers that count, so that each of them is right by chance with probability 1/2.
 */
export async function followConditions(experiment: Experiment, valueFor: ValueFor): Promise<Distinction | null> {
  const lesson = await new Learning(experiment, valueFor).lesson();
  if (lesson === null) return null;
  const { rule, hasFailures } = lesson;
  let failures = 0;
  for (let decided = 0; decided < DECISIVE_ANSWERS;) {
    const isTrue = isHeads();
    const traits = await ask(experiment, valueFor, isTrue);
    // Left out whether it would be right or not, so that it changes no probability.
    if (!hasFailures && isFailure(traits) && ++failures <= MAX_FAILURES) continue;
    if (rule.isTrue(traits) !== isTrue) return null;
    decided += 1;
  }
  return rule;
}
