import { Injectable } from '@nestjs/common';
import { notFound } from '../../../kernel/domain-error';
import { orThrow } from '../../../kernel/or-throw';
import type { Scope } from '../../../platform/api/scope';
import type { FindingTexts } from '../data/finding-texts.entity';
import type { Pins } from '../domain/pins';
import { FindingsRepository } from './data/findings.repository';
import { FindingTextsRepository } from './data/finding-texts.repository';

export interface WrittenTexts {
  readonly texts: FindingTexts | undefined;
  readonly pins: Pins;
}

/** What people have written of a finding, and what a check or a file says instead. */
@Injectable()
export class FindingTextsService {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly texts: FindingTextsRepository,
  ) {}

  async get(scope: Scope, id: number): Promise<WrittenTexts> {
    const { edits } = orThrow(await this.findings.findOne(scope, id), () => notFound('Finding'));
    const [texts] = edits === null ? [] : await this.texts.listOfVisible([id]);
    return { texts, pins: edits?.pins ?? {} };
  }
}
