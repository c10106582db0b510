import { Injectable } from '@nestjs/common';
import { ContradictionRetests } from '../../retests';
import type { BegunImport } from '../data/import.entity';
import { ImportResultsRepository } from '../data/import-results.repository';
import { ImportsRepository } from '../data/imports.repository';

/** The reason of a row before and after the start of a retest. */
export const CONTRADICTS =
  'It contradicts that the finding is resolved, and may be older, so it reopens nothing: start a retest of the finding.';
const RETESTED = 'It contradicts that the finding is resolved, and may be older, so a retest was started.';

/** After an import: retests what its rows contradict. */
@Injectable()
export class ImportContradictions {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly results: ImportResultsRepository,
    private readonly contradictions: ContradictionRetests,
  ) {}

  async retest(
    { id, organizationId, eventId, dryRun, created: seenAt }: BegunImport,
    signal: AbortSignal,
  ): Promise<void> {
    if (dryRun) return;
    const source = {
      organizationId,
      eventId,
      name: `import ${id}`,
      // What the file has was seen before it was uploaded.
      list: async (limit: number) =>
        (await this.results.listContradicted(id, limit)).map((findingId) => ({ findingId, seenAt })),
      countStarted: () => this.imports.countRetests(id),
      saveStarted: async (findingId: number) => {
        const isSaved = await this.results.saveRetest(id, findingId, { before: CONTRADICTS, reason: RETESTED });
        if (isSaved) await this.imports.addRetest(id);
        return isSaved;
      },
    };
    await this.contradictions.start(source, signal);
  }
}
