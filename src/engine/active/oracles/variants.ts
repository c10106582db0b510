import { isFirewallPage } from '../../firewall-pages';
import type { Page } from '../../page';
import { unlessBroken } from '../broken-response';
import type { Experiment } from '../experiment';
import type { Outcome } from '../outcome';

/** After this many disturbed responses, the point is left alone. */
const MOST_DISTURBED = 3;

/** What a response shows of the expected effect, or null. */
export type Reader = (answer: Page) => string | null;

/** Sends values and reads the responses. Responses that do not show the expected effect must come from the application. */
export class JudgedAnswers {
  private readonly disturbances: string[] = [];
  /** Error statuses with which a response showed the effect: without it, they also come from the application. */
  private readonly showing = new Set<number>();

  /** How many answers showed something. */
  hits = 0;

  constructor(private readonly experiment: Experiment) {}

  get isPointLeft(): boolean {
    return this.disturbances.length >= MOST_DISTURBED;
  }

  /** What the response shows. Content counts with any status. Null also if something disturbed the request. */
  async shows(value: string, expects: string, read: Reader, point = this.experiment.point): Promise<string | null> {
    return (await this.read(value, expects, read, point)).seen;
  }

  /** Whether the application answered without showing anything. */
  async lacks(value: string, expects: string, read: Reader, point = this.experiment.point): Promise<boolean> {
    const { seen, isDisturbed } = await this.read(value, expects, read, point);
    return seen === null && !isDisturbed;
  }

  /** The response, unless something disturbed the request. */
  async answer(value: string, expects: string, point = this.experiment.point): Promise<Page | null> {
    const answer = await this.experiment.send(value, { expects, point });
    return (await this.isDisturbed(answer)) ? null : answer;
  }

  sound(detail: string): Outcome {
    const [reason] = this.disturbances;
    return reason === undefined ? { state: 'sound', detail } : { state: 'disturbed', reason };
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
  /**
   * Syntaxes that an incomplete fix may let through. A retest has enough requests for them, a job at each of its points does not.
   */
  readonly further: readonly string[];
  /** Null if this syntax does not show it. */
  prove(variant: string): Promise<Outcome | null>;
  /** The detail if no syntax shows it. */
  readonly otherwise: string;
}

/** Whether syntaxes for incomplete fixes are tried as well: in each full probe of a retest. */
export const isThorough = ({ variant, isRepeat }: Experiment): boolean => variant !== null && !isRepeat;

/** The length within a reason, which must be short. */
const LONGEST_TRIED = 110;

/** Names the syntaxes that were tried, so that readers do not take it as proof that the weakness is absent. */
export function withTried(detail: string, names: readonly string[]): string {
  const shown: string[] = [];
  for (const name of names.map((one) => JSON.stringify(one).slice(1, -1)))
    if ([...shown, name].join(', ').length <= LONGEST_TRIED) shown.push(name);
  const more = names.length - shown.length;
  return names.length === 0 ? detail : `${detail} (tried: ${shown.join(', ')}${more > 0 ? `, and ${more} more` : ''})`;
}

/**
 * Tries the syntaxes one after the other. A verification begins with the one that showed the weakness, and a repeat only tries
 * that one.
 */
export async function firstProof(
  experiment: Experiment,
  answers: JudgedAnswers,
  { candidates, further, prove, otherwise }: Search,
): Promise<Outcome> {
  const { variant: known, isRepeat } = experiment;
  const tried: string[] = [];
  const attempt = async (variant: string): Promise<Outcome | null> => {
    tried.push(variant);
    const { hits } = answers;
    const outcome = await unlessBroken(() => prove(variant));
    // If only some of the servers behind one address are fixed, they answer this way.
    if (outcome === null && answers.hits > hits) experiment.doubt();
    return outcome;
  };
  const before = known === null ? null : await attempt(known);
  if (before !== null) return before;
  experiment.probe.markAsUnshown?.();
  const others = known !== null && isRepeat ? [] : await candidates();
  // If nothing shows the value, these syntaxes will not show it either.
  for (const variant of others.length > 0 && isThorough(experiment) ? [...others, ...further] : others) {
    if (answers.isPointLeft) break;
    const outcome = variant === known ? null : await attempt(variant);
    if (outcome !== null) return outcome;
  }
  return answers.sound(withTried(otherwise, tried));
}
