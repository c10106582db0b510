import type { CompiledExpressions, RequestsField } from './compile-expressions';
import type { TextTemplate } from './expressions/text-template';
import { blocksOf, type Flow } from './flow';
import type { Combination } from './payload-combinations';
import type { RequestBlock } from './template-schema';
import type { ProblemPath, TemplateProblem } from './template-problem';
import type { TemplateTexts } from './template-texts';

export interface CompiledRequest {
  /** For example, `http[0].raw[1]`. */
  readonly place: ProblemPath;
  readonly method: string;
  /** Whether the path of the target comes before that of the request. */
  readonly isBelowPath: boolean;
  /** The part after the URL of the target. */
  readonly target: TextTemplate;
  readonly headers: readonly (readonly [name: string, value: TextTemplate])[];
  readonly body: TextTemplate | null;
  /** Whether it is only sent in the first round of the payloads. */
  readonly isOnce: boolean;
  /** Whether it makes the target send a request to a server that does not exist. */
  readonly isOutOfBand: boolean;
}

export interface CompiledBlock {
  readonly place: ProblemPath;
  readonly block: RequestBlock;
  readonly requests: readonly CompiledRequest[];
  readonly rounds: readonly Combination[];
  /** Whether a match is a result, or only a condition of other blocks. */
  readonly isReported: boolean;
}

/** A value that the template uses but does not define. */
export interface MissingValue {
  readonly name: string;
  readonly path: ProblemPath;
}

export interface CompiledTemplate {
  readonly id: string;
  readonly field: RequestsField;
  readonly blocks: readonly CompiledBlock[];
  readonly flow: Flow | null;
  readonly variables: ReadonlyMap<string, TextTemplate>;
  readonly texts: TemplateTexts;
  readonly expressions: CompiledExpressions;
  readonly missing: readonly MissingValue[];
  readonly problems: readonly TemplateProblem[];
  /** The requests with a longer timeout than a request may have. */
  readonly slow: readonly ProblemPath[];
  /** The requests, matchers and extractors that need a server for out-of-band requests. */
  readonly outOfBand: readonly ProblemPath[];
  /** Whether requests depend on each other or on random values. */
  readonly isDependent: boolean;
}

/** The blocks that run, in the order of the template. */
export function blocksThatRun({ blocks, flow }: CompiledTemplate): readonly CompiledBlock[] {
  if (flow === null) return blocks;
  const named = new Set(blocksOf(flow));
  return blocks.filter((_block, index) => named.has(index));
}
