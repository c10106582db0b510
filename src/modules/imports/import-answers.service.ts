import { Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Work } from '../../platform/work/work';
import type { CsvColumns } from '../../scanner-files';
import { recognizeAsset, ScannedAssetsService } from '../assets';
import { ImportQuestionsRepository } from './data/import-questions.repository';
import { ImportsRepository } from './data/imports.repository';
import { importNotFound, importNotWaiting } from './domain/import.errors';
import type { PlaceAnswer } from './domain/import-question';
import { IMPORT_KIND } from './uploads.service';

/** Saves people's answers to the questions of an import. */
@Injectable()
export class ImportAnswersService {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly waiting: ImportQuestionsRepository,
    private readonly assets: ScannedAssetsService,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** `answers` are in the order of the questions; `asset` is for rows without a host. The import then continues. */
  async answer(caller: Caller, id: number, answers: readonly PlaceAnswer[], asset?: string): Promise<void> {
    const { questions, organizationId, ...one } = await this.lockWaiting(caller, id, { answers, asset });
    if (questions.some(({ why }) => why === 'columns')) throw invalid('Name the columns of the file.');
    const answered = questions.map((question, index) => {
      const answer = answers[index];
      const isOffered = typeof answer !== 'number' || question.assets.some((asset) => asset.id === answer);
      if (answer === undefined || !isOffered) throw invalid('Choose an answer to each question.');
      return { ...question, answer };
    });
    const names = answered.some(({ why, answer }) => why === 'no_host' && answer === 'add');
    const assetValue = names ? recognizeAsset(asset ?? '')?.value : null;
    if (assetValue === undefined)
      throw invalid('Name the asset of the rows without a host: a domain, a URL, an IP address or a CIDR.');
    if (assetValue !== null && one.unknownAssets === 'refuse') {
      const found = await this.assets.findByValue(organizationId, assetValue, one.beaconId);
      if (found === undefined) throw invalid(`${assetValue} is not an asset of the organization. Add it first.`);
    }
    await this.waiting.saveAnswers(id, answered, assetValue);
    await this.work.enqueue({ kind: IMPORT_KIND, reference: String(id), organizationId });
  }

  /** For a table whose title or severity was not found. The file is then read again. */
  async nameColumns(caller: Caller, id: number, columns: CsvColumns): Promise<void> {
    const { questions, organizationId } = await this.lockWaiting(caller, id, { columns });
    const places = questions.find(({ why }) => why === 'columns')?.places ?? [];
    if (
      !('title' in columns && 'severity' in columns) ||
      !Object.values(columns).every((name) => places.includes(name))
    )
      throw invalid('Choose the columns of the title and of the severity, and others only of this file.');
    await this.waiting.saveColumns(id, { columns });
    await this.work.enqueue({ kind: IMPORT_KIND, reference: String(id), organizationId });
  }

  private async lockWaiting(caller: Caller, id: number, metadata: Record<string, unknown>) {
    const found = orThrow(await this.imports.lockOne(caller.scope, id), importNotFound);
    const { organizationId, questions, waitsUntil } = found;
    this.unitOfWork.note({ organizationId, metadata });
    caller.requireRole('member', organizationId);
    if (waitsUntil === null || questions === null) throw importNotWaiting();
    return { ...found, questions };
  }
}
