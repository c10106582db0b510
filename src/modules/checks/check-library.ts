import { Injectable } from '@nestjs/common';
import { invalid } from '../../kernel/domain-error';
import { type LibraryCheck, LibraryRepository } from './data/library.repository';
import { notInJobs } from './domain/not-in-jobs';
import { TEMPLATE_PREFIX } from './domain/template-prefix';

/** A template of the library without its YAML. */
export interface SelectedCheck {
  readonly id: string;
  readonly title: string;
  readonly version: number;
  readonly tags: readonly string[];
  /** Why jobs do not run it; null if they do. */
  readonly notInJobs: string | null;
}

/** The templates that an operator has loaded for all organizations. */
@Injectable()
export class CheckLibrary {
  constructor(private readonly repository: LibraryRepository) {}

  /** By their ids, without the prefix `http:`. Those that are not loaded, or retired, are missing. One statement. */
  async find(ids: readonly string[]): Promise<Map<string, LibraryCheck>> {
    if (ids.length === 0) return new Map();
    const rows = await this.repository.listCurrent([...new Set(ids)]);
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** Those with one of the ids (without prefix) or tags, the most severe first. One statement. */
  async select(ids: readonly string[], tags: readonly string[]): Promise<SelectedCheck[]> {
    const rows = await this.repository.listByIdsAndTags(ids, tags);
    return rows.map((row) => ({
      id: row.id,
      title: row.title,
      version: row.version,
      tags: row.tags,
      notInJobs: notInJobs(row),
    }));
  }

  /** By the ids of their checks, with prefix. Those that are not loaded, or retired, are missing. */
  async titlesOf(checkIds: readonly string[]): Promise<Map<string, string>> {
    const ids = checkIds.filter((id) => id.startsWith(TEMPLATE_PREFIX)).map((id) => id.slice(TEMPLATE_PREFIX.length));
    if (ids.length === 0) return new Map();
    return new Map((await this.select(ids, [])).map(({ id, title }) => [`${TEMPLATE_PREFIX}${id}`, title]));
  }

  /** The YAML of these ids, in their order. Versions are never deleted. */
  sourcesOf(versions: readonly { readonly id: string; readonly version: number }[]): Promise<Map<string, string>> {
    return this.repository.listSources(versions);
  }

  /** Whether a version of the template with this id, with prefix, has exactly this YAML. */
  hasSource(checkId: string, source: string): Promise<boolean> {
    if (!checkId.startsWith(TEMPLATE_PREFIX)) return Promise.resolve(false);
    return this.repository.hasSource(checkId.slice(TEMPLATE_PREFIX.length), source);
  }

  /** Throws an error that names the field, the first id that is not among the found ones, and similar ids. */
  async requireAll(ids: readonly string[], found: readonly { readonly id: string }[], field: string): Promise<void> {
    const known = new Set(found.map(({ id }) => id));
    const unknown = ids.find((id) => !known.has(id));
    if (unknown === undefined) return;
    const similar = await this.repository.listSimilar(unknown.slice(0, 100));
    const ending = similar.length === 0 ? '' : ` Similar ids: ${similar.map((id) => TEMPLATE_PREFIX + id).join(', ')}.`;
    const stated = `${TEMPLATE_PREFIX}${unknown.slice(0, 100)}`;
    throw invalid(`${field} "${stated}" is not the id of a template in the library of this installation.${ending}`);
  }
}
