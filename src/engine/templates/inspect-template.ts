import { compileTemplate } from './compile-template';
import { parseTemplate } from './parse-template';
import type { TemplateProblem } from './template-problem';
export interface TemplateInspection {
  readonly problems: readonly TemplateProblem[];
  readonly missing: readonly string[];
}
export function inspectTemplate(source: string): TemplateInspection {
  const parsed = parseTemplate(source);
  if ('problems' in parsed) return { problems: parsed.problems, missing: [] };
  const template = compileTemplate(parsed.defined);
  return { problems: template.problems, missing: [...new Set(template.missing.map(({ name }) => name))] };
}
