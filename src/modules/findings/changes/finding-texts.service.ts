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

/** The texts that people have written about a finding, and the values of its check or file for pinned fields. */
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
