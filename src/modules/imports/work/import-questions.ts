import { Injectable } from '@nestjs/common';
import { system } from '../../../platform/api/caller';
import { everything, type Scope } from '../../../platform/api/scope';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { Scheduled } from '../../../platform/work/work-handler';
import { TenantTurns } from '../../../platform/work/tenant-turns';
import { Work } from '../../../platform/work/work';
import { UnreadableFileError } from '../../../scanner-files';
import type { BegunImport } from '../data/import.entity';
import { type AskedQuestions, ImportQuestionsRepository } from '../data/import-questions.repository';
import { ImportsRepository } from '../data/imports.repository';
import {
  columnsQuestion,
  type ImportQuestion,
  MAX_PLACES,
  withHostless,
  withQuestionsOf,
} from '../domain/import-question';
import { IMPORT_KIND } from '../uploads.service';
import { BatchLocation } from './batch-location';
import { ImportReading } from './import-reading';

const scope = everything('a worker runs the imports of all organizations');

const EXPIRED_BATCH = 100;
/** In characters. */
const MAX_PLACE = 200;

/**
 * Before an import from the portal begins, asks about rows that are between several assets or name no host, and about the columns
 * of a table. Nothing is recorded until they are answered.
 */
@Injectable()
export class ImportQuestions {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly waiting: ImportQuestionsRepository,
    private readonly reading: ImportReading,
    private readonly location: BatchLocation,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
    private readonly turns: TenantTurns,
  ) {}

  /** Reads the whole file once. Returns no questions if the import does not ask, or has already asked. */
  async find(begun: BegunImport, signal: AbortSignal): Promise<AskedQuestions> {
    const reading = this.reading.of(begun);
    let questions: readonly ImportQuestion[] = [];
    let [rowsRead, hostless] = [0, 0];
    const some = new Set<string>();
    if (!begun.asksPlaces || begun.questions !== null || begun.rowsDone > 0) return { questions, format: null };
    try {
      for await (const rows of reading.batches(signal)) {
        questions = withQuestionsOf(questions, await this.location.doubtfulRows(begun, rows));
        rowsRead += rows.length;
        for (const row of rows) {
          if (row.result !== undefined || row.hostless === undefined) continue;
          hostless += 1;
          if (some.size < MAX_PLACES) some.add(row.hostless.slice(0, MAX_PLACE));
        }
      }
    } catch (error) {
      signal.throwIfAborted();
      // Ignored here: the import records the rows before the error.
      if (!(error instanceof UnreadableFileError)) throw error;
      const isTable = begun.statedFormat === null || begun.statedFormat === 'csv';
      if (isTable && error.columns !== undefined)
        return { questions: [{ ...columnsQuestion(error.columns), rowsRead }], format: null };
    }
    questions = withHostless(questions, hostless, [...some]);
    return { questions: questions.map((one) => ({ ...one, rowsRead })), format: reading.progress().format };
  }

  /** Call it in the completion of the work. */
  async ask({ id }: BegunImport, asked: AskedQuestions): Promise<void> {
    const found = await this.imports.lockOne(scope, id);
    if (found?.status === 'IN_PROGRESS') await this.waiting.ask(id, asked);
  }

  /** After a day without an answer, imports continue without these rows. */
  @Scheduled({ name: 'imports.end_waiting', everySeconds: 60 })
  async endWaiting(): Promise<void> {
    const expired = (part: Scope) => this.waiting.listExpired(part, EXPIRED_BATCH);
    await this.turns.each('imports.end_waiting', scope, expired, async ({ id, organizationId }) => {
      const entry = { actor: system, operation: 'import.end_waiting', resourceType: 'import', organizationId } as const;
      await this.unitOfWork.runIfDue({ ...entry, resourceId: String(id) }, scope, async () => {
        const found = await this.imports.lockOne(scope, id);
        if (found?.waitsUntil == null || found.questions === null) return undefined;
        await this.waiting.saveAnswers(id, found.questions);
        await this.work.enqueue({ kind: IMPORT_KIND, reference: String(id), organizationId });
        return id;
      });
    });
  }
}
