import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { dump, load, loadAll, YAML11_SCHEMA } from 'js-yaml';

/** The part of the template language that our charts use, as JavaScript. All else is an error, also a value that is missing. */
const isTrue = (value: unknown): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value);
const fail = (message: string): never => {
  throw new Error(message);
};

const FUNCTIONS = {
  quote: (value: unknown) => JSON.stringify(String(value)),
  toYaml: (value: unknown) => dump(value).trimEnd(),
  nindent: (width: number, text: string) => `\n${text}`.replace(/\n/g, `\n${' '.repeat(width)}`),
  dict: (...items: unknown[]) =>
    Object.fromEntries(items.flatMap((item, index) => (index % 2 === 0 ? [[item, items[index + 1]] as const] : []))),
  list: (...items: unknown[]) => items,
  concat: (...lists: unknown[][]) => lists.flat(),
  join: (separator: string, items: unknown[]) => items.join(separator),
  default: (other: unknown, value: unknown) => (isTrue(value) ? value : other),
  required: (message: string, value: unknown) => (isTrue(value) ? value : fail(message)),
  ternary: (yes: unknown, no: unknown, test: boolean) => (test ? yes : no),
  not: (value: unknown) => !isTrue(value),
  lt: (one: number, other: number) => one < other,
  add: (...numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0),
  sub: (one: number, other: number) => one - other,
  div: (one: number, other: number) => Math.trunc(one / other),
  printf: (format: string, ...args: unknown[]) => format.replace(/%[sd]/g, () => String(args.shift())),
  fail,
};
/** What the JavaScript of a template calls besides. */
const environment = {
  isTrue,
  get: (value: object, ...names: string[]) =>
    names.reduce<unknown>(
      (from, name) => (Object.hasOwn(from as object, name) ? Reflect.get(from as object, name) : fail(`no ${name}`)),
      value,
    ),
  entries: (value: object) =>
    Object.entries(value).sort(([one], [other]) => one.localeCompare(other, 'en', { numeric: true })),
};

/** `include "a" . | quote` becomes `f.quote(f.include("a", dot))`. */
function expression(text: string): string {
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[()|]|[^\s()|]+/g) ?? [];
  const operand = (token: string): string => {
    if (token === '(') return pipeline(')');
    if (/^("|\d+$|true$|false$)/.test(token)) return token;
    const [, variable = '', path = ''] = /^(\$\w*)?((?:\.\w+)*|\.)$/.exec(token) ?? fail(`${token} is not understood.`);
    const names = path.split('.').filter((name) => name !== '');
    return `get(${[variable === '' ? 'dot' : variable, ...names.map((name) => JSON.stringify(name))].join(', ')})`;
  };
  const pipeline = (end: ')' | undefined): string => {
    let value: string | undefined;
    for (;;) {
      const name = /^(?!true$|false$)[a-z]\w+$/i.test(tokens[0] ?? '') ? tokens.shift() : undefined;
      const args: string[] = [];
      while (tokens.length > 0 && tokens[0] !== '|' && tokens[0] !== ')') args.push(operand(tokens.shift() ?? ''));
      if (value !== undefined) args.push(value);
      if (name === undefined && args.length !== 1) fail(`{{ ${text} }} is not one value.`);
      if (name !== undefined && name !== 'include' && !Object.hasOwn(FUNCTIONS, name)) fail(`${name} is not known.`);
      value = name === undefined ? args[0] : `f.${name}(${args.join(', ')})`;
      const next = tokens.shift();
      if (next === end) return value ?? '';
      if (next !== '|') fail(`{{ ${text} }} is not understood.`);
    }
  };
  return pipeline(undefined);
}

/** `open` has the ends of the blocks that are open. */
function statement(action: string, open: string[]): string {
  const [, word = '', rest = ''] = /^(define|if|range|\/\*)\s*(.*)$/s.exec(action) ?? [];
  const block = (begin: string, end: string): string => (open.push(end), begin);
  if (word === '/*') return '';
  if (action === 'end') return open.pop() ?? fail('{{ end }} closes nothing.');
  if (action === 'else') return '} else {';
  if (word === 'if') return block(`if (isTrue(${expression(rest)})) {`, '}');
  if (word === 'define') return block(`f.defined[${rest}] = (dot) => { const $ = dot; let out = '';`, 'return out; };');
  const text = word === '' ? action : rest;
  const [, first = '', second = '', value = ''] = /^(\$\w+)(?:,\s*(\$\w+))?\s*:=\s*(.*)$/s.exec(text) ?? [];
  const key = second === '' ? '' : first;
  if (word === 'range')
    return block(`for (const [${key}, ${second || first}] of entries(${expression(value)})) {`, '}');
  return first === '' ? `out += ${expression(text)};` : `const ${first} = ${expression(value)};`;
}

/** `{{-` removes the white space before it, and `-}}` that behind it. */
function compiled(text: string): string {
  const pieces = text
    .replace(/\s*\{\{-/g, '{{')
    .replace(/-\}\}\s*/g, '}}')
    .split(/\{\{\s*|\s*\}\}/);
  const open: string[] = [];
  const lines = pieces.map((piece, index) =>
    index % 2 === 0 ? `out += ${JSON.stringify(piece)};` : statement(piece, open),
  );
  if (open.length > 0) fail('A block has no end.');
  return `(dot) => { const $ = dot; let out = ''; ${lines.join('\n')}\n return out; }`;
}

type Values = Readonly<Record<string, unknown>>;
const isMap = (value: unknown): value is Values => typeof value === 'object' && value !== null && !Array.isArray(value);

const merged = (base: Values, more: Values): Values => ({
  ...base,
  ...Object.fromEntries(
    Object.entries(more).map(([key, value]) => {
      const before = base[key];
      return [key, isMap(before) && isMap(value) ? merged(before, value) : value];
    }),
  ),
});

/** The objects of a chart with these values over its own, as `helm template assay FOLDER` makes them. */
export function renderChart<T>(folder: string, values: Values, isInstall = true): T[] {
  const read = (name: string) => load(readFileSync(join(folder, name), 'utf8'), { schema: YAML11_SCHEMA }) as Values;
  const { appVersion: AppVersion } = read('Chart.yaml');
  const Release = { Name: 'assay', Namespace: 'default', IsInstall: isInstall };
  const dot = { Values: merged(read('values.yaml'), values), Release, Chart: { AppVersion } };
  const defined: Record<string, (dot: unknown) => string> = {};
  const include = (name: string, given: unknown) => (defined[name] ?? fail(`${name} is not defined.`))(given);
  const scope = { ...environment, f: { ...FUNCTIONS, include, defined } };
  return readdirSync(join(folder, 'templates'))
    .map((name) => compiled(readFileSync(join(folder, 'templates', name), 'utf8')))
    .map((code) => runInNewContext(code, scope) as (dot: unknown) => string)
    .map((render) => render(dot))
    .flatMap((text) => loadAll(text, { schema: YAML11_SCHEMA }) as (T | null | undefined)[])
    .filter((one) => one !== null && one !== undefined);
}
