import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Page } from '../page';
import { redact } from '../../kernel/redact';
import { evaluate } from './expressions/evaluate';
import type { Environment } from './expressions/function-table';
import { ExpressionError, ExpressionLimitExceeded, textOf, type Value } from './expressions/value';
import { parseJsonQuery, queryJson } from './json-query';
import { isOutOfBandPart, PARTS, responseValue } from './response-parts';
import type { ResponseSearch } from './response-search';
import type { Extractor } from './template-schema';
import { parseXPath, queryMarkup } from './xpath';
import type { TemplateTexts } from './template-texts';

/** A response to evaluate, with everything that is needed for it. */
export interface JudgedResponse {
  readonly page: Page;
  /** By their number in the block. */
  readonly responses: ReadonlyMap<number, Page>;
  readonly search: ResponseSearch;
  readonly texts: TemplateTexts;
}

/** A part of this response or of an earlier one. Undefined if that response has not been received yet. */
export function partOf({ page, responses }: JudgedResponse, part: string): string | undefined {
  const { name, response } = PARTS.named(part);
  const judged = response === null ? page : responses.get(response);
  return judged && PARTS.of(judged, name);
}

/** If the value is undefined or of the wrong type, there is nothing to extract. */
async function valueOrNone(source: string, { texts }: JudgedResponse, environment: Environment): Promise<string[]> {
  try {
    return [textOf(await evaluate(texts.expression(source), environment))];
  } catch (error) {
    if (!(error instanceof ExpressionError) || error instanceof ExpressionLimitExceeded) throw error;
    return [];
  }
}

async function* valuesOf(one: Extractor, judged: JudgedResponse, environment: Environment): AsyncGenerator<string> {
  if (one.type === 'kval') {
    for (const field of one.kval)
      yield textOf(responseValue(judged.page, field.toLowerCase().replaceAll('-', '_')) ?? '');
  } else if (one.type === 'dsl') {
    for (const source of one.dsl) yield* await valueOrNone(source, judged, environment);
  } else {
    const text = isOutOfBandPart(one.part) ? '' : (partOf(judged, one.part) ?? '');
    if (one.type === 'xpath') for (const query of one.xpath) yield* queryMarkup(text, parseXPath(query), one.attribute);
    else if (one.type === 'json') for (const query of one.json) yield* queryJson(text, parseJsonQuery(query));
    else for (const pattern of one.regex) yield await judged.search.find(pattern, text, one.group);
  }
}

const LONGEST_SHOWN = 200;
const LONGEST_PASSED_ON = 16_384;

export interface ExtractedValues {
  /** Texts to show to people: `name: value`, without secrets. */
  readonly shown: readonly string[];
  /** By extractor name, for expressions. */
  readonly named: ReadonlyMap<string, Value>;
  /** Values of internal extractors, for later requests. */
  readonly passedOn: ReadonlyMap<string, Value>;
}

/** The values that extractors find. If there are several, the first one counts. */
export async function extractValues(
  extractors: readonly Extractor[],
  judged: JudgedResponse,
  environmentWith: (named: ReadonlyMap<string, Value>) => Environment,
): Promise<ExtractedValues> {
  const [shown, named, passedOn] = [[] as string[], new Map<string, Value>(), new Map<string, Value>()];
  for (const one of extractors) {
    await yieldToEventLoop();
    for await (const value of valuesOf(one, judged, environmentWith(named))) {
      if (value === '') continue;
      const { name, type, internal } = one;
      const kept = value.slice(0, LONGEST_PASSED_ON);
      if (name !== undefined && !named.has(name)) named.set(name, kept);
      if (name !== undefined && internal && !passedOn.has(name)) passedOn.set(name, kept);
      // The name shows whether the value is a secret. It is redacted here, before the rest of the sentence is appended.
      if (!internal) shown.push(redact(`${name ?? type}: ${value.slice(0, LONGEST_SHOWN)}`));
    }
  }
  return { shown, named, passedOn };
}
