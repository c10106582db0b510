import { DomainError } from '../../kernel/domain-error';
import { blocksThatRun, type CompiledTemplate } from './compiled-template';
import { compileTemplate } from './compile-template';
import { parseTemplate } from './parse-template';
import { changingPartsOf } from './request-fields';
import { SourceLines } from './source-lines';
import { TEMPLATE_LIMITS } from './template-limits';
import { placeText, type TemplateProblem } from './template-problem';

/** A note about a template, with its line. */
export interface TemplateNote {
  readonly line: number;
  /** For example, `http[0].matchers[1]`; empty for the whole template. */
  readonly place: string;
  readonly text: string;
}

/** Which parts of a template run, and which do not. */
export interface TemplateInspection {
  readonly id: string | null;
  /** Why it does not run; empty if it does. */
  readonly refusals: readonly TemplateNote[];
  /** Values that the user must state before it sends anything. */
  readonly missing: readonly TemplateNote[];
  /** Requests that an admin must allow for each finding. */
  readonly unsafe: readonly TemplateNote[];
  /**
   * Conditions that are never known, because they need a server for out-of-band requests. Other parts can still show the
   * weakness.
   */
  readonly outOfBand: readonly TemplateNote[];
  /** The maximum number of requests, not counting redirects. */
  readonly requests: number;
}

const refused = (refusals: readonly TemplateNote[], id: string | null = null): TemplateInspection => ({
  id,
  refusals: refusals.toSorted((one, other) => one.line - other.line),
  missing: [],
  unsafe: [],
  outOfBand: [],
  requests: 0,
});

function inspected(id: string, template: CompiledTemplate, lines: SourceLines): TemplateInspection {
  const blocks = blocksThatRun(template);
  const unsafe = blocks
    .flatMap(({ requests }) => requests)
    .flatMap((request) => changingPartsOf(request).map((text) => ({ place: request.place, text })))
    .map(({ place, text }) => ({ line: lines.lineOf(place), place: placeText(place), text }));
  const missing = template.missing.map(({ name, path }) => ({
    line: lines.lineOf(path),
    place: placeText(path),
    text: name,
  }));
  const requests = blocks.reduce((sum, one) => sum + one.requests.length * one.rounds.length, 0);
  const outOfBand = template.outOfBand.map((path) => ({
    line: lines.lineOf(path),
    place: placeText(path),
    text: 'needs a server for out-of-band requests',
  }));
  return { id, refusals: [], missing, unsafe, outOfBand, requests };
}

/** Inspects a template that an operator loads, without running it. `unread` are payload files that cannot be read. */
export function inspectTemplate(source: string, unread: readonly TemplateNote[] = []): TemplateInspection {
  if (unread.length > 0) return refused(unread);
  try {
    const parsed = parseTemplate(source);
    const lines = new SourceLines(source);
    const note = ({ path, reason }: TemplateProblem): TemplateNote => ({
      line: lines.lineOf(path),
      place: placeText(path),
      text: reason,
    });
    if ('problems' in parsed) return refused(parsed.problems.map(note));
    const template = compileTemplate(parsed.defined, TEMPLATE_LIMITS.loaded);
    const { id } = parsed.defined;
    return template.problems.length > 0 ? refused(template.problems.map(note), id) : inspected(id, template, lines);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const [, line = '1'] = /\((\d+):\d+\)/.exec(error.message) ?? [];
    return refused([{ line: Number(line), place: '', text: error.message }]);
  }
}
