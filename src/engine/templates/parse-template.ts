import { load } from 'js-yaml';
import type { z } from 'zod';
import { invalid } from '../../kernel/domain-error';
import { type Definition, definition } from './template-schema';
import type { ProblemPath, TemplateProblem } from './template-problem';

const LONGEST_SOURCE = 65_536;

function parseYaml(source: string): unknown {
  if (source.length > LONGEST_SOURCE) throw invalid(`check is longer than ${LONGEST_SOURCE} characters.`);
  try {
    return load(source, { maxDepth: 12, maxAliases: 0 });
  } catch (error) {
    const [why = ''] = error instanceof Error ? error.message.split('\n') : [];
    throw invalid(`check is not valid YAML: ${why}.`);
  }
}

const pathOf = (path: readonly PropertyKey[]): ProblemPath =>
  path.map((step) => (typeof step === 'number' ? step : String(step)));

/** Why some fields of the format are not supported. */
const REASONS: Readonly<Record<string, string>> = {
  unsafe: 'is not supported: Assay sends valid HTTP only',
  'self-contained': 'is not supported: only the tested target is asked',
  'iterate-all': 'is not supported: the first value of an extractor is passed on',
  race: 'is not supported: requests are sent one after the other',
};

function problemsOf(issue: z.core.$ZodIssue): TemplateProblem[] {
  const path = pathOf(issue.path);
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], reason: REASONS[key] ?? 'is not supported' }));
  const inner = issue.code === 'invalid_key' ? issue.issues[0] : undefined;
  return [{ path, reason: inner?.message ?? issue.message }];
}

/** Reports every unsupported field. Throws if the source is not YAML. */
export function parseTemplate(
  source: string,
): { readonly defined: Definition } | { readonly problems: readonly TemplateProblem[] } {
  const result = definition.safeParse(parseYaml(source));
  if (result.success) return { defined: result.data };
  return { problems: result.error.issues.flatMap(problemsOf) };
}
