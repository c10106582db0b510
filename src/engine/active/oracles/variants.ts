import { isFirewallPage } from '../../firewall-pages';
import type { Page } from '../../page';
import { unlessBroken } from '../broken-response';
import type { Experiment } from '../experiment';
import type { IsFix, Outcome } from '../outcome';

/** So many disturbed answers are enough: the point is left alone. */
const MOST_DISTURBED = 3;

/** What an answer shows of what is looked for, or null. */
export type Reader = (answer: Page) => string | null;

/** Sends values and reads the answers. Those without what is looked for must be answers of the application. */
export class JudgedAnswers {
  private readonly disturbances: string[] = [];
  /** Errors of the server that had what is looked for: without it, they are the application's own as well. */
  private readonly showing = new Set<number>();

  /** How many answers showed something. */
  hits = 0;

  constructor(private readonly experiment: Experiment) {}

  get isPointLeft(): boolean {
    return this.disturbances.length >= MOST_DISTURBED;
  }

  /** What the answer shows. Content counts with any status; null also where something stood in the way. */
  async shows(value: string, expects: string, read: Reader, point = this.experiment.point): Promise<string | null> {
    return (await this.read(value, expects, read, point)).seen;
  }

  /** Whether the application answered, and the answer shows nothing. */
  async lacks(value: string, expects: string, read: Reader, point = this.experiment.point): Promise<boolean> {
    const { seen, isDisturbed } = await this.read(value, expects, read, point);
    return seen === null && !isDisturbed;
  }

  /** The answer, unless something stood in the way. */
  async answer(value: string, expects: string): Promise<Page | null> {
    const answer = await this.experiment.send(value, { expects });
    return (await this.isDisturbed(answer)) ? null : answer;
  }

  /** In a job an answer without the weakness proves nothing, and no more. In a verification it closes a finding. */
  async sound(detail: string, isFix?: IsFix): Promise<Outcome> {
    const [reason] = this.disturbances;
    if (reason !== undefined) return { state: 'disturbed', reason };
    return this.experiment.isVerification ? this.experiment.sound(detail, isFix) : { state: 'sound', detail };
  }

  private async read(
    value: string,
    expects: string,
    read: Reader,
    point: Experiment['point'],
  ): Promise<{ readonly seen: string | null; readonly isDisturbed: boolean }> {
    let seen: string | null = null;
    const observe = (answer: Page): string => {
      seen = read(answer);
      return seen ?? 'it is not there';
    };
    const answer = await this.experiment.send(value, { expects, observe, point });
    if (seen !== null) {
      this.hits += 1;
      this.experiment.trust(answer);
      if (answer.status >= 500) this.showing.add(answer.status);
      return { seen, isDisturbed: false };
    }
    return { seen, isDisturbed: await this.isDisturbed(answer) };
  }

  private async isDisturbed(answer: Page): Promise<boolean> {
    if (this.showing.has(answer.status) && !isFirewallPage(answer)) {
      this.experiment.trust(answer);
      return false;
    }
    const disturbance = await this.experiment.disturbance(answer);
    if (disturbance !== null) this.disturbances.push(disturbance);
    return disturbance !== null;
  }
}

interface Search {
  /** The syntaxes that may show the weakness at this point. */
  candidates(): Promise<readonly string[]>;
  /** Null if this syntax does not show it. */
  prove(variant: string): Promise<Outcome | null>;
  /** What is said where none does. */
  readonly otherwise: string;
  readonly isFix?: IsFix;
}

/** Tries one syntax after the other; in a verification first the one that showed the weakness, in a repeat it alone. */
export async function firstProof(
  experiment: Experiment,
  answers: JudgedAnswers,
  { candidates, prove, otherwise, isFix }: Search,
): Promise<Outcome> {
  const { variant: known, isRepeat } = experiment;
  const attempt = async (variant: string): Promise<Outcome | null> => {
    const { hits } = answers;
    const outcome = await unlessBroken(() => prove(variant));
    // Servers behind one address, of which only some are fixed, answer so.
    if (outcome === null && answers.hits > hits) experiment.doubt();
    return outcome;
  };
  const before = known === null ? null : await attempt(known);
  if (before !== null) return before;
  const others = known !== null && isRepeat ? [] : await candidates();
  for (const variant of others) {
    if (answers.isPointLeft) break;
    const outcome = variant === known ? null : await attempt(variant);
    if (outcome !== null) return outcome;
  }
  return answers.sound(otherwise, isFix);
}
