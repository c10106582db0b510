/** A pattern that no sample is made for. */
export class NoSample extends Error {}

const CLASSES: Readonly<Record<string, string>> = { d: '1', w: 'a', s: ' ', D: 'a', W: ' ', S: 'a' };
const NAMED: Readonly<Record<string, string>> = {
  alpha: 'a',
  digit: '1',
  alnum: 'a',
  lower: 'a',
  upper: 'A',
  space: ' ',
  punct: '!',
  xdigit: 'a',
  word: 'a',
  print: 'a',
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', a: '\x07' };
const CANDIDATES = `a1A_ -.<>"'/=:;,!?()[]{}@#$%&*+|~\n\r\t\\^\`é`;

/** The shortest text that a pattern in the dialect of RE2 describes. `isLonger` repeats what may be missing once. */
class Sampler {
  private at = 0;
  private group = 0;

  constructor(
    private readonly pattern: string,
    private readonly isLonger: boolean,
    private readonly values: ReadonlyMap<number, string>,
  ) {}

  whole(): string {
    const text = this.alternatives();
    if (this.at < this.pattern.length) throw new NoSample(`${this.pattern[this.at]} is not expected`);
    return text;
  }

  /** The first one that is not empty. */
  private alternatives(): string {
    const found = [this.sequence()];
    while (this.takes('|')) found.push(this.sequence());
    return found.find((text) => text !== '') ?? '';
  }

  private takes(text: string): boolean {
    if (!this.pattern.startsWith(text, this.at)) return false;
    this.at += text.length;
    return true;
  }

  private sequence(): string {
    let text = '';
    while (this.at < this.pattern.length && !/[|)]/.test(this.pattern[this.at] ?? '')) {
      const atom = this.atom();
      text += atom.repeat(this.repetitions());
    }
    return text;
  }

  private repetitions(): number {
    const [whole, , least] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.pattern.slice(this.at))
      ? this.quantifier()
      : [];
    if (whole === undefined) return 1;
    return Math.max(Number(least), this.isLonger ? 1 : 0);
  }

  private quantifier(): readonly string[] {
    const [whole = '', digits] = /^(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/.exec(this.pattern.slice(this.at)) ?? [];
    this.at += whole.length;
    return [whole, '', digits ?? (whole.startsWith('+') ? '1' : '0')];
  }

  private atom(): string {
    const one = this.pattern[this.at] ?? '';
    this.at += 1;
    if (one === '(') return this.groupText();
    if (one === '[') return this.classText();
    if (one === '\\') return this.escape();
    if (one === '.') return '-';
    return one === '^' || one === '$' ? '' : one;
  }

  private groupText(): string {
    if (/^\?[a-zA-Z-]+\)/.test(this.pattern.slice(this.at))) {
      this.at = this.pattern.indexOf(')', this.at) + 1;
      return '';
    }
    const [head = ''] = /^\?(?:P?<\w+>|[a-zA-Z-]*:)/.exec(this.pattern.slice(this.at)) ?? [];
    this.at += head.length;
    const number = head === '' || head.includes('<') ? (this.group += 1) : 0;
    const text = this.alternatives();
    if (!this.takes(')')) throw new NoSample('a group is not closed');
    return this.values.get(number) ?? text;
  }

  private escape(): string {
    const one = this.pattern[this.at] ?? '';
    this.at += 1;
    if (one === 'Q') {
      const end = this.pattern.indexOf('\\E', this.at);
      const text = this.pattern.slice(this.at, end < 0 ? undefined : end);
      this.at = end < 0 ? this.pattern.length : end + 2;
      return text;
    }
    if (one === 'x') {
      const [whole = '', braces, plain] = /^(?:\{([\da-f]+)\}|([\da-f]{2}))/i.exec(this.pattern.slice(this.at)) ?? [];
      this.at += whole.length;
      return String.fromCodePoint(Number.parseInt(braces ?? plain ?? '0', 16));
    }
    if (/[bBAzZ]/.test(one)) return '';
    if (/[pP]/.test(one)) {
      this.at += this.pattern[this.at] === '{' ? this.pattern.slice(this.at).indexOf('}') + 1 : 1;
      return 'a';
    }
    return CLASSES[one] ?? ESCAPES[one] ?? one;
  }

  private classText(): string {
    const from = this.at;
    this.at += this.pattern[this.at] === '^' ? 1 : 0;
    this.at += this.pattern[this.at] === ']' ? 1 : 0;
    while (this.at < this.pattern.length && this.pattern[this.at] !== ']') {
      if (this.pattern.startsWith('[:', this.at)) this.at = this.pattern.indexOf(':]', this.at) + 1;
      else if (this.pattern[this.at] === '\\') this.at += 1;
      this.at += 1;
    }
    const source = this.pattern
      .slice(from, this.at)
      .replaceAll(/\[:(\w+):\]/g, (_all, name: string) => NAMED[name] ?? '')
      .replace(/^(\^?)\]/, '$1\\]')
      .replaceAll(/(?<!\\)\[/g, '\\[');
    this.at += 1;
    const expression = new RegExp(`[${source}]`);
    const found = CANDIDATES.split('').find((one) => expression.test(one));
    const first = /^(?:\\x[\da-f]{2}|\\?[^])/i.exec(source)?.[0] ?? '';
    if (found === undefined && first === '') throw new NoSample(`[${source}] has no usual character`);
    return found ?? first.replace('\\', '');
  }
}

/** A text that the pattern finds, with these texts in its groups where they are given. */
export function sampleOf(
  pattern: string,
  {
    isLonger = false,
    values = new Map<number, string>(),
  }: { isLonger?: boolean; values?: ReadonlyMap<number, string> } = {},
): string {
  try {
    return new Sampler(pattern, isLonger, values).whole();
  } catch (error) {
    if (error instanceof SyntaxError) throw new NoSample(error.message);
    throw error;
  }
}
