/** The headers of a message, in the order received, including repetitions. */
export class Headers {
  constructor(readonly fields: readonly (readonly [name: string, value: string])[]) {}

  /** From alternating names and values, as Node returns them. */
  static ofPairs(raw: readonly unknown[]): Headers {
    return new Headers(raw.flatMap((name, at) => (at % 2 === 0 ? [[String(name), String(raw[at + 1])] as const] : [])));
  }

  all(name: string): string[] {
    const wanted = name.toLowerCase();
    return this.fields.filter(([field]) => field.toLowerCase() === wanted).map(([, value]) => value);
  }

  /** The first header with that name. */
  get(name: string): string | null {
    return this.all(name)[0] ?? null;
  }

  toString(): string {
    return this.fields.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  }
}
