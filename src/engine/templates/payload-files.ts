import { load } from 'js-yaml';
import { SourceLines, type SourceRange } from './source-lines';
import { placeText, type ProblemPath } from './template-problem';

/** A payload of a template whose values are the lines of a file. */
export interface PayloadFile {
  /** As the template states it. */
  readonly path: string;
  readonly line: number;
  /** Such as `http[0].payloads.password`. */
  readonly place: string;
  readonly range: SourceRange;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(source: string): unknown {
  try {
    return load(source, { maxDepth: 12, maxAliases: 0 });
  } catch {
    // The compiler of the template reports what is wrong with it.
    return null;
  }
}

/** The files that a template names, without those in a template that is no YAML. */
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

/** Text in double quotes that YAML reads as it is, on one line. */
const quoted = (value: string): string =>
  JSON.stringify(value).replaceAll(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The template with the values in the place of the names of the files. Its lines stay where they are. */
export function withPayloadValues(source: string, values: ReadonlyMap<PayloadFile, readonly string[]>): string {
  const lastFirst = [...values].toSorted(([one], [other]) => other.range.start - one.range.start);
  return lastFirst.reduce(
    (text, [{ range }, list]) =>
      `${text.slice(0, range.start)}[${list.map(quoted).join(', ')}]${text.slice(range.end)}`,
    source,
  );
}
