/** Repetitions above this number count as loops. */
const LOOP = 50;
/** One of each kind of characters that an expression tells apart is looked for among these. */
const CHARACTERS = Array.from('\0\t\n\r\v\f\u00a0\ufeff\u00e9\u0131\u212a\uff1d\u{1f600}')
  .concat(Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)))
  .concat(Array.from('\ufffd\u200b\u202e\ue000\x7f\x80'));
const MOST_PUMPS = 8;

interface Atom {
  /** What it matches, a text. */
  readonly sample: string;
  /** Texts that it matches repeatedly. */
  readonly pumps: readonly string[];
}

/** Texts that make an expression with nested, adjacent or restarted loops try again from each place. */
interface AttackParts {
  readonly before: string;
  readonly pump: string;
}

/** Reads the syntax of an expression as far as it takes to reach each of its loops. */
class ExpressionReader {
  readonly attacks: AttackParts[] = [];
  private at = 0;
  private readonly known = new Map<string, readonly string[]>();
  private readonly unicode: string;

  constructor(
    private readonly source: string,
    flags: string,
    private readonly alphabet: readonly string[],
  ) {
    this.unicode = flags.replace(/[gym]/g, '');
  }

  read(): void {
    this.alternatives('');
  }

  /** Up to the end of the group. */
  private alternatives(before: string): Atom {
    const all: Atom[] = [];
    do {
      if (this.source[this.at] === '|') this.at += 1;
      let sample = '';
      while (this.at < this.source.length && !'|)'.includes(this.source[this.at] ?? ''))
        sample += this.term(before + sample);
      all.push({ sample, pumps: sample === '' ? [] : [sample] });
    } while (this.source[this.at] === '|');
    return { sample: all[0]?.sample ?? '', pumps: all.flatMap(({ pumps }) => pumps).slice(0, MOST_PUMPS) };
  }

  private take(pattern: RegExp): RegExpExecArray | null {
    const sticky = new RegExp(pattern.source, 'y');
    sticky.lastIndex = this.at;
    const found = sticky.exec(this.source);
    this.at += found?.[0].length ?? 0;
    return found;
  }

  private term(before: string): string {
    const assertion = this.take(/\^|\$|\\[bB]|\(\?(<?)[=!]/);
    if (assertion !== null && !assertion[0].startsWith('(')) return '';
    const atom =
      assertion !== null || this.take(/\((?:\?:|\?<\w+>|\?[a-z-]+:)?/) ? this.group(before) : this.character();
    const [quantifier, , digits, comma, most] = this.take(/([*+?]|\{(\d+)(,?)(\d*)\})\??/) ?? [];
    let least = quantifier === undefined || quantifier.startsWith('+') ? 1 : Number(digits ?? 0);
    const isLoop =
      quantifier !== undefined &&
      !quantifier.startsWith('?') &&
      (digits === undefined || (comma === ',' && (most === '' || Number(most) > LOOP)));
    if (isLoop) for (const pump of atom.pumps) this.attacks.push({ before, pump });
    if (isLoop) least = Math.max(least, 1);
    const isAhead = assertion !== null && (assertion[1] === '' || assertion[0].endsWith('!'));
    return isAhead ? '' : atom.sample.repeat(Math.min(least, 2_000));
  }

  private group(before: string): Atom {
    const atom = this.alternatives(before);
    this.at += 1;
    return atom;
  }

  private character(): Atom {
    const [text = ''] = this.take(/\[(?:\\.|[^\]\\])*\]/s) ??
      this.take(/\\(?:u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|[pP]\{[^}]*\}|k<\w+>|[^])/i) ??
      this.take(/[\ud800-\udbff][\udc00-\udfff]|[^]/) ?? [''];
    if (/^\\(?:k<|[1-9])/.test(text)) return { sample: '', pumps: [] };
    const known = this.known.get(text) ?? this.matched(text);
    this.known.set(text, known);
    return { sample: known[0] ?? '', pumps: known.slice(0, MOST_PUMPS) };
  }

  private matched(text: string): readonly string[] {
    const one = new RegExp(`^${text === '/' ? '\\/' : text}$`, this.unicode);
    const found = this.alphabet.filter((character) => one.test(character));
    return found.length > 0 || /^[[\\.]/.test(text) ? found : [text];
  }
}

/** One character of each kind, those first that the most classes of the expression match. */
function alphabetOf(source: string, flags: string): string[] {
  const parts = source
    .replace(/\(\?<\w+>/g, '(')
    .match(/\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|.)|\[(?:\\.|[^\]\\])*\]|[^]/gi);
  const tests = [...new Set(parts)]
    .filter((text) => !/^(?:[*+?^$()|{}]|\\[bBk\d])$/.test(text))
    .flatMap((text) => {
      try {
        return [
          {
            one: new RegExp(`^${text === '/' ? '\\/' : text}$`, flags.replace(/[gym]/g, '')),
            weight: text.length > 1 || text === '.' ? 10 : 1,
          },
        ];
      } catch {
        return [];
      }
    });
  const kinds = new Map<string, { character: string; weight: number }>();
  for (const character of CHARACTERS) {
    const matching = tests.map(({ one, weight }) => (one.test(character) ? weight : 0));
    const kind = matching.join();
    if (!kinds.has(kind)) kinds.set(kind, { character, weight: matching.reduce((sum, weight) => sum + weight, 0) });
  }
  return [...kinds.values()].sort((a, b) => b.weight - a.weight).map(({ character }) => character);
}

/** Builds an attack of about so many characters. */
type Attack = (length: number) => string;

const ENDS = ['\0', '\n\0', '\0\n\0'];

/** Attacks on each loop of an expression. */
function attacksOn({ source, flags }: RegExp): Attack[] {
  const reader = new ExpressionReader(source, flags, alphabetOf(source, flags));
  reader.read();
  const attacks = new Map<string, Attack>();
  const add = (before: string, unit: string): void => {
    if (unit !== '')
      for (const end of ENDS)
        attacks.set(JSON.stringify([before, unit, end]), (length) => before + unit.repeat(length / unit.length) + end);
  };
  for (const { before, pump } of reader.attacks) {
    add('', pump);
    add(before, pump);
    add('', before);
    add('', before + pump);
    add('', `${before}${pump}\n`);
  }
  return [...attacks.values()];
}

/**
 * The time in milliseconds of one search of a whole text: that of the processor, without other processes, or of a clock,
 * because some systems count the processor in steps.
 */
function timeOf(expression: RegExp, text: string): number {
  // Compiled anew, because one that has matched keeps its last result.
  const searched = new RegExp(expression.source, expression.flags);
  const start = process.cpuUsage();
  const began = performance.now();
  if (searched.global) text.replace(searched, '');
  else searched.test(text);
  const elapsed = performance.now() - began;
  const { user, system } = process.cpuUsage(start);
  return Math.min(elapsed, (user + system) / 1000);
}

/** The least of some times, of which a long one is measured once. */
function fastest(expression: RegExp, text: string, times: number): number {
  const first = timeOf(expression, text);
  if (times === 1 || first > 200) return first;
  return Math.min(first, fastest(expression, text, times - 1));
}

/** Lengths grow, so that one which would take for ever is found with few characters. */
const FIRST_LENGTHS = [16, 24, 200, 1_000];
const SCREENED_LENGTH = 3_000;
const LENGTH = 16_000;

/** The attack with which a search takes superlinear time, and the times; null if none does. */
export function superlinearAttack(expression: RegExp): string | null {
  const takes = (text: string, least: number): boolean =>
    fastest(expression, text, 1) > least && fastest(expression, text, 3) > least;
  // A large expression takes as long with half the text, which is its compilation.
  const grows = (attack: Attack, length: number): boolean =>
    fastest(expression, attack(length), 3) > 3 * fastest(expression, attack(length / 2), 3);
  for (const attack of attacksOn(expression)) {
    const shown = JSON.stringify(attack(40));
    const length = FIRST_LENGTHS.find((one) => takes(attack(one), 4) && grows(attack, one));
    if (length !== undefined) return `takes long with ${length} characters such as ${shown}`;
    if (!takes(attack(SCREENED_LENGTH), 0.7)) continue;
    const half = fastest(expression, attack(LENGTH / 2), 2);
    const whole = fastest(expression, attack(LENGTH), 2);
    if (whole > 25 && whole > 3 * half)
      return `takes ${half.toFixed()} ms with ${LENGTH / 2} characters and ${whole.toFixed()} ms with ${LENGTH}, such as ${shown}`;
  }
  return null;
}
