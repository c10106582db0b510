/**
 * A piece of SQL with its values. `sql\`… ${value} …\`` turns each value into a parameter and splices in other pieces,
 * so that a condition can be written once and used in many statements, and no value ever becomes text.
 */
export class Sql {
  constructor(
    readonly strings: readonly string[],
    readonly values: readonly unknown[],
  ) {}

  /** The statement with numbered parameters, as PostgreSQL wants it. */
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

/** Text that is part of the statement itself. Only ever for constants of our own source: nothing a caller sent. */
export const raw = (text: string): Sql => new Sql([text], []);

export const emptySql = raw('');

export function join(pieces: readonly Sql[], separator: string): Sql {
  const between = raw(separator);
  return pieces.reduce((all, piece, index) => (index === 0 ? piece : sql`${all}${between}${piece}`), emptySql);
}

/** All conditions that are there, as one; `TRUE` when there are none. */
export const allOf = (conditions: readonly (Sql | undefined)[]): Sql => {
  const present = conditions.filter((condition) => condition !== undefined);
  return present.length === 0 ? raw('TRUE') : join(present, ' AND ');
};
