import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { technologyTemplate, type TechnologyTemplate } from '../../engine';
import { CheckLibrary } from '../checks';

/** The tags of templates that name what runs on a target. */
const TAGS = ['tech', 'detect'];

/** Each is tried on each start page, which takes about a millisecond. */
const MAX_TEMPLATES = 500;

/** The loaded templates that name technologies by a start page. */
@Injectable()
export class TechnologyTemplates {
  /** By id and version. Null for those that would send more. */
  private compiled = new Map<string, TechnologyTemplate | null>();

  constructor(private readonly library: CheckLibrary) {}

  /** Those that are loaded now. Only new ones are read. */
  async current(): Promise<TechnologyTemplate[]> {
    const selected = (await this.library.select([], TAGS)).filter(({ notInJobs }) => notInJobs === null);
    const keyOf = ({ id, version }: { id: string; version: number }): string => `${id} ${version}`;
    const missing = selected.filter((one) => !this.compiled.has(keyOf(one)));
    const sources = missing.length === 0 ? new Map<string, string>() : await this.library.sourcesOf(missing);
    const compiled = new Map<string, TechnologyTemplate | null>();
    for (const one of selected) {
      const source = sources.get(one.id);
      if (source !== undefined) await setImmediate();
      compiled.set(
        keyOf(one),
        source === undefined ? (this.compiled.get(keyOf(one)) ?? null) : technologyTemplate(source),
      );
    }
    this.compiled = compiled;
    return [...compiled.values()].filter((one) => one !== null).slice(0, MAX_TEMPLATES);
  }
}
