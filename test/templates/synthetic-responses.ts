import type { WebSubject } from '../../src/engine/check';
import type { Observation } from '../../src/engine/check';
import type { Page } from '../../src/engine/page';
import { type CompiledBlock, type CompiledTemplate } from '../../src/engine/templates/compiled-template';
import { bytesOf, ExpressionError, textFromBytes } from '../../src/engine/templates/expressions/value';
import { parseJsonQuery } from '../../src/engine/templates/json-query';
import { isOutOfBandMatcher } from '../../src/engine/templates/out-of-band';
import { PARTS } from '../../src/engine/templates/response-parts';
import { ResponseSearch } from '../../src/engine/templates/response-search';
import { TemplateRun } from '../../src/engine/templates/template-run';
import type { Extractor, Matcher } from '../../src/engine/templates/template-schema';
import { TemplateValues } from '../../src/engine/templates/template-values';
import type { WebTarget } from '../../src/engine/target';
import { parseXPath } from '../../src/engine/templates/xpath';
import { sampleOf } from './pattern-sample';
import { lengthsFor, NoResponse, ResponseDraft } from './response-draft';
import { SatisfiedExpression, type Wanted } from './satisfied-expression';

const TARGET: WebTarget = { scheme: 'https', host: 'www.example.com', port: 443, path: '/' };
const URL_OF_TARGET = 'https://www.example.com/';

interface Turn {
  readonly block: CompiledBlock;
  readonly request: number;
  readonly round: CompiledBlock['rounds'][number];
}

/** A target whose responses are made from what the matchers of a template look for. */
export class SyntheticResponses {
  private readonly search = new ResponseSearch(this.template.expressions);
  private readonly values = new TemplateValues(this.template, TARGET, this.search);
  private readonly turns: readonly Turn[];
  private at = 0;

  constructor(private readonly template: CompiledTemplate) {
    this.turns = template.blocks.flatMap((block) =>
      block.rounds.flatMap((round) => block.requests.map((_one, request) => ({ block, request, round }))),
    );
  }

  async observation(): Promise<Observation> {
    const page = new ResponseDraft().page(URL_OF_TARGET);
    const probe = {
      http: ({ method = 'GET', name = '' }: { method?: string; name?: string }) => this.answer(method, name),
    } as unknown as WebSubject['probe'];
    const links = async (): Promise<URL[]> => [];
    const subject: WebSubject = {
      target: TARGET,
      page,
      probe,
      links,
      seen: null,
      shown: [],
      provoking: [],
      experiment: null,
      isRepeat: false,
      names: null,
      report: null,
    };
    return new TemplateRun(this.template, subject, this.search, this.values).observation();
  }

  /** The next request of the template with this method and name. */
  private async answer(method: string, name: string): Promise<Page> {
    const isIt = ({ block, request, round }: Turn): boolean => {
      const one = block.requests[request];
      const label = one?.target.label(this.values.labels(round)) ?? '';
      return one?.method === method && name.replace(/^\//, '') === (label.split('#', 1)[0] ?? '').replace(/^\//, '');
    };
    const next = this.turns.findIndex((turn, at) => at >= this.at && isIt(turn));
    const found = next < 0 ? this.turns.findIndex(isIt) : next;
    const turn = this.turns[found];
    if (turn === undefined) throw new NoResponse('a request was not recognized');
    this.at = found + 1;
    return this.page(turn);
  }

  private async page({ block, request, round }: Turn): Promise<Page> {
    const drafts = new Map<number, ResponseDraft>();
    const draftOf = (number: number): ResponseDraft => {
      const draft = drafts.get(number) ?? new ResponseDraft();
      drafts.set(number, draft);
      return draft;
    };
    const payloads = await this.values.payloads(round);
    const page = new ResponseDraft().page(URL_OF_TARGET);
    const extractors = block.block.extractors ?? [];
    const wanted: Wanted = {
      draft: (number) => draftOf(number ?? block.requests.length),
      extracted: new Map(),
      extractors: new Set(extractors.flatMap(({ name = [] }) => name)),
      environment: this.values.forResponse({ payloads, responses: new Map(), page, extracted: new Map() }),
      declared: (name) => this.template.texts.declared(name),
    };
    await this.satisfyMatchers(block, wanted);
    for (const one of extractors) await this.addExtracted(one, block, wanted, draftOf);
    return draftOf(request + 1).page(URL_OF_TARGET);
  }

  private async satisfyMatchers({ block }: CompiledBlock, wanted: Wanted): Promise<void> {
    const { matchers = [], 'matchers-condition': condition } = block;
    const usable = matchers.filter((one) => condition === 'and' || !isOutOfBandMatcher(one, this.template.texts));
    if (condition === 'and') for (const one of usable) await this.satisfy(one, wanted);
    else await this.satisfyOne(usable, wanted);
  }

  private async satisfyOne(matchers: readonly Matcher[], wanted: Wanted): Promise<void> {
    const [last] = matchers.slice(-1);
    for (const one of matchers) {
      try {
        return await this.satisfy(one, wanted);
      } catch (error) {
        if (!(error instanceof NoResponse) || one === last) throw error;
      }
    }
  }

  private async satisfy(matcher: Matcher, wanted: Wanted): Promise<void> {
    const isAll = matcher.condition === 'and';
    const chosen = <T>(all: readonly T[]): readonly T[] => (isAll ? all : all.slice(0, 1));
    if (matcher.negative) return this.avoid(matcher, wanted);
    if (matcher.type === 'dsl') {
      const expressions = matcher.dsl.map((source) => this.template.texts.expression(source));
      const made = new SatisfiedExpression(wanted);
      if (isAll) for (const one of expressions) await made.make(one, true);
      else await this.anyOf(expressions, (one) => made.make(one, true));
      return;
    }
    if (matcher.type === 'status') return wanted.draft(null).setStatus(matcher.status[0] ?? 200);
    const { name, response } = PARTS.named(matcher.part ?? 'body');
    const draft = wanted.draft(response);
    if (matcher.type === 'size') draft.length = matcher.size[0] ?? 0;
    if (matcher.type === 'binary') for (const hex of chosen(matcher.binary)) draft.addBytes(Buffer.from(hex, 'hex'));
    if (matcher.type === 'word') {
      for (const word of chosen(matcher.words)) {
        const text =
          matcher.encoding === 'hex' && /^(?:[\da-f]{2})+$/i.test(word)
            ? textFromBytes(Buffer.from(word, 'hex'))
            : await this.template.texts.template(word).fill(wanted.environment, true);
        if (name === 'body') draft.addBytes(bytesOf(text));
        else draft.add(name, text);
      }
    }
    if (matcher.type === 'regex')
      for (const pattern of chosen(matcher.regex)) draft.add(name, await this.sample(name, pattern));
  }

  private avoid(matcher: Matcher, wanted: Wanted): void {
    if (matcher.type !== 'status') return;
    for (const status of matcher.status) wanted.draft(null).avoidStatus(status);
  }

  private async anyOf<T>(all: readonly T[], attempt: (one: T) => Promise<void>): Promise<void> {
    let reason: unknown = null;
    for (const one of all) {
      try {
        return await attempt(one);
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        reason = error;
      }
    }
    throw reason;
  }

  /** A text that the pattern finds, with a text in the group that is not empty. */
  private async sample(part: string, pattern: string, group = 0, value?: string): Promise<string> {
    const values = value === undefined || group === 0 ? new Map<number, string>() : new Map([[group, value]]);
    for (const isLonger of lengthsFor(part)) {
      const text = value !== undefined && group === 0 ? value : sampleOf(pattern, { isLonger, values });
      const found = await this.search.find(pattern, text, group);
      if (
        value === undefined
          ? found !== '' || (group === 0 && (await this.search.matches(pattern, text)))
          : found === value
      )
        return text;
    }
    throw new NoResponse(
      value === undefined ? 'no sample of a pattern' : `a pattern does not extract ${value.slice(0, 20)}`,
    );
  }

  private async addExtracted(
    one: Extractor,
    block: CompiledBlock,
    wanted: Wanted,
    draftOf: (number: number) => ResponseDraft,
  ): Promise<void> {
    const value = wanted.extracted.get(one.name ?? '');
    const isNeeded = value !== undefined || one.internal || block.block.matchers === undefined;
    if (!isNeeded || one.type === 'dsl') return;
    const { name, response } = PARTS.named(one.part);
    const numbers = response === null ? block.requests.map((_request, at) => at + 1) : [response];
    for (const draft of numbers.map(draftOf)) {
      if (one.type === 'regex') draft.add(name, await this.sample(name, one.regex[0] ?? '', one.group, value));
      if (one.type === 'kval') this.addField(draft, one.kval[0] ?? '', value ?? 'value');
      if (one.type === 'json') draft.document = documentOf(one.json[0] ?? '.', value ?? 'value', draft.document);
      if (one.type === 'xpath') draft.add('body', markupOf(one.xpath[0] ?? '', one.attribute, value ?? 'value'));
    }
  }

  private addField(draft: ResponseDraft, field: string, value: string): void {
    const name = field.replaceAll('_', '-');
    if (/^(?:x-|content-|location|server|set-cookie|www-|etag|date|link)/i.test(name))
      draft.setField(name, value, 'whole');
    else draft.setField('set-cookie', `${field}=${value}`);
  }
}

/** A document in which the query finds the value. */
function documentOf(query: string, value: string, known: unknown): unknown {
  const steps = parseJsonQuery(query)[0] ?? [];
  const made = steps.toReversed().reduce<unknown>((inner, step) => {
    if (step.kind === 'key') return { [step.key]: inner };
    if (step.kind === 'each') return [inner];
    return Array.from({ length: step.index < 0 ? 1 : step.index + 1 }, () => inner);
  }, value);
  return merged(known, made);
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function merged(one: unknown, other: unknown): unknown {
  if (one === undefined) return other;
  if (Array.isArray(one) && Array.isArray(other)) return [merged(one[0], other[0])];
  if (!isRecord(one) || !isRecord(other)) throw new NoResponse('JSON queries need different documents');
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return Object.fromEntries([...keys].map((key) => [key, key in other ? merged(one[key], other[key]) : one[key]]));
}

/** Markup in which the path finds the value. */
function markupOf(path: string, attribute: string | undefined, value: string): string {
  const steps = parseXPath(path);
  return steps.toReversed().reduce(
    (inner, { name, predicates }, at) => {
      const tag = name ?? 'div';
      const position = predicates.find((one) => one.kind === 'position')?.position ?? 1;
      const attributes = predicates.flatMap((one) =>
        one.kind === 'attribute' ? [`${one.name}="${one.value ?? 'a'}"`] : [],
      );
      const own = at === 0 && attribute !== undefined ? [`${attribute}="${value}"`] : [];
      const head = [tag, ...attributes, ...own].join(' ');
      const isVoid = /^(?:input|meta|link|img|br|hr)$/.test(tag);
      const before = (isVoid ? `<${tag}>` : `<${tag}></${tag}>`).repeat(position - 1);
      return `${before}<${head}>${isVoid ? '' : `${inner}</${tag}>`}`;
    },
    attribute === undefined ? value : '',
  );
}

export const isNoResponse = (error: unknown): error is Error =>
  error instanceof NoResponse || error instanceof ExpressionError;
