import { spawnSync } from 'node:child_process';

/** Whether this machine has pdftotext and pdfinfo (Debian: poppler-utils). */
export const canReadPdf = spawnSync('pdftotext', ['-v']).status === 0;

function read(program: 'pdftotext' | 'pdfinfo', pdf: Buffer, ...options: string[]): string {
  const input = program === 'pdftotext' ? [...options, '-', '-'] : [...options, '-'];
  const { stdout, status } = spawnSync(program, input, { input: pdf, encoding: 'utf8', maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`${program} ended with ${status}`);
  return stdout;
}

/** Ignores line ends and text direction, which pdftotext guesses. */
const squeezed = (text: string): string => text.replace(/[\s\p{Default_Ignorable_Code_Point}]/gu, '');

export class ReadPdf {
  private readonly all: string;

  constructor(private readonly pdf: Buffer) {
    this.all = squeezed(read('pdftotext', pdf));
  }

  has(text: string): boolean {
    return this.all.includes(squeezed(text));
  }

  /** The same for letters whose parts may be extracted twice. */
  hasLetters(text: string): boolean {
    const letters = Array.from(squeezed(text), (letter) => letter.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return new RegExp(letters.join('\\P{ASCII}{0,8}?'), 'u').test(this.all);
  }

  /** The texts that the PDF does not contain. */
  lacks(texts: readonly string[]): string[] {
    return texts.filter((text) => !this.has(text));
  }

  /** How often the PDF contains this text. */
  times(text: string): number {
    return this.all.split(squeezed(text)).length - 1;
  }

  get info(): Readonly<Record<string, string>> {
    const lines = read('pdfinfo', this.pdf, '-isodates').split('\n');
    return Object.fromEntries(lines.map((line) => /^([^:]+):\s*(.*)$/.exec(line)?.slice(1) ?? ['', '']));
  }

  get pages(): number {
    return Number(this.info['Pages']);
  }

  /** The structure elements for screen readers, with the number of each. */
  get structure(): ReadonlyMap<string, number> {
    const kinds = new Map<string, number>();
    for (const [, kind = ''] of read('pdfinfo', this.pdf, '-struct').matchAll(/^ *(\w+)/gm)) {
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    }
    return kinds;
  }

  /** The names of the targets of internal links. */
  get destinations(): string[] {
    return [...read('pdfinfo', this.pdf, '-dests').matchAll(/"(.*)"$/gm)].map(([, name = '']) => name);
  }

  get addresses(): string[] {
    return [...read('pdfinfo', this.pdf, '-url').matchAll(/Annotation\s+(.*)$/gm)].map(([, address = '']) => address);
  }

  /** Every word with its page and its box, in points from the upper left. */
  words(): Word[] {
    let page = 0;
    const words: Word[] = [];
    const line = /<page|<word xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">(.*)<\/word>/g;
    for (const [tag, left, top, right, bottom, text = ''] of read('pdftotext', this.pdf, '-bbox').matchAll(line)) {
      if (tag === '<page') page += 1;
      else
        words.push({ page, left: Number(left), top: Number(top), right: Number(right), bottom: Number(bottom), text });
    }
    return words;
  }
}

export interface Word {
  readonly page: number;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly text: string;
}
