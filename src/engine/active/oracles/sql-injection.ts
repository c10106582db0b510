import { type Experiment, type Oracle, type Outcome, randomWord } from '../experiment';
import { type Answered, Distinction, isAs, traitsOf } from './answer-traits';
import { condition } from './conditions';
import { type DelaySyntax, firstDelay } from './delays';
import { certaintyOf, followConditions } from './follow-conditions';
import { SQL_DELAYS } from './sql-delays';
import { ENGINE_TERMS, isSpecial, SQL_SYNTAXES, type SqlSyntax, valueWith } from './sql-syntaxes';

/** No statement is complete with this in it, wherever the value is. */
const BROKEN = `'")`;

const MOST_ORIGINALS = 5;

const SOUND = 'no condition and no delay in the value changes the answer';

class SqlInjectionTest {
  private readonly value: string;
  /** Syntaxes with which the page was as with the value itself, or that were not tried. */
  private readonly maybeFitting = new Set(SQL_SYNTAXES.map(({ id }) => id));
  private readonly originals: Answered[] = [];

  constructor(private readonly experiment: Experiment) {
    this.value = experiment.point.value;
  }

  async outcome(): Promise<Outcome> {
    const { experiment } = this;
    return (
      (await this.storedVariant()) ??
      (experiment.isRepeat && experiment.variant !== null ? null : await this.everything()) ??
      experiment.sound(SOUND)
    );
  }

  /** What showed the weakness before. */
  private async storedVariant(): Promise<Outcome | null> {
    const id = this.experiment.variant;
    const syntax = SQL_SYNTAXES.find((one) => one.id === id);
    if (syntax !== undefined) return this.follow(syntax);
    return this.delays(SQL_DELAYS.filter((one) => one.id === id));
  }

  private async everything(): Promise<Outcome | null> {
    await this.learnOriginal(2);
    const broken = await this.answerTo(`${this.value}${BROKEN}`, 'another page if the value matters');
    // A statement that fails would be answered in the same way.
    const matters = !isAs(broken, this.originals);
    return (matters ? await this.conditions(broken) : null) ?? this.delays(SQL_DELAYS);
  }

  private async learnOriginal(times: number): Promise<void> {
    const { experiment, value } = this;
    while (this.originals.length < times) this.originals.push({ value, answer: await experiment.original() });
  }

  private answerTo = async (value: string, expects: string): Promise<Answered> => ({
    value,
    answer: await this.experiment.send(value, { expects }),
  });

  private async conditions(broken: Answered): Promise<Outcome | null> {
    const { experiment, value } = this;
    const isTried = ({ unless = [], fits }: SqlSyntax): boolean =>
      fits(value) && !unless.some((id) => this.maybeFitting.has(id));
    for (const syntax of SQL_SYNTAXES.filter((one) => !isSpecial(one))) {
      const outcome = isTried(syntax) ? await this.trySyntax(syntax) : null;
      if (outcome !== null) return outcome;
    }
    // The rest only where signs are answered in another way than words are.
    if (isAs(await experiment.word(), [broken])) return null;
    for (const syntax of SQL_SYNTAXES.filter(isSpecial)) {
      const outcome = await this.trySyntax(syntax);
      if (outcome !== null) return outcome;
    }
    return null;
  }

  private send(syntax: SqlSyntax, isTrue: boolean, term?: string): Promise<Answered> {
    const drawn = condition(isTrue);
    const { product, stated } = drawn;
    return this.answerTo(
      valueWith(syntax, this.value, drawn, term),
      isTrue ? `${product} is ${stated}: as with the value itself` : `${product} is not ${stated}: not so`,
    );
  }

  /** A true condition has to leave the page as it is, and a false one has to change it. */
  private async trySyntax(syntax: SqlSyntax): Promise<Outcome | null> {
    const { id, isEqual } = syntax;
    if (!(await this.isPlaceFor(syntax))) return null;
    const whenTrue = await this.send(syntax, true);
    const isFitting = await this.isAsOriginal(whenTrue);
    if (!isFitting && !(await this.isInList(syntax))) this.maybeFitting.delete(id);
    if (isEqual && !isFitting) return null;
    const whenFalse = await this.send(syntax, false);
    return isAs(whenTrue, [whenFalse]) ? null : this.follow(syntax);
  }

  /** A page may repeat the numbers of a condition, and chance may have shown the same twice on one that changes. */
  private async isAsOriginal(answered: Answered): Promise<boolean> {
    while (!isAs(answered, this.originals, true)) {
      if (this.originals.length >= MOST_ORIGINALS) return false;
      await this.learnOriginal(this.originals.length + 1);
    }
    return true;
  }

  private async isPlaceFor(syntax: SqlSyntax): Promise<boolean> {
    const { first } = syntax;
    if (first === undefined) return true;
    const value = valueWith(syntax, this.value, condition(true), '', first);
    return this.isAsOriginal(await this.answerTo(value, 'as with the value itself if a condition may stand here'));
  }

  private async isInList({ twice }: SqlSyntax): Promise<boolean> {
    if (twice === undefined) return false;
    const answer = await this.answerTo(twice(this.value), 'as with the value itself if it is in a list');
    return this.isAsOriginal(answer);
  }

  private async follow(syntax: SqlSyntax): Promise<Outcome | null> {
    const { experiment } = this;
    const rule = await followConditions((isTrue) => this.send(syntax, isTrue));
    if (rule === null || (await this.isUnderstood(syntax, rule, `+0*${randomWord()}()`))) return null;
    const engine = experiment.isRepeat ? null : await this.engine(syntax, rule);
    // The last request is the one that people repeat.
    await this.send(syntax, true);
    return {
      state: 'proved',
      detail: `${engine ?? 'The database'} evaluates conditions in the value, which is ${syntax.place} of an SQL statement.`,
      certainty: certaintyOf('conditions that were true or false'),
      variant: syntax.id,
    };
  }

  /**
   * Whether a true condition stays true with this term, and a false one false. With a function that nobody knows it does not in
   * a database; it does on a page that calculates by itself.
   */
  private async isUnderstood(syntax: SqlSyntax, rule: Distinction, term: string): Promise<boolean> {
    return (
      rule.isTrue(traitsOf(await this.send(syntax, true, term))) &&
      !rule.isTrue(traitsOf(await this.send(syntax, false, term)))
    );
  }

  private async engine(syntax: SqlSyntax, rule: Distinction): Promise<string | null> {
    for (const [engine, term] of Object.entries(ENGINE_TERMS))
      if (await this.isUnderstood(syntax, rule, term)) return engine;
    return null;
  }

  private delays(tried: readonly DelaySyntax[]): Promise<Outcome | null> {
    const detailOf = ({ by }: DelaySyntax): string =>
      `${by} waits as long as the value says, which is part of an SQL statement.`;
    return firstDelay(this.experiment, 1, tried, detailOf);
  }
}

export const sqlInjectionOracle: Oracle = {
  measuresTime: true,
  observe: (experiment) => new SqlInjectionTest(experiment).outcome(),
};
