import { Injectable } from '@nestjs/common';
import type { Claim } from '../../../platform/work/claim';
import { type Completion, type WorkHandler, WorkKind } from '../../../platform/work/work-handler';
import { workAudit } from '../../../platform/work/work-audit';
import { ContradictionRetests } from '../../retests';
import type { BegunImport } from '../data/import.entity';
import { ImportResultsRepository } from '../data/import-results.repository';
import { ImportsRepository } from '../data/imports.repository';

/** The reason of a row before a retest was started, and after. */
export const CONTRADICTS =
  'It contradicts that the finding is resolved, and may be older, so it reopens nothing: start a retest of the finding.';
const RETESTED = 'It contradicts that the finding is resolved, and may be older, so a retest was started.';

const KIND = 'import.contradictions';

/**
 * Starts retests of findings that rows of an import contradict: at its end, and again when an unfinished retest of the same
 * finding ends.
 */
@Injectable()
@WorkKind(KIND)
export class ImportContradictions implements WorkHandler {
  readonly maxConcurrent = 1;

  constructor(
    private readonly imports: ImportsRepository,
    private readonly results: ImportResultsRepository,
    private readonly contradictions: ContradictionRetests,
  ) {}

  async retest(
    { id, organizationId, eventId, dryRun, created: seenAt }: BegunImport,
    signal: AbortSignal,
    reference?: string,
  ): Promise<void> {
    if (dryRun) return;
    const source = {
      organizationId,
      eventId,
      name: `import ${id}`,
      work: { kind: KIND, record: String(id) },
      // Results of the file were seen before it was uploaded.
      list: async (limit: number) =>
        (await this.results.listContradicted(id, limit)).map((findingId) => ({ findingId, seenAt })),
      countStarted: () => this.imports.countRetests(id),
      saveStarted: async (findingId: number) => {
        const isSaved = await this.results.saveRetest(id, findingId, { before: CONTRADICTS, reason: RETESTED });
        if (isSaved) await this.imports.addRetest(id);
        return isSaved;
      },
    };
    await this.contradictions.start(source, signal, reference);
  }

  async perform(claim: Claim, signal: AbortSignal): Promise<Completion> {
    const { reference } = claim;
    const ended = await this.imports.findEnded(Number(reference.split(' ')[0]));
    if (ended !== undefined) await this.retest(ended, signal, reference);
    return this.abandon(claim);
  }

  /** Nothing to clean up: people can retest the findings. */
  abandon(claim: Claim): Completion {
    const audit = workAudit(claim, { operation: KIND, resourceType: 'import' });
    return { audit, isSilent: true, apply: async () => undefined };
  }
}
