import { CHECKS, checkById } from '../../../engine/checks';
import type { Check } from '../../../engine';
import { invalid } from '../../../kernel/domain-error';
import type { TestDepth } from '../../../kernel/test-depth';
import { isStandard } from './point-checks';
import { BUILT_IN_TAG } from '../../checks/domain/listed-check';
import { MAX_CHECK_ID_LENGTH, TEMPLATE_PREFIX } from '../../checks/domain/template-prefix';

/** A template that a launch selected. */
export interface SelectedTemplate {
  /** Without the prefix `http:`. */
  readonly id: string;
  readonly version: number;
  /** Why it does not run; null if it runs. */
  readonly skipped: string | null;
}

/** The checks that the entries of a selection name. */
export interface CheckSelection {
  readonly builtIn: readonly Check[];
  /** Without the prefix `http:`. */
  readonly templateIds: readonly string[];
  /** All other entries: tags of loaded templates. */
  readonly tags: readonly string[];
}

/** Templates of one job. With four requests a second, five minutes suffice for 1,200 requests. */
export const MAX_TEMPLATES = 500;
/** With those that do not run, which the coverage lists. */
const MAX_SELECTED = 2_000;

export const MAX_ENTRIES = 100;
export const MAX_ENTRY_LENGTH = MAX_CHECK_ID_LENGTH;

/** Ids come before tags: a tag that is the id of a built-in check cannot be selected. */
export function parseSelection(entries: readonly string[]): CheckSelection {
  const isTemplate = (entry: string): boolean => entry.startsWith(TEMPLATE_PREFIX);
  const rest = entries.filter((entry) => !isTemplate(entry) && entry !== BUILT_IN_TAG && checkById(entry) === null);
  return {
    builtIn: CHECKS.filter(({ id }) => entries.includes(BUILT_IN_TAG) || entries.includes(id)),
    templateIds: [...new Set(entries.filter(isTemplate).map((entry) => entry.slice(TEMPLATE_PREFIX.length)))],
    tags: [...new Set(rest.map((tag) => tag.toLowerCase()))],
  };
}

/** Throws if an entry names a check that only jobs of another depth run. */
export function requireDepth(entries: readonly string[], { builtIn }: CheckSelection, depth: TestDepth): void {
  const active = builtIn.find((check) => !isStandard(check) && entries.includes(check.id));
  if (depth === 'standard' && active !== undefined)
    throw invalid(`checks: "${active.id}" runs in jobs with depth active only.`);
}

/** A template of the library, as far as a selection needs it. */
export interface SelectableTemplate {
  readonly id: string;
  readonly version: number;
  readonly tags: readonly string[];
  readonly notInJobs: string | null;
}

/** Throws an error that names the first entry that selects nothing, or that never runs. */
export function selectTemplates(
  { builtIn, templateIds, tags }: CheckSelection,
  found: readonly SelectableTemplate[],
): SelectedTemplate[] {
  const tag = tags.find((one) => !found.some((template) => template.tags.includes(one)));
  if (tag !== undefined)
    throw invalid(
      `checks: "${tag}" is neither the id of a check nor a tag of a loaded template. GET /v1/checks lists both.`,
    );
  const named = found.filter(({ id }) => templateIds.includes(id));
  const refused = named.find(({ notInJobs }) => notInJobs !== null);
  if (refused !== undefined)
    throw invalid(`checks: "${TEMPLATE_PREFIX}${refused.id}" does not run in jobs: ${refused.notInJobs ?? ''}.`);
  const running = found.filter(({ notInJobs }) => notInJobs === null).length;
  if (running > MAX_TEMPLATES)
    throw invalid(`checks selects ${running} templates; a job runs at most ${MAX_TEMPLATES}. Select fewer.`);
  if (found.length > MAX_SELECTED)
    throw invalid(`checks selects ${found.length} templates, most of which do not run in jobs. Select fewer.`);
  if (builtIn.length === 0 && running === 0)
    throw invalid('checks: none of the selected templates runs in jobs, because they change state or need values.');
  return found.map(({ id, version, notInJobs: skipped }) => ({ id, version, skipped }));
}
