import { EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE } from 'js-yaml';
import type { ProblemPath } from './template-problem';

interface OpenCollection {
  readonly path: ProblemPath;
  readonly isMapping: boolean;
  /** The key whose value comes next; for a sequence, the index of its next item. */
  key: string | number | null;
}

const keyOf = (path: ProblemPath): string => JSON.stringify(path);

/** The position of a value in the source, including its quotes. */
export interface SourceRange {
  readonly start: number;
  readonly end: number;
}

const isQuoted = (style: number): boolean =>
  style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED;

/** Finds the lines of the fields of a YAML document, and the positions of its values. */
export class SourceLines {
  private readonly offsets = new Map<string, number>();
  private readonly values = new Map<string, SourceRange>();
  private readonly open: OpenCollection[] = [];

  /** The source must be a document that was parsed without an error. */
  constructor(private readonly source: string) {
    for (const event of parseEvents(source, {})) this.take(event);
  }

  /** The line of a field, or of its closest existing parent; counted from 1. */
  lineOf(path: ProblemPath): number {
    for (let length = path.length; length > 0; length -= 1) {
      const offset = this.offsets.get(keyOf(path.slice(0, length)));
      if (offset !== undefined) return this.source.slice(0, offset).split('\n').length;
    }
    return 1;
  }

  /** The position of a text, number or boolean; undefined for other values. */
  rangeOf(path: ProblemPath): SourceRange | undefined {
    return this.values.get(keyOf(path));
  }

  private take(event: Event): void {
    if (event.type === EVENT_ID.POP) this.open.pop();
    else if (event.type === EVENT_ID.SCALAR) this.scalar(event);
    else if (event.type === EVENT_ID.MAPPING || event.type === EVENT_ID.SEQUENCE) {
      const isMapping = event.type === EVENT_ID.MAPPING;
      const path = this.valuePath(event.start);
      this.open.push({ path, isMapping, key: isMapping ? null : 0 });
    } else if (event.type === EVENT_ID.DOCUMENT) this.open.push({ path: [], isMapping: false, key: null });
  }

  private scalar(event: Extract<Event, { type: typeof EVENT_ID.SCALAR }>): void {
    const parent = this.open.at(-1);
    if (parent?.isMapping === true && parent.key === null) {
      parent.key = getScalarValue(this.source, event);
      this.offsets.set(keyOf([...parent.path, parent.key]), event.valueStart);
      return;
    }
    const quotes = isQuoted(event.style) ? 1 : 0;
    const path = this.valuePath(event.valueStart);
    this.values.set(keyOf(path), { start: event.valueStart - quotes, end: event.valueEnd + quotes });
  }

  /** The path of the value that begins here. Then advances to the next one in its collection. */
  private valuePath(offset: number): ProblemPath {
    const parent = this.open.at(-1);
    if (parent === undefined || parent.key === null) return parent?.path ?? [];
    const path = [...parent.path, parent.key];
    if (!this.offsets.has(keyOf(path))) this.offsets.set(keyOf(path), offset);
    parent.key = typeof parent.key === 'number' ? parent.key + 1 : null;
    return path;
  }
}
