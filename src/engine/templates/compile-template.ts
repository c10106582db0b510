import { groupBy } from '../../kernel/group-by';
import { compileExpressions, type RequestsField } from './compile-expressions';
import type { CompiledBlock, CompiledRequest, CompiledTemplate, MissingValue } from './compiled-template';
import { ExpressionError } from './expressions/value';
import { isChanging } from './expressions/functions';
import { type Expression, withinExpression } from './expressions/parse-expression';
import type { TextTemplate } from './expressions/text-template';
import { blocksOf, type Flow, parseFlow } from './flow';
import { refusalOfNames } from './foreign-names';
import { blockCanMatch, flowCanHold, OUT_OF_BAND_REFUSAL, OUT_OF_BAND_URL } from './out-of-band';
import { parseJsonQuery } from './json-query';
import { parseRawRequest } from './parse-raw-request';
import { payloadCombinations } from './payload-combinations';
import { impossibleConditions } from './impossible-conditions';
import { blockValueName, EVENT_NAMES, isRandomName, TARGET_NAMES } from './placeholders';
import { isNumberOfResponse, isOutOfBandPart, isTextOfResponse } from './response-parts';
import { variablesWithoutValue } from './variables-without-value';
import { decideField, methodRefusal } from './request-fields';
import { MOST_DEPENDENT_REQUESTS, type TemplateLimits } from './template-limits';
import type { Definition, RequestBlock } from './template-schema';
import type { ProblemPath, TemplateProblem } from './template-problem';
import { TemplateTexts } from './template-texts';
import { parseXPath } from './xpath';

const BASE = /^\{\{\s*(?<base>BaseURL|RootURL)\s*\}\}(?<rest>.*)$/s;

/** All control characters except the tab. */
const CONTROL_CHARACTER = /[^\P{Cc}\t]/u;

class TemplateCompiler {
  private readonly texts: TemplateTexts;
  private readonly problems: TemplateProblem[] = [];
  private readonly missing: MissingValue[] = [];
  private readonly field: RequestsField;
  private readonly stated: readonly RequestBlock[];
  /** The names that a block can use in addition to its payloads. */
  private readonly names: ReadonlySet<string>;
  private readonly extracted: ReadonlySet<string>;
  /** Names whose values contain the missing out-of-band server. */
  private readonly outOfBandNames = new Set([OUT_OF_BAND_URL]);
  private readonly outOfBand: ProblemPath[] = [];
  private readonly slow: ProblemPath[] = [];
  /** Undefined names in expressions, unless they are among the missing values. */
  private readonly unknown: MissingValue[] = [];
  private isRandom = false;
  private usesEarlierResponses = false;

  constructor(
    private readonly defined: Definition,
    private readonly limits: TemplateLimits,
  ) {
    const { http, requests = [], variables } = defined;
    this.field = http === undefined ? 'requests' : 'http';
    this.stated = http ?? requests;
    const extractors = this.stated.flatMap(({ extractors: own = [] }) => own);
    this.extracted = new Set(
      extractors.flatMap(({ name, internal }) => (internal && name !== undefined ? [name] : [])),
    );
    this.names = new Set([...TARGET_NAMES, ...Object.keys(variables), ...this.extracted]);
    this.texts = new TemplateTexts([
      OUT_OF_BAND_URL,
      ...EVENT_NAMES,
      ...this.names,
      ...extractors.flatMap(({ name = '' }) => name),
      ...this.stated.flatMap(({ payloads = {} }) => Object.keys(payloads)),
    ]);
  }

  compile(): CompiledTemplate {
    const variables = new Map(
      Object.entries(this.defined.variables).map(([name, source]) => [
        name,
        this.text(source, ['variables', name], new Set()),
      ]),
    );
    const needs = new Map(
      [...variables].map(([name, { names }]) => [name, names.map((one) => this.texts.declared(one))] as const),
    );
    for (const name of variablesWithoutValue(needs)) this.missing.push({ name, path: ['variables', name] });
    this.noteOutOfBandVariables(needs);
    const flow = this.flow();
    const blocks = this.stated.map((block, index) => this.block(block, [this.field, index]));
    this.judgeUnknownNames();
    const expressions = compileExpressions(this.stated, this.field, this.texts, this.problems);
    const count = blocks.reduce((sum, { requests, rounds }) => sum + requests.length * rounds.length, 0);
    const isDependent = flow !== null || (count > 1 && (this.isRandom || this.usesEarlierResponses));
    const most = isDependent ? Math.min(MOST_DEPENDENT_REQUESTS, this.limits.requests) : this.limits.requests;
    if (count > most)
      this.problem(
        [this.field],
        `sends ${count} requests${isDependent ? ' that depend on each other' : ''}, which are more than ${most}`,
      );
    if (!blocks.some(({ isReported }) => isReported))
      this.problem([this.field, 0], 'has neither matchers nor extractors');
    this.refuseOutOfBandAlone(blocks, flow);
    const { field, texts, missing, problems, slow, outOfBand } = this;
    const { id } = this.defined;
    return { id, field, blocks, flow, variables, texts, expressions, missing, problems, slow, outOfBand, isDependent };
  }

  /** A variable may refer to one that comes after it. */
  private noteOutOfBandVariables(needs: ReadonlyMap<string, readonly string[]>): void {
    const pairs = [...needs].flatMap(([variable, names]) => names.map((name) => ({ variable, name })));
    const users = groupBy(pairs, ({ name }) => name);
    // The loop also visits the names that it adds.
    for (const name of this.outOfBandNames)
      for (const { variable } of users.get(name) ?? []) this.outOfBandNames.add(variable);
  }

  private isOutOfBand(source: string): boolean {
    return this.texts.template(source).names.some((name) => this.outOfBandNames.has(this.texts.declared(name)));
  }

  /** Called once all expressions are parsed. */
  private refuseOutOfBandAlone(blocks: readonly CompiledBlock[], flow: Flow | null): void {
    if (this.problems.length > 0) return;
    const { texts } = this;
    const canMatch = blocks.map(({ block }) => blockCanMatch(block, texts));
    const running = flow === null ? blocks.keys() : blocksOf(flow);
    const canReport = [...running].some((index) => canMatch[index] === true && blocks[index]?.isReported === true);
    const [first] = this.outOfBand;
    if (first === undefined) return;
    if (!canReport || (flow !== null && !flowCanHold(flow, (index) => canMatch[index] === true)))
      this.problem(first, OUT_OF_BAND_REFUSAL);
  }

  /** If a request needs the value as well, its user has to state it. */
  private judgeUnknownNames(): void {
    const missing = new Set(this.missing.map(({ name }) => name));
    for (const { name, path } of this.unknown)
      if (!missing.has(name))
        this.problem(
          path,
          `${name.slice(0, 60)} is not a known name; look for other header fields and cookies in header`,
        );
  }

  private problem(path: ProblemPath, reason: string): void {
    this.problems.push({ path, reason });
  }

  private flow(): Flow | null {
    const { flow: source } = this.defined;
    if (source === undefined) return null;
    try {
      return parseFlow(source, this.stated.length);
    } catch (error) {
      this.reportError(error, ['flow']);
      return null;
    }
  }

  private reportError(error: unknown, path: ProblemPath): void {
    if (!(error instanceof ExpressionError)) throw error;
    this.problem(path, error.message);
  }

  private block(block: RequestBlock, place: ProblemPath): CompiledBlock {
    const own = new Set(Object.keys(block.payloads ?? {}));
    const outOfBandPayloads = Object.entries(block.payloads ?? {}).filter(([, values]) =>
      [values].flat().some((value) => this.isOutOfBand(value)),
    );
    for (const [name] of outOfBandPayloads) this.outOfBandNames.add(name);
    const requests =
      block.raw === undefined ? this.pathRequests(block, place, own) : this.rawRequests(block, place, own);
    const rounds = payloadCombinations(block, this.limits);
    if ('refusal' in rounds) this.problem([...place, 'payloads'], rounds.refusal);
    for (const [name, values] of Object.entries(block.payloads ?? {})) {
      for (const [index, value] of [values].flat().entries())
        this.text(value, [...place, 'payloads', name, index], new Set(), block);
    }
    const inResponse = new Set([...own, ...(block.extractors ?? []).flatMap(({ name = [] }) => name)]);
    this.matchers(block, place, inResponse);
    this.extractors(block, place, inResponse);
    const reporting = block.matchers ?? block.extractors ?? [];
    const isReported = reporting.some(({ internal }) => !internal);
    return { place, block, requests, rounds: 'refusal' in rounds ? [] : rounds, isReported };
  }

  private pathRequests(block: RequestBlock, place: ProblemPath, own: ReadonlySet<string>): CompiledRequest[] {
    const { method, headers: stated, body, path: paths = [] } = block;
    const refusal = methodRefusal(method);
    if (refusal !== null) this.problem([...place, 'method'], refusal);
    const headers = Object.entries(stated).flatMap(([name, value]) => {
      const path = [...place, 'headers', name];
      const decision = decideField(name, value);
      if (typeof decision === 'object') this.problem(path, decision.refused);
      else if (CONTROL_CHARACTER.test(value)) this.problem(path, 'must be one line');
      return decision === 'sent' ? [[name, this.text(value, path, own, block)] as const] : [];
    });
    const bodyText = body === undefined ? null : this.text(body, [...place, 'body'], own, block);
    return paths.map((source, index) => {
      const at = [...place, 'path', index];
      const { base, rest = '' } = BASE.exec(source.trim())?.groups ?? {};
      if (base === undefined || !/^(?:[/?#]|\{\{|$)/.test(rest))
        this.problem(at, 'must begin with {{BaseURL}} or {{RootURL}}, followed by / or ?');
      if (CONTROL_CHARACTER.test(source.trim())) this.problem(at, 'must be one line');
      const target = this.text(rest, at, own, block);
      const isOutOfBand = this.noteOutOfBand([rest, ...Object.values(stated), body ?? ''], at);
      return {
        place: at,
        method,
        isBelowPath: base !== 'RootURL',
        target,
        headers,
        body: bodyText,
        isOnce: false,
        isOutOfBand,
      };
    });
  }

  private rawRequests(block: RequestBlock, place: ProblemPath, own: ReadonlySet<string>): CompiledRequest[] {
    return (block.raw ?? []).flatMap((source, index) => {
      const at = [...place, 'raw', index];
      const raw = parseRawRequest(source);
      if ('refusals' in raw) {
        for (const reason of raw.refusals) this.problem(at, reason);
        return [];
      }
      const { base, rest = raw.target } = BASE.exec(raw.target)?.groups ?? {};
      if (/^(?:[A-Za-z][\w+.-]*:|\*)/.test(rest) || (base !== undefined && !/^(?:[/?#]|\{\{|$)/.test(rest)))
        this.problem(at, 'the target of the request line must be a path, so that only the tested host is asked');
      const headers = raw.headers.map(([name, value]) => [name, this.text(value, at, own, block)] as const);
      const body = raw.body === null ? null : this.text(raw.body, at, own, block);
      const isBelowPath = base === undefined ? !block['disable-path-automerge'] : base === 'BaseURL';
      const isOutOfBand = this.noteOutOfBand([rest, ...raw.headers.map(([, value]) => value), raw.body ?? ''], at);
      const target = this.text(rest, at, own, block);
      if (raw.isSlow) this.slow.push(at);
      const { method, isOnce } = raw;
      return [{ place: at, method, isBelowPath, target, headers, body, isOnce, isOutOfBand }];
    });
  }

  private noteOutOfBand(sources: readonly string[], place: ProblemPath): boolean {
    const isOutOfBand = sources.some((source) => this.isOutOfBand(source));
    if (isOutOfBand) {
      this.outOfBand.push(place);
      this.isRandom = true;
    }
    return isOutOfBand;
  }

  /** Parses a text, and notes names in it that nothing defines. */
  private text(source: string, path: ProblemPath, own: ReadonlySet<string>, block?: RequestBlock): TextTemplate {
    const text = this.texts.template(source);
    const { literals } = text;
    const names = text.names.map((name) => this.texts.declared(name)).filter((name) => name !== OUT_OF_BAND_URL);
    this.noteChance(text.expressions);
    const refusal = refusalOfNames(names.filter((name) => !this.isKnown(name, own)));
    if (refusal !== null) {
      this.problem(path, refusal);
      return text;
    }
    if (block?.['skip-variables-check'] !== true) {
      for (const { source: literal, reason } of literals) this.problem(path, `{{${literal.slice(0, 60)}}}: ${reason}`);
      for (const name of names) if (!this.isKnown(name, own)) this.missing.push({ name, path });
    }
    if (names.some((name) => this.extracted.has(name) || this.isOfBlock(name))) this.usesEarlierResponses = true;
    return text;
  }

  private isKnown(name: string, own: ReadonlySet<string>): boolean {
    return this.names.has(name) || own.has(name) || isRandomName(name) || this.isOfBlock(name);
  }

  private isKnownInResponse(name: string, own: ReadonlySet<string>): boolean {
    return this.isKnown(name, own) || EVENT_NAMES.has(name) || isNumberOfResponse(name) || isTextOfResponse(name);
  }

  private isOfBlock(name: string): boolean {
    const of = blockValueName(name);
    return of !== null && of.block <= this.stated.length;
  }

  private noteChance(expressions: readonly Expression[]): void {
    for (const one of expressions.flatMap((expression) => [...withinExpression(expression)])) {
      if (one.kind === 'call' ? isChanging(one.name) : one.kind === 'name' && isRandomName(one.name))
        this.isRandom = true;
    }
  }

  private matchers(block: RequestBlock, place: ProblemPath, own: ReadonlySet<string>): void {
    const { matchers = [] } = block;
    for (const [index, matcher] of matchers.entries()) {
      const path = [...place, 'matchers', index];
      if ('part' in matcher && /_\d+$/.test(matcher.part ?? '')) this.usesEarlierResponses = true;
      if (matcher.type === 'dsl') this.expressionsAt(matcher.dsl, [...path, 'dsl'], own);
      else if ('part' in matcher && isOutOfBandPart(matcher.part ?? '')) this.outOfBand.push([...path, 'part']);
      if (matcher.type !== 'word') continue;
      for (const [at, word] of matcher.words.entries()) this.word(word, [...path, 'words', at], own);
    }
    if (this.problems.length === 0) this.refuseImpossible(block, place, own);
  }

  private refuseImpossible(block: RequestBlock, place: ProblemPath, own: ReadonlySet<string>): void {
    const isDefined = (name: string): boolean => own.has(name) || this.names.has(name);
    for (const { matcher, entry, reason } of impossibleConditions(block, this.texts, isDefined))
      this.problem(
        [...place, 'matchers', matcher, ...(entry === null ? [] : ['dsl', entry])],
        `is never true: ${reason}`,
      );
  }

  /** A word may contain literal braces and refer to parts of the response. */
  private word(source: string, path: ProblemPath, own: ReadonlySet<string>): void {
    const text = this.texts.template(source);
    const names = text.names.map((name) => this.texts.declared(name)).filter((name) => name !== OUT_OF_BAND_URL);
    this.noteChance(text.expressions);
    const refusal = refusalOfNames(names);
    if (refusal !== null) this.problem(path, refusal);
    if (names.some((name) => !this.isKnown(name, own))) this.usesEarlierResponses = true;
  }

  private expressionsAt(sources: readonly string[], path: ProblemPath, own: ReadonlySet<string>): void {
    for (const [index, source] of sources.entries()) {
      try {
        const all = [...withinExpression(this.texts.expression(source))];
        this.noteChance(all.slice(0, 1));
        const stated = all.flatMap((one) => (one.kind === 'name' ? [this.texts.declared(one.name)] : []));
        const names = stated.filter((name) => name !== OUT_OF_BAND_URL && !isOutOfBandPart(name));
        if (stated.some(isOutOfBandPart)) this.outOfBand.push([...path, index]);
        const refusal = refusalOfNames(names);
        if (refusal !== null) this.problem([...path, index], refusal);
        else
          for (const name of names)
            if (!this.isKnownInResponse(name, own)) this.unknown.push({ name, path: [...path, index] });
        if (names.some((name) => /_\d+$|^duration/.test(name))) this.usesEarlierResponses = true;
      } catch (error) {
        this.reportError(error, [...path, index]);
      }
    }
  }

  private queries(sources: readonly string[], path: ProblemPath, parse: (source: string) => unknown): void {
    for (const [at, source] of sources.entries()) {
      try {
        parse(source);
      } catch (error) {
        this.reportError(error, [...path, at]);
      }
    }
  }

  private extractors({ extractors = [], matchers }: RequestBlock, place: ProblemPath, own: ReadonlySet<string>): void {
    for (const [index, extractor] of extractors.entries()) {
      const path = [...place, 'extractors', index];
      if (isOutOfBandPart(extractor.part)) {
        this.outOfBand.push([...path, 'part']);
        if (extractor.internal) this.problem([...path, 'part'], OUT_OF_BAND_REFUSAL);
      }
      // Next to matchers, an extractor only shows what it finds and does not decide.
      const known = matchers !== undefined && !extractor.internal ? new Set([...own, 'cname']) : own;
      if (extractor.type === 'dsl') this.expressionsAt(extractor.dsl, [...path, 'dsl'], known);
      if (extractor.type === 'json') this.queries(extractor.json, [...path, 'json'], parseJsonQuery);
      if (extractor.type === 'xpath') this.queries(extractor.xpath, [...path, 'xpath'], parseXPath);
    }
  }
}

/** Parses everything in a template that is not plain text, and collects what does not run. */
export const compileTemplate = (defined: Definition, limits: TemplateLimits): CompiledTemplate =>
  new TemplateCompiler(defined, limits).compile();
