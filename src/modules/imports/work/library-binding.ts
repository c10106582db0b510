import { Injectable } from '@nestjs/common';
import { system } from '../../../platform/api/caller';
import { UnitOfWork } from '../../../platform/audit/unit-of-work';
import { everything } from '../../../platform/api/scope';
import { CheckLibrary, type LibraryCheck } from '../../checks';
import { type Carrier, type CheckToBind, ProposedChecksService } from '../../findings';
import { OrganizationsService } from '../../organizations';
import type { BegunImport } from '../data/import.entity';
import { ImportsRepository } from '../data/imports.repository';
import { checksOfTemplate, isRefused } from '../domain/proposal';
import { importAudit } from './import-audit';
import { ImportLostError } from './import-batches';

const scope = everything('a worker runs the imports of all organizations');

/** The scanner whose rules are template ids. */
const SCANNER = 'nuclei';
/** Large, because each page reads the whole import, and a sighting is small here. */
const PAGE_SIZE = 5_000;
const BATCH_SIZE = 100;

/** After an import: binds results of Nuclei to the templates of the installation's library with the same ids. */
@Injectable()
export class LibraryBinding {
  constructor(
    private readonly imports: ImportsRepository,
    private readonly library: CheckLibrary,
    private readonly findings: ProposedChecksService,
    private readonly organizations: OrganizationsService,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async bind(begun: BegunImport, signal: AbortSignal): Promise<void> {
    if (begun.dryRun) return;
    const templates = new Templates(this.library);
    for await (const sightings of this.findings.sightingsOf(begun.id, SCANNER, PAGE_SIZE)) {
      await templates.load(sightings.flatMap(({ ruleId }) => ruleId ?? []));
      for (let at = 0; at < sightings.length; at += BATCH_SIZE) {
        signal.throwIfAborted();
        const checks = checksFor(sightings.slice(at, at + BATCH_SIZE), templates);
        if (checks.length > 0) await this.save(begun, checks);
      }
    }
  }

  private async save(begun: BegunImport, checks: readonly CheckToBind[]): Promise<void> {
    const { organizationId } = begun;
    await this.unitOfWork.run(importAudit(begun, 'import.bind', system), scope, async () => {
      await this.organizations.lockForShare(scope, organizationId);
      if (!(await this.imports.lockFor(begun, begun.status))) throw new ImportLostError();
      const bound = await this.findings.bind(organizationId, checks.map(storedOf), null);
      const templates = [...new Set(checks.map(({ checkId }) => checkId))];
      this.unitOfWork.note({ metadata: { findings: bound, templates } });
    });
  }
}

const storedOf = ({ sightingId, findingId, checkId, checkDefinition }: CheckToBind): CheckToBind => ({
  sightingId,
  findingId,
  checkId,
  checkDefinition,
});

const checksFor = (sightings: readonly Carrier[], templates: Templates): CheckToBind[] =>
  sightings.flatMap((sighting) => {
    const check = templates.of(sighting.ruleId)?.(sighting);
    const { id: sightingId, findingId } = sighting;
    return check === undefined || isRefused(check) ? [] : [{ ...check, sightingId, findingId }];
  });

type CheckFor = Exclude<ReturnType<typeof checksOfTemplate>, { readonly refusal: string }>;

/** The library's templates that an import needs, each read once. */
class Templates {
  private readonly known = new Map<string, CheckFor | null>();

  constructor(private readonly library: CheckLibrary) {}

  async load(ids: readonly string[]): Promise<void> {
    const unknown = [...new Set(ids)].filter((id) => !this.known.has(id));
    const found = await this.library.find(unknown);
    for (const id of unknown) this.known.set(id, checksOf(found.get(id)));
  }

  of(id: string | null): CheckFor | undefined {
    return (id === null ? null : this.known.get(id)) ?? undefined;
  }
}

/** Null if there is no such template, or if it needs values that neither it nor the result states. */
function checksOf(template: LibraryCheck | undefined): CheckFor | null {
  if (template === undefined || template.missingValues.length > 0) return null;
  const checks = checksOfTemplate(template.source, 'loaded');
  return isRefused(checks) ? null : checks;
}
