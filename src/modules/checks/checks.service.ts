import { Injectable } from '@nestjs/common';
import { type Check, checkById, checkFromYaml } from '../../engine';
import { DomainError } from '../../kernel/domain-error';
import type { Page, Slice } from '../../kernel/page';
import { SEVERITIES } from '../../kernel/severity';
import { type CheckFilter, type CheckRow, LibraryRepository } from './data/library.repository';
import { BUILT_IN_ROWS, BUILT_IN_TAG, detectsOfBuiltIn, type ListedCheck } from './domain/listed-check';
import { notInJobs } from './domain/not-in-jobs';
import { TEMPLATE_PREFIX } from './domain/template-prefix';

/** A check with all that is known about it. */
export interface CheckView extends ListedCheck {
  /** Markdown: what the weakness means and how to fix it. */
  readonly text: string;
  readonly decides: string;
  readonly cvss: string | null;
  readonly references: readonly string[];
  readonly retired: Date | null;
  /** All versions of a loaded template, the current one last. */
  readonly versions: readonly number[];
  /** The YAML of a loaded template. */
  readonly template: string | null;
}

const REFUSED = 'this version of Assay refuses the template; load the folder with its templates again to see why';

const checkNotFound = (): DomainError =>
  new DomainError('not_found', 'There is no check with this id and version. GET /v1/checks lists them.');

/** The built-in checks and the templates of the library. They are the same for all organizations. */
@Injectable()
export class ChecksService {
  constructor(private readonly repository: LibraryRepository) {}

  async list(filter: CheckFilter, page: Page): Promise<Slice<ListedCheck>> {
    const slice = await this.repository.list(BUILT_IN_ROWS, filter, page);
    return { ...slice, items: slice.items.map(listed) };
  }

  /** Also of a retired template. */
  async get(id: string, version?: number): Promise<CheckView> {
    const builtIn = checkById(id);
    if (builtIn !== null && version === undefined) return viewOfBuiltIn(builtIn);
    const templateId = id.startsWith(TEMPLATE_PREFIX) ? id.slice(TEMPLATE_PREFIX.length) : null;
    const row = templateId === null ? undefined : await this.repository.findVersion(templateId, version);
    if (row === undefined) throw checkNotFound();
    const { source, sourceVersion, sourceLoaded, versions, retired, ...current } = row;
    const check = compiled(source);
    const isCurrent = sourceVersion === current.version;
    return {
      ...listed({ ...current, id, isBuiltIn: false }),
      ...(isCurrent || check === null ? {} : factsOf(check)),
      version: sourceVersion,
      loaded: sourceLoaded,
      notInJobs: check === null ? REFUSED : notInJobs(check),
      text: check?.text ?? '',
      decides: check?.decides ?? '',
      cvss: check?.cvss ?? null,
      references: check?.references ?? [],
      retired,
      versions,
      template: source,
    };
  }
}

const listed = ({ id, title, severity, cwe, isBuiltIn, ...row }: CheckRow): ListedCheck => ({
  id,
  title,
  severity: SEVERITIES[severity] ?? 'none',
  cwe,
  tags: row.tags,
  source: isBuiltIn ? 'built_in' : 'loaded',
  version: row.version,
  loaded: row.loaded,
  detects: isBuiltIn ? detectsOfBuiltIn(id) : row.detects,
  notInJobs: notInJobs(row),
});

const factsOf = ({ title, severity, cwe, tags, text }: ReturnType<typeof checkFromYaml>) => ({
  title,
  severity,
  cwe,
  tags,
  detects: text.slice(0, 1_000),
});

const viewOfBuiltIn = ({ id, title, severity, cwe, decides, text, cvss, references }: Check): CheckView => ({
  id,
  title,
  severity,
  cwe,
  tags: [BUILT_IN_TAG],
  source: 'built_in',
  version: null,
  loaded: null,
  detects: decides,
  notInJobs: null,
  text: text.trim(),
  decides,
  cvss,
  references,
  retired: null,
  versions: [],
  template: null,
});

/** Null if this version of Assay refuses it. */
function compiled(source: string): ReturnType<typeof checkFromYaml> | null {
  try {
    return checkFromYaml(source, { origin: 'loaded' });
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
