import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { readScannerFile, type ScannerFile } from './read-scanner-file';
import type { ThreadAnswer, ThreadTask } from './row-batch';
import type { ScannedRow } from './scanner-finding';
import type { ScannerFormat } from './scanner-format';
import { UnreadableFileError } from './unreadable-file-error';

/** Small, so that other requests wait only about ten milliseconds for the locks of a batch. */
const BATCH_ROWS = 100;
const BATCH_CHARACTERS = 500_000;

/** An estimate of the memory that a row takes. */
const sizeOf = ({ finding }: ScannedRow): number =>
  finding === undefined
    ? 0
    : (finding.description?.length ?? 0) +
      (finding.remediation?.length ?? 0) +
      (finding.evidence?.length ?? 0) +
      (finding.template?.length ?? 0) +
      1_000;

/**
 * After this many parts, the thread lowers its priority, so that the event loop and small files go first when processors are
 * scarce.
 */
const PARTS_BEFORE_OTHERS = 16;

/** Only on Linux does the priority apply to this thread alone. */
function lowerPriority(): void {
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

/** The program of a thread that reads one file for `readInThread`. */
class FileReading {
  private rows: ScannedRow[] = [];
  private size = 0;
  private format: ScannerFormat | null = null;
  private ignoredColumns: readonly string[] = [];

  constructor(
    private readonly port: NonNullable<typeof parentPort>,
    private readonly task: ThreadTask,
  ) {}

  async run(): Promise<void> {
    try {
      await this.read();
      this.answer('nothing');
    } catch (error) {
      if (!(error instanceof UnreadableFileError)) throw error;
      const { line, reason, columns } = error;
      this.answer('nothing', { line, reason, columns });
    }
  }

  private async read(): Promise<void> {
    const file = readScannerFile(this.parts(), this.task);
    let number = 0;
    for await (const row of file.rows) {
      number += 1;
      if (number <= this.task.skippedRows) continue;
      this.rows.push(row);
      this.size += sizeOf(row);
      if (this.rows.length < BATCH_ROWS && this.size < BATCH_CHARACTERS) continue;
      await this.recognize(file);
      await this.exchange('turn');
    }
    await this.recognize(file);
  }

  private async recognize(file: ScannerFile): Promise<void> {
    this.format ??= await file.format;
    this.ignoredColumns = await file.ignoredColumns;
  }

  /** Each message is a part of the file, or null after the last one. */
  private async *parts(): AsyncGenerator<Buffer> {
    for (let number = 0; ; number += 1) {
      if (number === PARTS_BEFORE_OTHERS) lowerPriority();
      const part = await this.exchange('part');
      if (!(part instanceof Uint8Array)) return;
      yield Buffer.from(part.buffer, part.byteOffset, part.length);
    }
  }

  private async exchange(needs: ThreadAnswer['needs']): Promise<unknown> {
    const message = once(this.port, 'message');
    this.answer(needs);
    const [value]: unknown[] = await message;
    return value;
  }

  private answer(needs: ThreadAnswer['needs'], failure: ThreadAnswer['failure'] = null): void {
    // A request for the next part keeps the rows until their batch is full.
    const rows = needs === 'part' ? [] : this.rows.splice(0);
    if (needs !== 'part') this.size = 0;
    this.port.postMessage(
      { needs, rows, format: this.format, ignoredColumns: this.ignoredColumns, failure } satisfies ThreadAnswer,
      [],
    );
  }
}

if (parentPort !== null) void new FileReading(parentPort, workerData as ThreadTask).run();
