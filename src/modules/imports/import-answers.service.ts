import { Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/domain-error';
import { orThrow } from '../../kernel/or-throw';
import type { Caller } from '../../platform/api/caller';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { Work } from '../../platform/work/work';
import { ImportQuestionsRepository } from './data/import-questions.repository';
import { ImportsRepository } from './data/imports.repository';
import { importNotFound, importNotWaiting } from './domain/import.errors';
import type { PlaceAnswer } from './domain/import-question';
import { IMPORT_KIND } from './uploads.service';

/** The answers of people to the questions of an import. */
@Injectable()
export class ImportAnswersService {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly waiting: ImportQuestionsRepository,
    private readonly work: Work,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** In the order of the questions. The import goes on. */
  async answer(caller: Caller, id: number, answers: readonly PlaceAnswer[]): Promise<void> {
    const { organizationId, questions, waitsUntil } = orThrow(
      await this.imports.lockOne(caller.scope, id),
      importNotFound,
    );
    this.unitOfWork.note({ organizationId, metadata: { answers } });
    caller.requireRole('member', organizationId);
    if (waitsUntil === null || questions === null) throw importNotWaiting();
    const answered = questions.map((question, index) => {
      const answer = answers[index];
      const isOffered = typeof answer !== 'number' || question.assets.some((asset) => asset.id === answer);
      if (answer === undefined || !isOffered) throw invalid('Choose an answer to each question.');
      return { ...question, answer };
    });
    await this.waiting.saveAnswers(id, answered);
    await this.work.enqueue({ kind: IMPORT_KIND, reference: String(id), organizationId });
  }
}
