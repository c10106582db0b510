import { type Experiment, type Oracle } from '../experiment';
import type { Outcome } from '../outcome';
import { type Answered, Distinction, isAs, type Traits, traitsOf } from './answer-traits';
import { condition } from './conditions';
import { type DelaySyntax, firstDelay } from './delays';
import { answersOf, certaintyOf, followConditions } from './follow-conditions';
import { SQL_DELAYS } from './sql-delays';
import {
  ALL_SQL_SYNTAXES,
  ENGINE_TERMS,
  isSpecial,
  SQL_GAP,
  SQL_SYNTAXES,
  type SqlSyntax,
  valueWith,
} from './sql-syntaxes';
import { isThorough, withTried } from './variants';
import { randomWord } from '../../twins';

/** Breaks a statement wherever the value is in it. */
const BROKEN = `'")`;
/** The same with numbers. A page that repeats it shows as many numbers as one that repeats a condition. */
const BROKEN_WITH_NUMBERS = `${BROKEN}-9223372036854775808*100000`;

/** The maximum number of responses that are kept of one value. */
const MOST_ALIKE = 5;
/** This many equal responses show that the page does not change by itself. */
const STEADY = 3;

const SOUND = 'no condition and no delay in the value changes the answer';

/** The responses to one value. A page that changes may show the same twice by chance, so the value is sent more often then. */
class KnownAnswers {
  readonly all: Answered[] = [];

  constructor(private readonly ask: () => Promise<Answered>) {}

  async learn(times: number): Promise<void> {
    const missing = Array.from({ length: Math.max(0, times - this.all.length) }, () => this.ask);
    this.all.push(...(await answersOf(missing)));
  }

  private get isSteady(): boolean {
    const [first, ...others] = this.all;
    return first !== undefined && others.every((one) => isAs(one, [first]));
  }

  /** `ignoresNumbers`: a page may repeat the numbers of a condition. */
  async include(answered: Answered, ignoresNumbers = false): Promise<boolean> {
    while (!isAs(answered, this.all, ignoresNumbers)) {
      if (this.all.length >= (this.isSteady ? STEADY : MOST_ALIKE)) return false;
      await this.learn(this.all.length + 1);
    }
    return true;
  }
}

class SqlInjectionTest {
  private readonly value: string;
  private readonly originals: KnownAnswers;
  /** The responses to a value that breaks its statement. */
  private readonly broken: KnownAnswers;
  private readonly brokenWithNumbers: KnownAnswers;
  private readonly tried = new Set<string>();

  constructor(private readonly experiment: Experiment) {
    const { value } = experiment.point;
    this.value = value;
    this.originals = new KnownAnswers(async () => ({ value, answer: await experiment.original() }));
    const breaking = (text: string): KnownAnswers =>
      new KnownAnswers(() => this.answerTo(`${value}${text}`, 'another page if the value matters'));
    this.broken = breaking(BROKEN);
    this.brokenWithNumbers = breaking(BROKEN_WITH_NUMBERS);
  }

  async outcome(): Promise<Outcome> {
    const { experiment } = this;
    const isAlone = experiment.isRepeat && experiment.variant !== null;
    const { markAsUnshown } = experiment.probe;
    const showStored = async (): Promise<Outcome | null> => {
      const outcome = await this.storedVariant();
      if (outcome === null) markAsUnshown?.();
      return outcome;
    };
    const asks: (() => Promise<Outcome | null | void>)[] = [showStored];
    // While other probes wait for that, the rest of the comparison is learned.
    if (!isAlone && markAsUnshown !== undefined) asks.push(() => this.learn());
    const [stored] = await answersOf(asks);
    if (stored != null) return stored;
    return (isAlone ? null : await this.everything()) ?? experiment.sound(withTried(SOUND, [...this.tried]));
  }

  /** Tries the syntax that showed the weakness before. */
  private async storedVariant(): Promise<Outcome | null> {
    const id = this.experiment.variant;
    const syntax = ALL_SQL_SYNTAXES.find((one) => one.id === id);
    if (syntax !== undefined) {
      const outcome = await this.follow(syntax);
      if (outcome === null) await this.compareOriginal(syntax);
      return outcome;
    }
    return this.delays(SQL_DELAYS.filter((one) => one.id === id));
  }

  /** The row of the value may have been deleted, so that conditions no longer change the page. */
  private async compareOriginal(syntax: SqlSyntax): Promise<void> {
    const { distinction } = this.experiment.prior;
    if (distinction === undefined) return;
    const isTrue = Distinction.isTrueBy(distinction, await this.originalTraits(syntax));
    if (isTrue !== distinction.isOriginalTrue)
      this.experiment.doubt('the value itself is no longer answered as conditions were when the weakness was seen');
  }

  /** Without the words of a condition, because the traits of its responses lack these as well. */
  private async originalTraits(syntax: SqlSyntax): Promise<Traits> {
    const answer = await this.experiment.firstOriginal();
    return traitsOf({ value: this.value, answer }, [
      { value: valueWith(syntax, this.experiment.point, condition(true)), answer },
    ]);
  }

  /** Learns the responses to the value itself, to a word and to a broken statement. */
  private async learn(): Promise<void> {
    const { experiment, value, originals, broken } = this;
    if (broken.all.length > 0) return;
    originals.all.push({ value, answer: await experiment.firstOriginal() });
    const isRetest = experiment.variant !== null;
    await answersOf<unknown>([
      () => originals.learn(isRetest ? MOST_ALIKE : 2),
      () => broken.learn(1),
      ...(isRetest ? [() => experiment.word()] : []),
    ]);
  }

  private async everything(): Promise<Outcome | null> {
    await this.learn();
    // A failing statement would get the same response.
    const matters = this.broken.all.some((one) => !isAs(one, this.originals.all));
    return (matters ? await this.conditions() : null) ?? this.delays(SQL_DELAYS);
  }

  private answerTo = async (value: string, expects: string): Promise<Answered> => ({
    value,
    answer: await this.experiment.send(value, { expects }),
  });

  private async conditions(): Promise<Outcome | null> {
    const all = isThorough(this.experiment) ? ALL_SQL_SYNTAXES : SQL_SYNTAXES;
    const isSegment = this.experiment.point.kind === 'segment';
    const fitting = all.filter(
      ({ fits, short }) => fits(this.value) && !(isSegment && short?.('1', '1').includes('/') === true),
    );
    const outcome = await this.firstOf(fitting.filter((one) => !isSpecial(one)));
    // Tries the rest only if special characters get another response than words.
    return (
      outcome ??
      (isAs(await this.experiment.word(), this.broken.all, true) ? null : this.firstOf(fitting.filter(isSpecial)))
    );
  }

  private async firstOf(syntaxes: readonly SqlSyntax[]): Promise<Outcome | null> {
    // A job ends at the first syntax that shows the weakness. In a verification most do not, and they are independent: the pace
    // of the host decides how many run at the same time.
    const atOnce = this.experiment.variant === null ? 1 : syntaxes.length;
    for (let at = 0; at < syntaxes.length; at += atOnce) {
      const some = syntaxes.slice(at, at + atOnce);
      const sent = await answersOf(some.map((syntax) => async () => [syntax, await this.send(syntax, true)] as const));
      for (const [syntax, whenTrue] of sent) {
        const outcome = await this.trySyntax(syntax, whenTrue);
        if (outcome !== null) return outcome;
      }
    }
    return null;
  }

  private send(syntax: SqlSyntax, isTrue: boolean, term?: string): Promise<Answered> {
    this.tried.add(syntax.id);
    const drawn = condition(isTrue);
    const { product, stated } = drawn;
    return this.answerTo(
      valueWith(syntax, this.experiment.point, drawn, term),
      isTrue ? `${product} is ${stated}: as with the value itself` : `${product} is not ${stated}: not so`,
    );
  }

  /** A true condition must leave the page unchanged, or at least not fail, and a false one must change it. */
  private async trySyntax(syntax: SqlSyntax, whenTrue: Answered): Promise<Outcome | null> {
    const isFitting = syntax.isEqual ? await this.originals.include(whenTrue, true) : !(await this.isBroken(whenTrue));
    if (!isFitting) return null;
    const whenFalse = await this.send(syntax, false);
    const isUnchanged = isAs(whenTrue, [whenFalse]) || (syntax.isEqual && isAs(whenFalse, this.originals.all, true));
    return isUnchanged ? null : this.follow(syntax);
  }

  private async isBroken(answered: Answered): Promise<boolean> {
    if (await this.broken.include(answered)) return true;
    await this.brokenWithNumbers.learn(1);
    return isAs(answered, this.brokenWithNumbers.all);
  }

  private async follow(syntax: SqlSyntax): Promise<Outcome | null> {
    const { experiment } = this;
    const followed = await followConditions(experiment, (isTrue) => this.send(syntax, isTrue));
    if (followed === null) return null;
    const { rule, leftOut } = followed;
    if (await this.isUnderstood(syntax, rule, `+0*${randomWord()}()`)) return null;
    const engine = experiment.isRepeat ? null : await this.engine(syntax, rule);
    const isOriginalTrue = rule.isTrue(await this.originalTraits(syntax));
    // Sent last, because people repeat the last request.
    await this.send(syntax, true);
    return {
      state: 'proved',
      detail: `${engine ?? 'The database'} evaluates conditions in the value, which is ${syntax.place} of an SQL statement.`,
      certainty: certaintyOf('conditions that were true or false', leftOut),
      variant: syntax.id,
      distinction: { ...rule.kept(), isOriginalTrue },
    };
  }

  /**
   * Whether true and false conditions stay so with this term. With a function that does not exist they do not in a database, but
   * they do on a page that calculates by itself.
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
    for (const { id } of tried) this.tried.add(id);
    const detailOf = ({ by }: DelaySyntax): string =>
      `${by} waits as long as the value says, which is part of an SQL statement.`;
    const syntaxes = tried.map((one) => ({ ...one, gap: SQL_GAP }));
    return firstDelay(this.experiment, 1, syntaxes, detailOf);
  }
}

export const sqlInjectionOracle: Oracle = {
  measuresTime: true,
  observe: (experiment) => new SqlInjectionTest(experiment).outcome(),
};
