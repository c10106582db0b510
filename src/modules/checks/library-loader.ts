import { Injectable } from '@nestjs/common';
import { setImmediate } from 'node:timers/promises';
import type { TemplateNote } from '../../engine';
import { UnitOfWork } from '../../platform/audit/unit-of-work';
import { system } from '../../platform/api/caller';
import { everything } from '../../platform/api/scope';
import { type LoadedVersion, LibraryRepository } from './data/library.repository';
import { type LibraryTemplate, readTemplate, statedId } from './domain/library-template';

/** The text of a file, with the values of its payload files unless these are unread, or why it could not be read. */
export type TemplateFile = { readonly name: string } & (
  { readonly source: string; readonly unread?: readonly TemplateNote[] } | { readonly problem: string }
);

export type LoadOutcome = 'new' | 'new version' | 'restored' | 'unchanged' | 'refused';

export interface FileResult {
  readonly name: string;
  readonly outcome: LoadOutcome;
  /** Null if the file is refused. */
  readonly check:
    (Pick<LibraryTemplate, 'id' | 'unsafeMethods' | 'missingValues'> & { readonly version: number }) | null;
  /** Why it is refused. */
  readonly notes: readonly TemplateNote[];
}

export interface LoadedLibrary {
  readonly files: readonly FileResult[];
  /** The ids of templates that none of the files has. */
  readonly retired: readonly string[];
}

interface ReadFile {
  readonly name: string;
  readonly id: string | null;
  readonly template: LibraryTemplate | null;
  readonly notes: readonly TemplateNote[];
}

const BATCH = 200;

const scope = everything('the library of templates belongs to no organization');

/** Loads templates in one transaction: after a failure nothing has changed, and others read the old library until the commit. */
@Injectable()
export class LibraryLoader {
  constructor(
    private readonly repository: LibraryRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async load(
    files: readonly TemplateFile[],
    { retire = false, via }: { retire?: boolean; via: string },
  ): Promise<LoadedLibrary> {
    const read = await readAll(files);
    const templates = read.flatMap(({ template }) => template ?? []);
    let loaded: Map<string, FileResult> = new Map();
    let retired: string[] = [];
    await this.unitOfWork.runIfDue(descriptionOf(via), scope, async () => {
      await this.repository.lock();
      loaded = new Map();
      for (let at = 0; at < templates.length; at += BATCH)
        for (const result of await this.save(templates.slice(at, at + BATCH))) loaded.set(result.name, result);
      // A refused file is no reason to retire the version of it that was loaded before.
      retired = retire ? await this.repository.retireAllBut(read.flatMap(({ id }) => id ?? [])) : [];
      const count = (outcome: LoadOutcome): number =>
        [...loaded.values()].filter((result) => result.outcome === outcome).length;
      const changes = { new: count('new'), new_versions: count('new version'), restored: count('restored') };
      this.unitOfWork.note({ metadata: { ...changes, retired: retired.length } });
      return loaded.size > count('unchanged') || retired.length > 0 ? true : undefined;
    });
    const results = read.map(({ name, template, notes }): FileResult => {
      const result = template === null ? undefined : loaded.get(template.id);
      return result === undefined ? { name, outcome: 'refused', check: null, notes } : { ...result, name };
    });
    return { files: results, retired };
  }

  /** The results have the ids of the templates as names. */
  private async save(batch: readonly LibraryTemplate[]): Promise<FileResult[]> {
    const before = new Map((await this.repository.listVersions(batch.map(({ id }) => id))).map((one) => [one.id, one]));
    const versioned = batch.map((template) => {
      const known = before.get(template.id);
      const version = known === undefined ? 1 : known.version + Number(known.sha256 !== template.sha256);
      return { ...template, version };
    });
    await this.repository.save(versioned);
    return versioned.map((template) => ({
      name: template.id,
      outcome: outcomeOf(template, before.get(template.id)),
      check: template,
      notes: [],
    }));
  }
}

function outcomeOf({ version }: { readonly version: number }, before: LoadedVersion | undefined): LoadOutcome {
  if (before === undefined) return 'new';
  if (before.version !== version) return 'new version';
  return before.isRetired ? 'restored' : 'unchanged';
}

/** Of several files with one id none is loaded, because nothing says which of them is meant. */
async function readAll(files: readonly TemplateFile[]): Promise<ReadFile[]> {
  const read: (ReadFile & { readonly line: number })[] = [];
  for (const file of files) {
    read.push(readFile(file));
    await setImmediate();
  }
  const names = new Map<string, string[]>();
  for (const { id, template, name } of read)
    if (id !== null && template !== null) names.set(id, [...(names.get(id) ?? []), name]);
  return read.map(({ line, ...one }) => {
    const others = (names.get(one.id ?? '') ?? []).filter((name) => name !== one.name);
    const [other] = others;
    if (one.template === null || other === undefined) return one;
    const more = others.length > 1 ? ` and of ${others.length - 1} more` : '';
    const text = `${one.id} is also the id of ${other}${more}`;
    return { ...one, template: null, notes: [{ line, place: 'id', text }] };
  });
}

function readFile(file: TemplateFile): ReadFile & { readonly line: number } {
  const { name } = file;
  if ('problem' in file)
    return { name, id: null, line: 1, template: null, notes: [{ line: 1, place: '', text: file.problem }] };
  const read = readTemplate(file.source, file.unread);
  const line = statedId(file.source)?.line ?? 1;
  return { name, line, ...read, id: read.template === null ? read.id : read.template.id };
}

const descriptionOf = (via: string) =>
  ({
    actor: system,
    operation: 'check_library.load',
    resourceType: 'check_library',
    organizationId: null,
    metadata: { via },
  }) as const;
