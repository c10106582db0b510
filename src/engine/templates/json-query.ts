import { isRecord } from '../../kernel/is-record';
import { ExpressionError, ExpressionLimitExceeded } from './expressions/value';

type Step =
  | { readonly kind: 'key'; readonly key: string; readonly optional: boolean }
  | { readonly kind: 'index'; readonly index: number; readonly optional: boolean }
  | { readonly kind: 'each'; readonly optional: boolean };
/** Alternatives, each of which is a list of steps. */
export type JsonQuery = readonly (readonly Step[])[];

const STEP =
  /\s*(?:\.?\[\s*(?:(?<index>-?\d{1,9})\s*|"(?<quoted>[^"\\]{0,200})"\s*|(?<each>))\]|\.(?:(?<key>[A-Za-z_]\w{0,200})|"(?<name>[^"\\]{0,200})")|(?<self>\.)(?=\s*(?:$|[|,[])))(?<optional>\?)?/y;

function stepOf(groups: Readonly<Record<string, string | undefined>>): Step | null {
  const { index, quoted, each, key, name, self } = groups;
  const optional = groups['optional'] !== undefined;
  if (self !== undefined) return null;
  if (index !== undefined) return { kind: 'index', index: Number(index), optional };
  if (each !== undefined) return { kind: 'each', optional };
  return { kind: 'key', key: quoted ?? key ?? name ?? '', optional };
}

/** Parses paths of jq: `.a.b[0]`, `.[]`, `.["a"]`, `|` and `,`. Functions and conditions of jq are not supported. */
export function parseJsonQuery(source: string): JsonQuery {
  const alternatives: Step[][] = [[]];
  const { length } = source.trimEnd();
  for (let at = 0; at < length;) {
    STEP.lastIndex = at;
    const groups = STEP.exec(source)?.groups;
    const rest = source.slice(at).trimStart();
    const isJoint = rest.startsWith('|') || rest.startsWith(',');
    if (groups === undefined && !isJoint)
      throw new ExpressionError(`"${rest.slice(0, 40)}" is not supported; only paths such as .a[0].b and .[] | .c`);
    if (rest.startsWith(',')) alternatives.push([]);
    const step = groups === undefined ? null : stepOf(groups);
    if (step !== null) alternatives.at(-1)?.push(step);
    at = groups === undefined ? source.length - rest.length + 1 : STEP.lastIndex;
  }
  if (source.includes(',') && source.includes('|'))
    throw new ExpressionError('a comma together with | is not supported');
  return alternatives;
}

const MOST_RESULTS = 1_000;

/** The values that one step leads to. As in jq, a missing key gives null. A value of another type gives none. */
function next(value: unknown, step: Step): unknown[] {
  if (step.kind === 'each') {
    if (Array.isArray(value)) return value as unknown[];
    return isRecord(value) ? Object.values(value) : [];
  }
  if (step.kind === 'index') return Array.isArray(value) ? [value.at(step.index)] : [];
  return isRecord(value) && Object.hasOwn(value, step.key) ? [value[step.key]] : [];
}

function textOfJson(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return JSON.stringify(value);
  } catch {
    throw new ExpressionLimitExceeded('a JSON document is nested too deeply');
  }
}

/** Parsed without interruption, so longer documents are refused. */
const LONGEST_DOCUMENT = 300_000;

/** The values that the query finds in a document, as texts and without nulls. */
export function queryJson(text: string, query: JsonQuery): string[] {
  if (text.length > LONGEST_DOCUMENT)
    throw new ExpressionLimitExceeded(`a JSON document is longer than ${LONGEST_DOCUMENT} characters`);
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch {
    return [];
  }
  return query.flatMap((steps) => {
    let values: unknown[] = [document];
    for (const step of steps) values = values.flatMap((value) => next(value, step)).slice(0, MOST_RESULTS);
    return values.filter((value) => value !== null && value !== undefined).map(textOfJson);
  });
}
