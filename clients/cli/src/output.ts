import { safeLine } from '../../sdk/src';

export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
}

export type Cell = string | number | null | undefined;

const COLORS: Readonly<Record<string, number>> = {
  critical: 31,
  cosmic: 31,
  high: 31,
  medium: 33,
  low: 36,
  still_vulnerable: 31,
  fixed: 32,
  passed: 32,
  failed: 31,
  inconclusive: 33,
  blocked: 33,
};
const SPINNER = '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏';
const FALLBACK_WIDTH = 80;
const MIN_COLUMN = 10;
/** Columns of texts, which give way on a narrow terminal. What is copied never does. */
const YIELDING = new Set(['FINDING', 'ASSET', 'EVENT', 'LABELS', 'WHERE', 'CHECK']);

export class Output {
  private progressText = '';
  private timer: NodeJS.Timeout | undefined;
  private readonly began = Date.now();

  constructor(
    private readonly terminal: Terminal,
    readonly json: boolean,
    private readonly hasColor: boolean,
  ) {}

  /** Whether a person sees the messages now. */
  get isLive(): boolean {
    return (
      this.terminal.stderr.isTTY === true &&
      this.terminal.env['TERM'] !== 'dumb' &&
      this.terminal.env['CI'] === undefined
    );
  }

  get isTable(): boolean {
    return this.terminal.stdout.isTTY === true;
  }

  /** Data: a record is a line of JSON with --json, else what `text` makes of it. */
  record(record: unknown, text: () => string): void {
    this.stopProgress();
    this.terminal.stdout.write(`${this.json ? jsonLine(record) : text()}\n`);
  }

  /** A table on a terminal, else a line with tabs for each record. */
  table<Row>(rows: readonly Row[], columns: Readonly<Record<string, (row: Row) => Cell>>): void {
    this.stopProgress();
    const { stdout } = this.terminal;
    if (this.json) return rows.forEach((row) => void stdout.write(`${jsonLine(row)}\n`));
    const cells = rows.map((row) => Object.values(columns).map((cell) => safeLine(cell(row))));
    if (!this.isTable) return cells.forEach((line) => void stdout.write(`${line.join('\t')}\n`));
    if (rows.length === 0) return;
    const table = [Object.keys(columns), ...cells];
    const widths = fitted(table, stdout.columns || FALLBACK_WIDTH);
    table.forEach((line, at) => {
      const texts = line.map((text, column) =>
        this.colored(padded(text, widths[column] ?? 0), at === 0 ? 'head' : text),
      );
      stdout.write(`${texts.join('  ').trimEnd()}\n`);
    });
  }

  /** A message: never data. */
  say(text: string): void {
    this.stopProgress();
    this.terminal.stderr.write(`${text}\n`);
  }

  colored(text: string, word: string): string {
    if (!this.hasColor || text.trim() === '') return text;
    const code = word === 'head' ? 1 : COLORS[word];
    return code === undefined ? text : `\u001b[${code}m${text}\u001b[0m`;
  }

  /** What is waited for: a moving line on a terminal, else a line for each change. */
  progress(text: string): void {
    if (text === this.progressText) return;
    this.progressText = text;
    if (!this.isLive) return void this.terminal.stderr.write(`${text}\n`);
    this.timer ??= setInterval(() => this.draw(), 100).unref();
    this.draw();
  }

  private draw(): void {
    const elapsed = Date.now() - this.began;
    const wheel = SPINNER[Math.floor(elapsed / 100) % SPINNER.length];
    const line = `${wheel} ${this.progressText} (${Math.floor(elapsed / 1_000)} s)`;
    this.terminal.stderr.write(`\r\u001b[K${line.slice(0, (this.terminal.stderr.columns || FALLBACK_WIDTH) - 1)}`);
  }

  stopProgress(): void {
    if (this.timer === undefined) return;
    clearInterval(this.timer);
    this.timer = undefined;
    this.progressText = '';
    this.terminal.stderr.write('\r\u001b[K');
  }
}

/** Escapes what JSON leaves as it is, but a terminal obeys. */
const jsonLine = (record: unknown): string =>
  JSON.stringify(record).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (letter) =>
    Array.from({ length: letter.length }, (_unit, at) => letter.charCodeAt(at).toString(16).padStart(4, '0'))
      .map((code) => `\\u${code}`)
      .join(''),
  );

const lengthOf = (text: string): number => Array.from(text).length;
const padded = (text: string, width: number): string => {
  const letters = Array.from(text);
  return letters.length > width
    ? `${letters.slice(0, width - 1).join('')}…`
    : text + ' '.repeat(width - letters.length);
};

/** A moment as a table shows it. */
export const timeText = (time: string | null | undefined): string =>
  time === null || time === undefined ? '' : time.slice(0, 16).replace('T', ' ');

/** The widths of columns: the widest texts give way until a line fits. */
function fitted(table: readonly (readonly string[])[], width: number): number[] {
  const widths = (table[0] ?? []).map((_head, column) =>
    Math.max(...table.map((line) => lengthOf(line[column] ?? ''))),
  );
  const total = (): number => widths.reduce((sum, one) => sum + one + 2, -2);
  const isYielding = (_width: number, column: number): boolean => YIELDING.has(table[0]?.[column] ?? '');
  for (let over = total() - width; over > 0; over = total() - width) {
    const widest = Math.max(...widths.filter(isYielding));
    if (!(widest > MIN_COLUMN)) break;
    const column = widths.findIndex((one, at) => one === widest && isYielding(one, at));
    widths[column] = Math.max(MIN_COLUMN, widest - over, Math.floor(widest / 2));
  }
  return widths;
}
