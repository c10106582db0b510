/**
 * A part of a SQL statement with its values. `sql\`… ${value} …\`` converts each value to a parameter and inserts other
 * parts, so that conditions can be reused and values never become SQL text.
 */
export class Sql {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
  ) {}

  /** The statement with numbered parameters. */
  build(): { text: string; values: unknown[] } {
    let text = this.strings[0] ?? '';
    for (let index = 0; index < this.values.length; index++) text += `$${index + 1}${this.strings[index + 1]}`;
    return { text, values: [...this.values] };
  }
}

export function sql(strings: TemplateStringsArray, ...inputs: unknown[]): Sql {
  const texts: string[] = [strings[0] ?? ''];
  const values: unknown[] = [];
  const append = (text: string): void => {
    texts[texts.length - 1] += text;
  };
  inputs.forEach((input, index) => {
    if (input instanceof Sql) {
      append(input.strings[0] ?? '');
      input.values.forEach((value, inner) => {
        values.push(value);
        texts.push(input.strings[inner + 1] ?? '');
      });
    } else {
      values.push(input);
      texts.push('');
    }
    append(strings[index + 1] ?? '');
  });
  return new Sql(texts, values);
}

/** Literal SQL text. Only for constants in the source code, never for input. */
export const raw = (text: string): Sql => new Sql([text], []);

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
