import { evaluate } from '../../src/engine/templates/expressions/evaluate';
import type { Environment } from '../../src/engine/templates/expressions/function-table';
import { functionNamed } from '../../src/engine/templates/expressions/functions';
import { type Expression, withinExpression } from '../../src/engine/templates/expressions/parse-expression';
import { ExpressionError, textOf, type Value } from '../../src/engine/templates/expressions/value';
import { isOutOfBandExpression } from '../../src/engine/templates/out-of-band';
import { EVENT_NAMES } from '../../src/engine/templates/placeholders';
import { isNumberOfResponse, isTextOfResponse, namedValue } from '../../src/engine/templates/response-parts';
import { sampleOf } from './pattern-sample';
import { lengthsFor, NoResponse, type ResponseDraft } from './response-draft';

/** What the responses of a block have to be. */
export interface Wanted {
  /** The response with this number; null is the one that is judged. */
  draft(response: number | null): ResponseDraft;
  /** What extractors have to find. */
  readonly extracted: Map<string, string>;
  readonly extractors: ReadonlySet<string>;
  readonly environment: Environment;
  /** The declared name of one in an expression. */
  declared(name: string): string;
}

type Binary = Extract<Expression, { kind: 'binary' }>;
type Call = Extract<Expression, { kind: 'call' }>;

const plain = (name: string): string => name.replaceAll('_', '').toLowerCase();
const FLIPPED: Readonly<Record<string, string>> = {
  '<': '>',
  '>': '<',
  '<=': '>=',
  '>=': '<=',
  '==': '==',
  '!=': '!=',
};
const OPPOSITE: Readonly<Record<string, string>> = {
  '<': '>=',
  '>': '<=',
  '<=': '>',
  '>=': '<',
  '==': '!=',
  '!=': '==',
  '=~': '!~',
  '!~': '=~',
};
/** Functions whose value contains the text of what they are given. */
const TRANSPARENT = new Set([
  'tolower',
  'toupper',
  'trim',
  'trimspace',
  'trimleft',
  'trimright',
  'tostring',
  'concat',
  'urldecode',
  'replace',
  'removebadchars',
  'htmlunescape',
  'jsonminify',
  'trimprefix',
  'trimsuffix',
]);
const HASHES = new Set(['md5', 'sha1', 'sha256', 'sha512', 'mmh3']);

const SECTIONS = new Set(['body', 'header', 'all_headers', 'all', 'response']);

/** Makes an expression true, or false, by what the drafts say. */
export class SatisfiedExpression {
  constructor(private readonly wanted: Wanted) {}

  async make(expression: Expression, isTrue: boolean): Promise<void> {
    if (isOutOfBandExpression(expression) && expression.kind !== 'binary')
      throw new NoResponse('needs an out-of-band request');
    if (expression.kind === 'unary' && expression.operator === '!') return this.make(expression.value, !isTrue);
    if (expression.kind === 'inline') return this.make(expression.value, isTrue);
    if (expression.kind === 'binary') return this.binary(expression, isTrue);
    if (expression.kind === 'call') return this.call(expression, isTrue);
    const value = await this.constant(expression);
    if (value !== isTrue) throw new NoResponse(`a ${expression.kind} decides`);
  }

  private async binary({ operator, left, right }: Binary, isTrue: boolean): Promise<void> {
    if (operator === '&&' || operator === '||') {
      if ((operator === '&&') === isTrue) {
        await this.make(left, isTrue);
        await this.make(right, isTrue);
        return;
      }
      await this.firstPossible([left, right], isTrue);
      return;
    }
    const wantedOperator = isTrue ? operator : (OPPOSITE[operator] ?? operator);
    const [fixed, other] = [await this.constant(right), await this.constant(left)];
    if (fixed !== undefined && other !== undefined) return;
    if (fixed !== undefined) return this.compare(left, wantedOperator, fixed);
    if (other !== undefined) return this.compare(right, FLIPPED[wantedOperator] ?? wantedOperator, other);
    if (wantedOperator === '!=') return;
    await this.equalParts(left, right);
  }

  private async firstPossible(sides: readonly Expression[], isTrue: boolean): Promise<void> {
    let reason: unknown = null;
    for (const side of sides) {
      try {
        return await this.make(side, isTrue);
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        reason = error;
      }
    }
    throw reason;
  }

  /** Two parts of responses that have to be the same, such as `status_code_1 == status_code_2`. */
  private async equalParts(left: Expression, right: Expression): Promise<void> {
    const names = [left, right].map((one) => (one.kind === 'name' ? namedValue(this.wanted.declared(one.name)) : null));
    if (names.some((one) => one?.name !== 'status_code')) throw new NoResponse('two parts of responses are compared');
  }

  /** The value of an expression that no response decides; undefined for others. */
  private async constant(expression: Expression): Promise<Value | undefined> {
    const isDecided = [...withinExpression(expression)].some((one) => one.kind === 'name' && this.isOpen(one.name));
    if (isDecided) return undefined;
    try {
      return await evaluate(expression, this.wanted.environment);
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  }

  private isOpen(name: string): boolean {
    const declared = this.wanted.declared(name);
    if (this.wanted.extractors.has(declared)) return true;
    if (EVENT_NAMES.has(declared)) return false;
    return (
      isNumberOfResponse(declared) || isTextOfResponse(declared) || this.wanted.environment.lookup(name) === undefined
    );
  }

  private async compare(subject: Expression, operator: string, value: Value): Promise<void> {
    if (operator === '!=') return this.avoid(subject, value);
    if (operator === '!~') return;
    if (operator === '=~') return this.addSample(subject, textOf(value));
    if (operator === 'in')
      return this.addText(subject, textOf(Array.isArray(value) ? (value[0] ?? '') : value), 'whole');
    if (subject.kind === 'call' && plain(subject.name) === 'len')
      return this.setLength(subject, operator, Number(value));
    if (subject.kind === 'call' && plain(subject.name) === 'tonumber')
      return this.addText(subject.values[0] ?? subject, String(numberThat(operator, Number(value))), 'whole');
    if (typeof value === 'boolean') return this.make(subject, operator === '==' ? value : !value);
    if (subject.kind === 'name' && isNumberOfResponse(this.wanted.declared(subject.name)))
      return this.setNumber(this.wanted.declared(subject.name), numberThat(operator, Number(value)));
    if (typeof value === 'number' && operator !== '==') throw new NoResponse(`a ${subject.kind} has to be a number`);
    return this.addText(subject, textOf(value), 'whole');
  }

  private avoid(subject: Expression, value: Value): void {
    const part = subject.kind === 'name' ? namedValue(this.wanted.declared(subject.name)) : null;
    if (part?.name === 'status_code') this.wanted.draft(part.response).avoidStatus(Number(value));
  }

  private setNumber(name: string, value: number): void {
    const { name: part, response } = namedValue(name);
    const draft = this.wanted.draft(response);
    if (part === 'status_code') draft.setStatus(value);
    else if (part === 'content_length') draft.length = value;
    else draft.seconds = value;
  }

  private setLength({ values }: Call, operator: string, value: number): void {
    const [of] = values;
    const part = of?.kind === 'name' ? namedValue(this.wanted.declared(of.name)) : null;
    if (part === null) throw new NoResponse('the length of a computed text is compared');
    const length = numberThat(operator, value);
    if (part.name === 'body') this.wanted.draft(part.response).length = length;
    else if (length > 0) this.addPart(of as Expression, 'a'.repeat(length), 'whole');
  }

  private async call({ name, values }: Call, isTrue: boolean): Promise<void> {
    if (!isTrue) return this.provide(values[0]);
    const [subject, ...rest] = values;
    const last = values.at(-1);
    if (subject === undefined || last === undefined) throw new NoResponse(`${name} has no values`);
    const texts = async (of: readonly Expression[]): Promise<string[]> => {
      const found: string[] = [];
      for (const one of of) {
        const value = await this.constant(one);
        if (value === undefined) throw new NoResponse(`${name} looks for a part of the response`);
        found.push(...[value].flat().map(textOf));
      }
      return found;
    };
    switch (plain(name)) {
      case 'contains':
      case 'containsall':
        for (const text of await texts(rest)) this.addText(subject, text);
        return;
      case 'containsany':
        return this.addText(subject, (await texts(rest))[0] ?? '');
      case 'equalsany':
        return this.addText(subject, (await texts(rest))[0] ?? '', 'whole');
      case 'startswith':
      case 'linestartswith':
        return this.addText(subject, (await texts(rest))[0] ?? '', 'first');
      case 'endswith':
      case 'lineendswith':
        return this.addText(subject, (await texts(rest))[0] ?? '');
      case 'regex':
      case 'regexall':
        for (const pattern of await texts(values.slice(0, -1))) await this.addSample(last, pattern);
        return;
      case 'regexany':
        return this.addSample(last, (await texts(values.slice(0, -1)))[0] ?? '');
      case 'compareversions':
        return this.addText(subject, await versionThat(await texts(rest), this.wanted.environment), 'whole');
      default:
        throw new NoResponse(`${name} decides`);
    }
  }

  /** An expression about a field that is not there is neither true nor false. */
  private provide(subject: Expression | undefined): void {
    if (subject?.kind === 'call') return this.provide(subject.values[0]);
    if (subject?.kind !== 'name') return;
    const { name, response } = namedValue(this.wanted.declared(subject.name));
    if (isTextOfResponse(name) && !SECTIONS.has(name))
      this.wanted.draft(response).provideField(name.replaceAll('_', '-'));
  }

  private async addSample(subject: Expression, pattern: string): Promise<void> {
    const part = subject.kind === 'name' ? namedValue(this.wanted.declared(subject.name)).name : 'body';
    for (const isLonger of lengthsFor(part)) {
      const text = sampleOf(pattern, { isLonger });
      if (await this.wanted.environment.search.matches(pattern, text)) return this.addText(subject, text);
    }
    throw new NoResponse('no sample of a pattern');
  }

  private addText(subject: Expression, text: string, place: 'first' | 'last' | 'whole' = 'last'): void {
    if (subject.kind === 'call') {
      const name = plain(subject.name);
      if (HASHES.has(name)) throw new NoResponse('the hash of a body that is not known is compared');
      const inner = subject.values.find((one) => one.kind !== 'constant');
      if (TRANSPARENT.has(name) && inner !== undefined) return this.addText(inner, text, place);
      if (name === 'base64decode' && inner !== undefined)
        return this.addText(inner, Buffer.from(text).toString('base64'), place);
      throw new NoResponse(`the value of ${subject.name} is compared`);
    }
    if (subject.kind === 'inline') return this.addText(subject.value, text, place);
    if (subject.kind === 'binary' && subject.operator === '+') return this.addText(subject.left, text, place);
    this.addPart(subject, text, place);
  }

  private addPart(subject: Expression, text: string, place: 'first' | 'last' | 'whole'): void {
    if (subject.kind !== 'name') throw new NoResponse(`a ${subject.kind} is searched`);
    const declared = this.wanted.declared(subject.name);
    if (this.wanted.extractors.has(declared)) {
      this.wanted.extracted.set(declared, text);
      return;
    }
    const ofBlock = /^http_\d+_(.+)$/.exec(declared)?.[1];
    if (ofBlock !== undefined) throw new NoResponse('a value of another block is compared');
    const { name, response } = namedValue(declared);
    this.wanted.draft(response).add(name, text, place);
  }
}

function numberThat(operator: string, value: number): number {
  const isWhole = Number.isInteger(value);
  if (operator === '<') return isWhole ? value - 1 : value / 2;
  return operator === '>' ? value + 1 : value;
}

/** A version that meets all of these conditions. */
async function versionThat(conditions: readonly string[], environment: Environment): Promise<string> {
  const bounds = conditions.flatMap((one) => /\d[\w.-]*/.exec(one)?.[0] ?? []);
  const candidates = [
    '0.0.1',
    ...bounds,
    ...bounds.map((one) => `${one.replace(/[^\d.].*/, '')}.1`),
    '0.0.0',
    '999.0.0',
  ];
  for (const one of candidates) {
    try {
      if ((await functionNamed('compare_versions').call([one, ...conditions], environment)) === true) return one;
    } catch (error) {
      if (!(error instanceof ExpressionError)) throw error;
    }
  }
  throw new NoResponse('no version meets the conditions');
}
