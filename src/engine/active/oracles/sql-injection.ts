import type { Page } from '../../page';
import { type Experiment, type Oracle, type Outcome, randomWord } from '../experiment';
import { common, isSubset, type Traits, Distinction, traitsOf } from './answer-traits';
import { condition } from './conditions';
import { Delays } from './delays';
import { CERTAINTY, followConditions, traitsFor } from './follow-conditions';
import { SQL_DELAYS } from './sql-delays';
import { ENGINE_TERMS, isSpecial, SQL_SYNTAXES, type SqlSyntax, valueWith, type WhenFalse } from './sql-syntaxes';

/** No statement is complete with this in it, wherever the value is. */
const BROKEN = `'")`;

const SOUND = 'no condition and no delay in the value changes the answer';

const variantOf = (id: string, whenFalse?: WhenFalse): string => (whenFalse === undefined ? id : `${id} ${whenFalse}`);

class SqlInjectionTest {
  private readonly value: string;
  /** Syntaxes with which the page was as with the value itself, or that were not tried. */
  private readonly maybeFitting = new Set(SQL_SYNTAXES.map(({ id }) => id));
  private originals: readonly Traits[] = [];
  private readonly usualMs: number[] = [];
  private host = '';

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
    const [id, whenFalse] = this.experiment.variant?.split(' ') ?? [];
    const syntax = SQL_SYNTAXES.find((one) => one.id === id);
    if (syntax !== undefined) return this.follow(syntax, whenFalse === 'error' ? 'error' : 'nothing');
    if (SQL_DELAYS.every((one) => one.id !== id)) return null;
    await this.learnOriginal(1);
    return this.delays((one) => one.id === id);
  }

  private async everything(): Promise<Outcome | null> {
    await this.learnOriginal(2);
    const broken = await traitsFor(this.experiment, `${this.value}${BROKEN}`, 'another page if the value matters');
    // A statement that fails would be answered in the same way.
    const matters = !this.isAsOriginal(broken);
    return (matters ? await this.conditions(broken) : null) ?? this.delays(({ unless }) => this.isUnfit(unless));
  }

  private async learnOriginal(times: number): Promise<void> {
    const traits: Traits[] = [];
    for (let time = 0; time < times; time += 1) {
      const page: Page = await this.experiment.original();
      traits.push(traitsOf(page, this.value));
      this.usualMs.push(this.experiment.lastMs);
      this.host = new URL(page.url).host;
    }
    this.originals = traits;
  }

  private isAsOriginal(traits: Traits): boolean {
    const { originals } = this;
    if (!isSubset(common(originals), traits)) return false;
    const [one = traits, other = one] = originals;
    const isStable = isSubset(one, other) && isSubset(other, one);
    return !isStable || isSubset(traits, one);
  }

  private isUnfit = (id: string | undefined): boolean => id === undefined || !this.maybeFitting.has(id);

  private async conditions(broken: Traits): Promise<Outcome | null> {
    const { experiment, value } = this;
    for (const syntax of SQL_SYNTAXES) {
      if (!syntax.fits(value) || !this.isUnfit(syntax.unless)) continue;
      if (isSpecial(syntax)) {
        // Only where signs are answered in another way than words are.
        const { text, answer } = await experiment.word();
        if (Distinction.between([traitsOf(answer, text)], [broken]) === null) continue;
      }
      const outcome = await this.trySyntax(syntax);
      if (outcome !== null) return outcome;
    }
    return null;
  }

  private send(syntax: SqlSyntax, whenFalse: WhenFalse, isTrue: boolean, term?: string): Promise<Traits> {
    const drawn = condition(isTrue);
    const expects = isTrue ? 'as with the value itself' : 'not as with a true condition';
    return traitsFor(this.experiment, valueWith(syntax, this.value, whenFalse, drawn, term), expects);
  }

  /** A true condition has to leave the page as it is, and a false one has to change it. */
  private async trySyntax(syntax: SqlSyntax): Promise<Outcome | null> {
    const { id, isEqual, whenFalse } = syntax;
    const whenTrue = await this.send(syntax, whenFalse[0] ?? 'error', true);
    const isFitting = this.isAsOriginal(whenTrue);
    if (!isFitting) this.maybeFitting.delete(id);
    if (isEqual && !isFitting) return null;
    for (const kind of isFitting ? whenFalse : (['error'] as const)) {
      const answer = await this.send(syntax, kind, false);
      const outcome =
        Distinction.between([whenTrue], [answer]) === null ? null : await this.follow(syntax, kind);
      if (outcome !== null) return outcome;
    }
    return null;
  }

  private async follow(syntax: SqlSyntax, whenFalse: WhenFalse): Promise<Outcome | null> {
    const rule = await followConditions(this.experiment, (drawn) => valueWith(syntax, this.value, whenFalse, drawn));
    if (rule === null) return null;
    const engine = await this.engine(syntax, whenFalse, rule);
    // The last request is the one that people repeat.
    await this.send(syntax, whenFalse, true);
    return {
      state: 'proved',
      detail: `${engine ?? 'The database'} evaluates conditions in the value, which is ${syntax.place} of an SQL statement.`,
      certainty: CERTAINTY,
      variant: variantOf(syntax.id, whenFalse),
    };
  }

  /** What only this engine knows leaves a true condition true, and a false one false; a name that nobody knows does not. */
  private async engine(syntax: SqlSyntax, whenFalse: WhenFalse, rule: Distinction): Promise<string | null> {
    const { experiment } = this;
    if (experiment.isRepeat) return null;
    const understands = async (term: string): Promise<boolean> =>
      rule.isTrue(await this.send(syntax, whenFalse, true, term)) &&
      !rule.isTrue(await this.send(syntax, whenFalse, false, term));
    if (await understands(`+0*${randomWord()}()`)) return null;
    for (const [engine, term] of Object.entries(ENGINE_TERMS)) if (await understands(term)) return engine;
    return null;
  }

  private async delays(isTried: (syntax: (typeof SQL_DELAYS)[number]) => boolean): Promise<Outcome | null> {
    for (const syntax of SQL_DELAYS) {
      const { value, experiment } = this;
      if (!syntax.fits(value) || !isTried(syntax)) continue;
      const write = (seconds: string): string => syntax.write(value, seconds);
      const seen = await new Delays(experiment, this.host, write, this.usualMs).observe();
      if (seen.state === 'disturbed') return seen;
      if (seen.state === 'independent') continue;
      const { certainty } = seen;
      const detail = `${syntax.by} waits as long as the value says, which is part of an SQL statement.`;
      return { state: 'proved', detail, certainty, variant: variantOf(syntax.id) };
    }
    return null;
  }
}

export const sqlInjectionOracle: Oracle = {
  observe: (experiment) => new SqlInjectionTest(experiment).outcome(),
};
