import { SaxesParser } from 'saxes';
import { UnreadableFileError } from './unreadable-file-error';

/** An element with its texts. Only the beginning of each text is kept. */
export interface XmlElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

export interface XmlPlan {
  /** Elements outside of records that are reported with their attributes when they start. */
  readonly opened: ReadonlySet<string> | 'all';
  /** Elements that are reported as a whole. A record inside another is reported first, and left out of the outer one. */
  readonly records: ReadonlySet<string>;
  /** Elements inside records that are not read. */
  readonly ignored?: ReadonlySet<string>;
}

export type XmlEvent =
  | { readonly kind: 'opened'; readonly element: XmlElement }
  | { readonly kind: 'record'; readonly element: XmlElement }
  | { readonly kind: 'refused'; readonly name: string; readonly line: number; readonly reason: string };

/** In characters. Text beyond this is left out. */
const MAX_TEXT = 128 * 1024;
/** In characters: the parser keeps a text, a tag or a comment until its end, so a longer one cannot be read. */
export const MAX_XML_TOKEN = 8 * 1024 * 1024;
const MAX_RECORD = 8 * 1024 * 1024;
const MAX_ELEMENTS = 20_000;
/** The policy of a Nessus scan names up to about 100,000 plugins. */
const MAX_OTHER_ELEMENTS = 1_000_000;
const MAX_DEPTH = 200;
const MAX_ATTRIBUTES = 100;

interface OpenElement {
  readonly name: string;
  readonly line: number;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  readonly record: OpenRecord | null;
  text: string;
}

/** The sizes of the outermost open record. */
interface OpenRecord {
  size: number;
  elements: number;
}

/**
 * Splits an XML text of any size into the elements that a plan names. Only the five predefined entities and numeric character
 * references are allowed, and external DTDs are refused: nothing is expanded or loaded.
 */
export class XmlSplitter {
  private readonly parser = new SaxesParser<{ xmlns: false; position: true }>({ xmlns: false, position: true });
  private readonly open: OpenElement[] = [];
  private events: XmlEvent[] = [];
  private ignoredDepth = 0;
  private sinceToken = 0;
  private attributes = 0;
  private otherElements = 0;
  private tagLine = 1;

  constructor(private readonly plan: XmlPlan) {
    const { parser } = this;
    parser.on('error', (error) => {
      throw new UnreadableFileError(parser.line, xmlReason(error.message));
    });
    parser.on('doctype', (doctype) => this.checkDoctype(doctype));
    parser.on('opentagstart', () => {
      this.attributes = 0;
      // The parser has already read the character after the name, which may be the end of the line.
      this.tagLine = parser.column === 0 ? parser.line - 1 : parser.line;
    });
    parser.on('attribute', () => {
      this.attributes += 1;
      if (this.attributes > MAX_ATTRIBUTES)
        throw this.refusal(`An element has more than ${MAX_ATTRIBUTES} attributes.`);
    });
    parser.on('opentag', ({ name, attributes }) => this.opened(name, attributes));
    parser.on('closetag', () => this.closed());
    parser.on('text', (text) => this.text(text));
    parser.on('cdata', (text) => this.text(text));
    parser.on('comment', () => this.token());
    parser.on('processinginstruction', () => this.token());
  }

  *write(text: string): Generator<XmlEvent> {
    this.sinceToken += text.length;
    yield* this.run(() => this.parser.write(text));
    if (this.sinceToken > MAX_XML_TOKEN)
      throw this.refusal(
        `A text or tag is larger than ${MAX_XML_TOKEN / 1024 / 1024} MiB: export the file without requests and responses.`,
      );
  }

  *end(): Generator<XmlEvent> {
    yield* this.run(() => this.parser.close());
  }

  /** Yields the events before an error, then throws it. */
  private *run(step: () => unknown): Generator<XmlEvent> {
    let failure: unknown = null;
    try {
      step();
    } catch (error) {
      failure = error;
    }
    const { events } = this;
    this.events = [];
    yield* events;
    if (failure !== null) throw failure;
  }

  private token(): void {
    this.sinceToken = 0;
  }

  private refusal(reason: string): UnreadableFileError {
    return new UnreadableFileError(this.parser.line, reason);
  }

  private checkDoctype(doctype: string): void {
    this.token();
    if (/<!ENTITY/i.test(doctype))
      throw this.refusal('The file declares XML entities, which are not accepted. Scanners do not write them.');
    const [name = ''] = doctype.split('[', 1);
    if (/\b(?:SYSTEM|PUBLIC)\b/.test(name))
      throw this.refusal('The file refers to an external DTD, which is not accepted. Scanners do not write one.');
  }

  private opened(name: string, attributes: Readonly<Record<string, string>>): void {
    this.token();
    if (this.open.length + this.ignoredDepth >= MAX_DEPTH)
      throw this.refusal(`The XML is nested more than ${MAX_DEPTH} levels deep.`);
    const parent = this.open.at(-1)?.record ?? null;
    if (this.ignoredDepth > 0 || (parent !== null && this.plan.ignored?.has(name) === true)) {
      this.ignoredDepth += 1;
      return;
    }
    const isRecord = this.plan.records.has(name);
    const record = isRecord ? { size: 0, elements: 0 } : parent;
    const element = { name, line: this.tagLine, attributes, children: [], record, text: '' };
    this.open.push(element);
    if (record === null) this.openedOutside(element);
    else this.grow(record, Object.values(attributes).join('').length);
  }

  private openedOutside(element: XmlElement): void {
    this.otherElements += 1;
    if (this.otherElements > MAX_OTHER_ELEMENTS)
      throw this.refusal(
        `More than ${MAX_OTHER_ELEMENTS.toLocaleString('en')} elements are outside of results: export the results alone.`,
      );
    const { opened } = this.plan;
    if (opened === 'all' || opened.has(element.name)) this.events.push({ kind: 'opened', element });
  }

  private grow(record: OpenRecord, size: number): void {
    record.size += size;
    record.elements += 1;
  }

  private text(text: string): void {
    this.token();
    const element = this.open.at(-1);
    if (element === undefined || element.record === null || this.ignoredDepth > 0) return;
    const kept = text.slice(0, Math.max(0, MAX_TEXT - element.text.length));
    element.record.size += kept.length;
    if (isTooLarge(element.record)) return;
    element.text += kept;
  }

  private closed(): void {
    this.token();
    if (this.ignoredDepth > 0) {
      this.ignoredDepth -= 1;
      return;
    }
    const element = this.open.pop();
    if (element === undefined || element.record === null) return;
    const { name, line, record } = element;
    if (!this.plan.records.has(name)) {
      if (!isTooLarge(record)) this.open.at(-1)?.children.push(element);
      return;
    }
    this.events.push(
      isTooLarge(record)
        ? { kind: 'refused', name, line, reason: `It is larger than ${MAX_RECORD / 1024 / 1024} MiB.` }
        : { kind: 'record', element },
    );
  }
}

const isTooLarge = ({ size, elements }: OpenRecord): boolean => size > MAX_RECORD || elements > MAX_ELEMENTS;

/** The parser's messages begin with a position, and call every entity that XML itself does not define "undefined". */
function xmlReason(message: string): string {
  const plain = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '');
  if (/undefined entity/i.test(plain)) return 'The file uses an XML entity that XML itself does not define.';
  if (/unclosed|unexpected end|document must contain a root/i.test(plain))
    return `The file ends before its XML is complete (${plain}): it is probably truncated.`;
  return `The file is not valid XML: ${plain}.`;
}

export async function* splitXml(text: AsyncIterable<string>, plan: XmlPlan): AsyncGenerator<XmlEvent> {
  const splitter = new XmlSplitter(plan);
  for await (const piece of text) yield* splitter.write(piece);
  yield* splitter.end();
}

export const childText = (element: XmlElement, name: string): string =>
  element.children.find((child) => child.name === name)?.text ?? '';

export const childTexts = (element: XmlElement, name: string): string[] =>
  element.children.filter((child) => child.name === name).map(({ text }) => text);
