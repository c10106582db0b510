import { parseJson } from './json-value';
import { UnreadableFileError } from './unreadable-file-error';

/**
 * What to do with a value: take it as a whole, or enter it and visit its keys or elements. Values that are not named are skipped.
 */
export type JsonPlan =
  | { readonly take: string }
  | { readonly enter: string; readonly keys?: Readonly<Record<string, JsonPlan>>; readonly elements?: JsonPlan };

export type JsonEvent =
  | { readonly kind: 'opened'; readonly name: string; readonly line: number }
  | { readonly kind: 'closed'; readonly name: string; readonly line: number }
  | { readonly kind: 'value'; readonly name: string; readonly line: number; readonly value: unknown }
  | { readonly kind: 'refused'; readonly name: string; readonly line: number; readonly reason: string };

/** In characters. Larger values are refused without being kept. */
export const MAX_JSON_VALUE = 8 * 1024 * 1024;
const MAX_KEY = 4_096;
const MAX_DEPTH = 200;

interface Frame {
  readonly plan: Extract<JsonPlan, { enter: string }>;
  readonly isArray: boolean;
  readonly line: number;
  key: string;
}

type Expected = 'value' | 'value-or-end' | 'key-or-end' | 'key' | 'colon' | 'comma-or-end' | 'nothing';

/** A value that is taken or skipped, or a key. Only its end is searched for here; `JSON.parse` reads it when it is complete. */
interface WholeValue {
  readonly use: 'take' | 'skip' | 'key';
  readonly name: string;
  readonly line: number;
  readonly limit: number;
  readonly isScalar: boolean;
  parts: string[];
  size: number;
  depth: number;
  inString: boolean;
  escaped: boolean;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const LINE_FEED = 0x0a;

const isSpace = (code: number): boolean => code === 0x20 || code === LINE_FEED || code === 0x0d || code === 0x09;

const isEndOfScalar = (code: number): boolean =>
  code === COMMA || code === CLOSE_ARRAY || code === CLOSE_OBJECT || isSpace(code);

/**
 * Splits a JSON text of any size into the values that a plan names. Depth, keys and values have limits, so that the largest value
 * that is taken bounds the memory. See docs/adr/0061.
 */
export class JsonSplitter {
  private readonly frames: Frame[] = [];
  private expected: Expected = 'value';
  private whole: WholeValue | null = null;
  private line = 1;
  private isAtStart = true;

  constructor(private readonly plan: JsonPlan) {}

  *write(text: string): Generator<JsonEvent> {
    let at = 0;
    if (this.isAtStart && text !== '') {
      this.isAtStart = false;
      if (text.startsWith('\uFEFF')) at = 1;
    }
    while (at < text.length) {
      if (this.whole === null) {
        const event = this.step(text.charCodeAt(at));
        // The first character belongs to the value, so it is scanned again as a part of it.
        if (this.whole === null) at += 1;
        if (event !== null) yield event;
        continue;
      }
      at = this.scan(this.whole, text, at);
      if (at === -1) return;
      const event = this.finish(this.whole);
      if (event !== null) yield event;
    }
  }

  *end(): Generator<JsonEvent> {
    if (this.frames.length === 0 && this.whole?.isScalar === true && !this.whole.inString) {
      const event = this.finish(this.whole);
      if (event !== null) yield event;
    }
    if (this.expected !== 'nothing' || this.whole !== null)
      throw new UnreadableFileError(this.line, 'The file ends before its JSON is complete: it is probably truncated.');
  }

  private step(code: number): JsonEvent | null {
    if (code === LINE_FEED) this.line += 1;
    if (isSpace(code)) return null;
    switch (this.expected) {
      case 'value-or-end':
        return code === CLOSE_ARRAY ? this.close(code) : this.startValue(code);
      case 'value':
        return this.startValue(code);
      case 'key-or-end':
        return code === CLOSE_OBJECT ? this.close(code) : this.startKey(code);
      case 'key':
        return this.startKey(code);
      case 'colon':
        if (code !== COLON) throw this.unexpected(code);
        this.expected = 'value';
        return null;
      case 'comma-or-end': {
        if (code !== COMMA) return this.close(code);
        this.expected = this.frames.at(-1)?.isArray === true ? 'value' : 'key';
        return null;
      }
      default:
        throw this.unexpected(code);
    }
  }

  private planOfValue(): JsonPlan | null {
    const frame = this.frames.at(-1);
    if (frame === undefined) return this.plan;
    if (frame.isArray) return frame.plan.elements ?? null;
    const { keys } = frame.plan;
    return keys !== undefined && Object.hasOwn(keys, frame.key) ? (keys[frame.key] ?? null) : null;
  }

  private startValue(code: number): JsonEvent | null {
    const plan = this.planOfValue();
    const isContainer = code === OPEN_ARRAY || code === OPEN_OBJECT;
    if (isEndOfScalar(code) || code === COLON) throw this.unexpected(code);
    if (plan !== null && 'enter' in plan && isContainer) {
      const isArray = code === OPEN_ARRAY;
      this.frames.push({ plan, isArray, line: this.line, key: '' });
      this.checkDepth(0);
      this.expected = isArray ? 'value-or-end' : 'key-or-end';
      return { kind: 'opened', name: plan.enter, line: this.line };
    }
    const taken = plan !== null && 'take' in plan;
    this.start(taken ? 'take' : 'skip', taken ? plan.take : '', MAX_JSON_VALUE, code);
    return null;
  }

  private startKey(code: number): null {
    if (code !== QUOTE) throw this.unexpected(code);
    this.start('key', '', MAX_KEY, code);
    return null;
  }

  private start(use: WholeValue['use'], name: string, limit: number, code: number): void {
    const isScalar = code !== QUOTE && code !== OPEN_ARRAY && code !== OPEN_OBJECT;
    const state = { parts: [], size: 0, depth: 0, inString: false, escaped: false };
    this.whole = { use, name, line: this.line, limit, isScalar, ...state };
  }

  private close(code: number): JsonEvent {
    const frame = this.frames.pop();
    if (frame === undefined || code !== (frame.isArray ? CLOSE_ARRAY : CLOSE_OBJECT)) throw this.unexpected(code);
    this.expected = this.frames.length === 0 ? 'nothing' : 'comma-or-end';
    return { kind: 'closed', name: frame.plan.enter, line: frame.line };
  }

  /** Returns the index after the value, or -1 if it continues in the next piece. */
  private scan(whole: WholeValue, text: string, from: number): number {
    let at = from;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (whole.isScalar) {
        if (!isEndOfScalar(code)) continue;
        this.keep(whole, text, from, at);
        return at;
      }
      if (code === LINE_FEED) this.line += 1;
      if (whole.inString) {
        if (whole.escaped) whole.escaped = false;
        else if (code === BACKSLASH) whole.escaped = true;
        else if (code === QUOTE) {
          whole.inString = false;
          if (whole.depth === 0) break;
        }
      } else if (code === QUOTE) whole.inString = true;
      else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
        whole.depth += 1;
        this.checkDepth(whole.depth);
      } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
        whole.depth -= 1;
        if (whole.depth === 0) break;
      }
    }
    this.keep(whole, text, from, at + 1);
    return at < text.length ? at + 1 : -1;
  }

  private keep(whole: WholeValue, text: string, from: number, to: number): void {
    whole.size += Math.min(to, text.length) - from;
    if (whole.use === 'skip') return;
    if (whole.size <= whole.limit) whole.parts.push(text.slice(from, to));
    else if (whole.use === 'key')
      throw new UnreadableFileError(whole.line, `A key is longer than ${MAX_KEY} characters.`);
    else whole.parts = [];
  }

  private finish(whole: WholeValue): JsonEvent | null {
    this.whole = null;
    if (whole.use !== 'key') this.expected = this.frames.length === 0 ? 'nothing' : 'comma-or-end';
    if (whole.use === 'skip') return null;
    const { name, line } = whole;
    if (whole.size > whole.limit)
      return { kind: 'refused', name, line, reason: `It is larger than ${MAX_JSON_VALUE / 1024 / 1024} MiB.` };
    const parsed = parseJson(whole.parts.join(''));
    if (whole.use === 'take')
      return parsed === null
        ? { kind: 'refused', name, line, reason: 'It is not valid JSON.' }
        : { kind: 'value', name, line, value: parsed.value };
    const frame = this.frames.at(-1);
    if (parsed === null || frame === undefined) throw new UnreadableFileError(line, 'A key is not valid JSON.');
    frame.key = String(parsed.value);
    this.expected = 'colon';
    return null;
  }

  private checkDepth(inside: number): void {
    if (this.frames.length + inside > MAX_DEPTH)
      throw new UnreadableFileError(this.line, `The JSON is nested more than ${MAX_DEPTH} levels deep.`);
  }

  private unexpected(code: number): UnreadableFileError {
    const character = code < 0x20 ? 'A control character' : `The character ${String.fromCharCode(code)}`;
    return new UnreadableFileError(this.line, `${character} is not expected here: the file is not valid JSON.`);
  }
}

export async function* splitJson(text: AsyncIterable<string>, plan: JsonPlan): AsyncGenerator<JsonEvent> {
  const splitter = new JsonSplitter(plan);
  for await (const piece of text) yield* splitter.write(piece);
  yield* splitter.end();
}
