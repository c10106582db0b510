import { load } from 'js-yaml';
import { SourceLines, type SourceRange } from './source-lines';
import { placeText, type ProblemPath } from './template-problem';

/** A payload of a template whose values are the lines of a file. */
export interface PayloadFile {
  /** The path in the template. */
  readonly path: string;
  readonly line: number;
  /** For example, `http[0].payloads.password`. */
  readonly place: string;
  readonly range: SourceRange;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(source: string): unknown {
  try {
    return load(source, { maxDepth: 12, maxAliases: 0 });
  } catch {
    // The compiler reports what is wrong with the template.
    return null;
  }
}

/** The files that a template names; empty if it is not YAML. */
export function payloadFilesOf(source: string): PayloadFile[] {
  if (!/^[ \t]*(?:-[ \t]+)?payloads\s*:/m.test(source)) return [];
  const template = parsed(source);
  if (!isRecord(template)) return [];
  const lines = new SourceLines(source);
  return ['http', 'requests'].flatMap((field) => {
    const blocks = template[field];
    if (!Array.isArray(blocks)) return [];
    return blocks.flatMap((block: unknown, index) => {
      const payloads = isRecord(block) ? block['payloads'] : undefined;
      if (!isRecord(payloads)) return [];
      return Object.entries(payloads).flatMap(([name, value]): PayloadFile[] => {
        const place: ProblemPath = [field, index, 'payloads', name];
        const range = lines.rangeOf(place);
        if (typeof value !== 'string' || range === undefined) return [];
        return [{ path: value, line: lines.lineOf(place), place: placeText(place), range }];
      });
    });
  });
}

/** The text as a double-quoted YAML scalar on one line. */
const quoted = (value: string): string =>
  JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The template with the values instead of the file names. Its line numbers stay the same. */
export function withPayloadValues(source: string, values: ReadonlyMap<PayloadFile, readonly string[]>): string {
  const lastFirst = [...values].toSorted(([one], [other]) => other.range.start - one.range.start);
  return lastFirst.reduce(
    (text, [{ range }, list]) =>
      `${text.slice(0, range.start)}[${list.map(quoted).join(', ')}]${text.slice(range.end)}`,
    source,
  );
}
