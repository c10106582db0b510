/** The texts before, between and after the values of a statement. */
class Texts {
  private numbered: string | undefined;

  constructor(readonly strings: readonly string[]) {}

  /** With numbered parameters. */
  get text(): string {
    this.numbered ??= this.strings.reduce((text, next, index) => `${text}$${index}${next}`);
    return this.numbered;
  }
}

/**
 * A part of a SQL statement with its values. `sql\`… ${value} …\`` converts each value to a parameter and inserts other
 * parts, so that conditions can be reused and values never become SQL text.
 */
export class Sql {
  constructor(
    readonly texts: Texts,
    readonly values: readonly unknown[],
  ) {}

  /** The statement with numbered parameters. */
  build(): { text: string; values: unknown[] } {
    return { text: this.texts.text, values: [...this.values] };
  }
}

/** A template up to one of its inputs, and where it continues: by the texts of a part, or undefined for a value. */
class Prefix {
  private readonly continued = new Map<Texts | undefined, Prefix>();
  whole: Texts | undefined;

  with(part: Texts | undefined): Prefix {
    let next = this.continued.get(part);
    if (next === undefined) {
      prefixes++;
      this.continued.set(part, (next = new Prefix()));
    }
    return next;
  }
}

/** With their texts, about 20 MB. The filters of findings alone have 100,000 combinations. */
const MAX_PREFIXES = 50_000;

let templates = new WeakMap<TemplateStringsArray, Prefix>();
let prefixes = 0;

function prefixOf(strings: TemplateStringsArray): Prefix {
  const known = templates.get(strings);
  if (known !== undefined) return known;
  const prefix = new Prefix();
  templates.set(strings, prefix);
  return prefix;
}

/**
 * The texts of a template with the same parts are joined once. Joining and hashing them for each statement takes 3 % of the
 * processor time of a page of findings.
 */
export function sql(strings: TemplateStringsArray, ...inputs: unknown[]): Sql {
  if (prefixes > MAX_PREFIXES) {
    templates = new WeakMap();
    prefixes = 0;
  }
  let prefix = prefixOf(strings);
  const values: unknown[] = [];
  for (const input of inputs) {
    const part = input instanceof Sql ? input : undefined;
    prefix = prefix.with(part?.texts);
    if (part === undefined) values.push(input);
    else values.push(...part.values);
  }
  prefix.whole ??= new Texts(joinedTexts(strings, inputs));
  return new Sql(prefix.whole, values);
}

function joinedTexts(strings: readonly string[], inputs: readonly unknown[]): string[] {
  const texts: string[] = [strings[0] ?? ''];
  inputs.forEach((input, index) => {
    const [first = '', ...others] = input instanceof Sql ? input.texts.strings : ['', ''];
    texts[texts.length - 1] += first;
    texts.push(...others);
    texts[texts.length - 1] += strings[index + 1] ?? '';
  });
  return texts;
}

const literals = new Map<string, Texts>();

/** Literal SQL text. Only for constants in the source code, never for input. */
export function raw(text: string): Sql {
  let texts = literals.get(text);
  if (texts === undefined) literals.set(text, (texts = new Texts([text])));
  return new Sql(texts, []);
}

export const emptySql = raw('');

export function join(pieces: readonly Sql[], separator: string): Sql {
  const between = raw(separator);
  return pieces.reduce((all, piece, index) => (index === 0 ? piece : sql`${all}${between}${piece}`), emptySql);
}

/** Combines the defined conditions with AND; `TRUE` if there are none. */
export const allOf = (conditions: readonly (Sql | undefined)[]): Sql => {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? raw('TRUE') : join(present, ' AND ');
};

/**
 * Runs a query for each row before it, however few rows PostgreSQL believes there are: it has no statistics about what an
 * organization stores first, and would join all of it. The query looks up rows by one key; all other conditions are in
 * `which`, since to PostgreSQL an index for them would look as cheap as that of the key.
 */
export const forEachRow = (query: Sql, name: string, which: Sql = raw('TRUE')): Sql =>
  sql`JOIN LATERAL (${query} OFFSET 0) ${raw(name)} ON ${which}`;
