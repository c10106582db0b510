import { randomBytes } from 'node:crypto';
import type { Page } from '../page';
import type { WebTarget } from '../target';
import type { CompiledTemplate } from './compiled-template';
import type { Environment, TextSearch } from './expressions/function-table';
import { UndefinedName, type Value } from './expressions/value';
import { WorkBudget } from './expressions/work-budget';
import type { Combination } from './payload-combinations';
import { blockValueName, EVENT_NAMES, eventValue, isRandomName, targetValues } from './placeholders';
import { OUT_OF_BAND_URL } from './out-of-band';
import { namedValue, responseValue } from './response-parts';

/** The generator mulberry32. */
function randomFrom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
}

const RANDOM_LENGTH = 27;
const CHARACTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';

/** The responses of a block, and what its extractors found in the evaluated one. */
export interface BlockValues {
  readonly payloads: Readonly<Record<string, string>>;
  readonly responses: ReadonlyMap<number, Page>;
  /** The evaluated response. */
  readonly page: Page;
  readonly extracted: ReadonlyMap<string, Value>;
}

/** All values of one run of a template. */
export class TemplateValues {
  private readonly target: Readonly<Record<string, string>>;
  private readonly variables = new Map<string, string>();
  private readonly random = new Map<string, string>();
  /** Values of internal extractors, for later requests. */
  readonly passedOn = new Map<string, Value>();
  /** The last response of each block, by its number. */
  readonly lastResponses = new Map<number, Page>();
  private readonly randomBelow = randomFrom(randomBytes(4).readInt32LE());
  private readonly now = new Date();
  private readonly work = new WorkBudget();

  constructor(
    private readonly template: CompiledTemplate,
    target: WebTarget,
    private readonly search: TextSearch,
  ) {
    this.target = targetValues(target);
  }

  /** Variables that refer to something unknown are filled in when it is known. */
  async fillVariables(): Promise<void> {
    for (const [name, text] of this.template.variables) {
      if (this.variables.has(name)) continue;
      try {
        this.variables.set(name, await text.fill(this.forRequest({})));
      } catch (error) {
        if (!(error instanceof UndefinedName)) throw error;
      }
    }
  }

  async payloads(round: Combination): Promise<Record<string, string>> {
    const filled: Record<string, string> = {};
    for (const [name, source] of Object.entries(round))
      filled[name] = await this.template.texts.template(source).fill(this.forRequest({}), true);
    return filled;
  }

  forRequest(payloads: Readonly<Record<string, string>>): Environment {
    return this.environment((name) => (Object.hasOwn(payloads, name) ? payloads[name] : this.own(name)));
  }

  /** For a response, its own fields take precedence. */
  forResponse({ payloads, responses, page, extracted }: BlockValues): Environment {
    return this.environment((name) => {
      if (EVENT_NAMES.has(name)) {
        const stated = extracted.get(name) ?? (Object.hasOwn(payloads, name) ? payloads[name] : this.own(name));
        return stated ?? eventValue(name, this.target, page, this.template.id);
      }
      const { name: field, response } = namedValue(name);
      const judged = response === null ? page : responses.get(response);
      const found = extracted.get(name) ?? (judged && responseValue(judged, field));
      return found ?? (Object.hasOwn(payloads, name) ? payloads[name] : this.own(name));
    });
  }

  /** The values that are the same in each run. */
  labels(round: Combination): Record<string, string> {
    const payloads = Object.entries(round).map(([name, value]) => [this.template.texts.aliasOf(name), value] as const);
    return { ...this.target, ...Object.fromEntries(payloads) };
  }

  get path(): string {
    return this.target['Path'] ?? '';
  }

  private environment(lookup: (name: string) => Value | undefined): Environment {
    const { search, work, randomBelow, now } = this;
    return { lookup: (name) => lookup(this.template.texts.declared(name)), search, work, randomBelow, now };
  }

  private own(name: string): Value | undefined {
    return (
      this.passedOn.get(name) ??
      this.variables.get(name) ??
      (Object.hasOwn(this.target, name) ? this.target[name] : undefined) ??
      this.ofBlock(name) ??
      (isRandomName(name) ? this.randomText(name) : undefined) ??
      (name === OUT_OF_BAND_URL ? `${this.randomText(name).toLowerCase()}.invalid` : undefined)
    );
  }

  private ofBlock(name: string): Value | undefined {
    const of = blockValueName(name);
    if (of === null) return undefined;
    const page = this.lastResponses.get(of.block);
    return page && (this.passedOn.get(of.name) ?? responseValue(page, of.name));
  }

  private randomText(name: string): string {
    const known = this.random.get(name);
    if (known !== undefined) return known;
    const text = Array.from({ length: RANDOM_LENGTH }, () => CHARACTERS[this.randomBelow(CHARACTERS.length)]).join('');
    this.random.set(name, text);
    return text;
  }
}
