import { CookieJar } from '../cookie-jar';
import { inconclusive, notVulnerable, type Observation, vulnerable, type WebSubject, withoutSubject } from '../check';
import type { Page } from '../page';
import type { ProbeRequest } from '../probe';
import { redact } from '../../kernel/redact';
import { overridingParameter } from '../transport/reserved-headers';
import type { CompiledBlock, CompiledRequest, CompiledTemplate } from './compiled-template';
import type { Environment } from './expressions/function-table';
import { bytesOf, ExpressionError, UndefinedName } from './expressions/value';
import { extractValues, type JudgedResponse } from './extract-values';
import type { Flow } from './flow';
import { matches, matchesButForStatus, timedResponses } from './matchers';
import type { Combination } from './payload-combinations';
import { joined, type Known } from './out-of-band';
import { encodedPath, requestPath } from './request-path';
import { ResponseSearch } from './response-search';
import { placeText } from './template-problem';
import { changingPartsOf } from './request-fields';
import { TemplateValues } from './template-values';

/** Thrown if a request cannot be sent as the template writes it. This proves nothing about the target. */
class UnsendableRequest extends Error {
  constructor(request: CompiledRequest, reason: string) {
    super(`${placeText(request.place)} was not sent: ${reason}`);
    this.name = 'UnsendableRequest';
  }
}

/** No earlier response contains a value that the next request needs. */
class MissingSubject extends UnsendableRequest {}

interface BlockOutcome {
  /** Null means unknown. */
  readonly matched: Known;
  /** What the first match showed, if it is a result. */
  readonly seen: Observation | null;
}

/** The meaning of a response: a result, nothing, or a condition that needs an out-of-band server. */
type Seen = Observation | 'unknown' | null;

const NOT_KNOWN =
  'No response matches the check, but it also needs a server for out-of-band requests, which Assay does not have';

const LONGEST_PATH = 16_384;

/** A block without matchers matches if it extracts something. Without extractors either, it has no condition. */
const hasCondition = ({ block }: CompiledBlock): boolean =>
  block.matchers !== undefined || block.extractors !== undefined;

/** Cuts a response to the size that the block reads. */
function limited(page: Page, most: number | undefined): Page {
  if (most === undefined || page.body.length <= most) return page;
  const body = page.body.subarray(0, most);
  return { ...page, body, text: body.toString() };
}

/** One probe of a target by a template. */
export class TemplateRun {
  private readonly cookies = new CookieJar();
  private readonly outcomes = new Map<number, BlockOutcome>();
  /** Whether a condition that did not match could match if Assay received out-of-band requests. */
  private isUnknown = false;
  /** What a response showed that does not match only because of its status. */
  private contentWithOtherStatus: string | null = null;
  private lastRequest: ProbeRequest = {};
  /** From then on, the state of the target may differ from what it would be with an out-of-band server. */
  private sentOutOfBand = false;

  constructor(
    private readonly template: CompiledTemplate,
    private readonly subject: WebSubject,
    private readonly search = new ResponseSearch(template.expressions),
    private readonly values = new TemplateValues(template, subject.target, search),
  ) {}

  async observation(): Promise<Observation> {
    try {
      const { flow } = this.template;
      const observed = flow === null ? await this.blocksInTurn() : await this.flow(flow);
      if (observed.state !== 'not_vulnerable') return observed;
      if (this.contentWithOtherStatus !== null) return inconclusive(this.contentWithOtherStatus);
      return this.isUnknown ? inconclusive(NOT_KNOWN) : observed;
    } catch (error) {
      if (error instanceof MissingSubject && !this.isUnknown && !this.sentOutOfBand)
        return withoutSubject(error.message);
      if (error instanceof ExpressionError || error instanceof UnsendableRequest) return inconclusive(error.message);
      throw error;
    }
  }

  private async blocksInTurn(): Promise<Observation> {
    for (const block of this.template.blocks) {
      const { seen } = await this.run(block, true);
      if (seen !== null) return seen;
    }
    return notVulnerable('No response matches the check');
  }

  private async flow(flow: Flow): Promise<Observation> {
    const holds = await this.holds(flow);
    const results = [...this.outcomes.values()].flatMap(({ seen }) => seen ?? []);
    const result = results.at(-1);
    if (holds === true && result !== undefined) return result;
    const failed = [...this.outcomes]
      .filter(([, { matched }]) => matched !== true)
      .map(([index]) => `http(${index + 1})`);
    return notVulnerable(`No response matches the check (${failed.join(', ') || 'its flow'} did not match)`);
  }

  private async holds(flow: Flow): Promise<Known> {
    if (flow.kind === 'not') {
      const inner = await this.holds(flow.flow);
      return inner === null ? null : !inner;
    }
    if (flow.kind !== 'block') {
      const left = await this.holds(flow.left);
      if (left === (flow.kind === 'or')) return left;
      // An unknown result cannot become true with `and`, so nothing more is sent.
      if (left === null && flow.kind === 'and') return null;
      return joined(flow.kind, [left, await this.holds(flow.right)]);
    }
    const block = this.template.blocks[flow.index];
    if (block === undefined) return false;
    const outcome = await this.run(block, false);
    this.outcomes.set(flow.index, outcome);
    return outcome.matched;
  }

  /** Sends the requests of a block until a response matches and nothing later depends on the rest. */
  private async run(compiled: CompiledBlock, endsWithResult: boolean): Promise<BlockOutcome> {
    const { block, requests, rounds } = compiled;
    const passesOn = block.extractors?.some(({ internal }) => internal) === true;
    const stops = block['stop-at-first-match'] || !passesOn;
    let outcome: BlockOutcome = { matched: !hasCondition(compiled), seen: null };
    for (const round of rounds) {
      const responses = new Map<number, Page>();
      const payloads = await this.payloads(round);
      for (const [index, request] of requests.entries()) {
        if (request.isOnce && round !== rounds[0]) continue;
        await this.values.fillVariables();
        this.sentOutOfBand ||= request.isOutOfBand;
        const page = limited(await this.send(compiled, request, round, payloads), block['max-size']);
        responses.set(index + 1, page);
        this.values.lastResponses.set(this.template.blocks.indexOf(compiled) + 1, page);
        const seen = await this.judge(compiled, request, page, responses, payloads);
        if (seen === null) continue;
        if (seen === 'unknown') {
          this.isUnknown = true;
          if (outcome.matched === false) outcome = { matched: null, seen: null };
          continue;
        }
        if (outcome.seen === null) outcome = { matched: true, seen: compiled.isReported ? seen : null };
        if (stops || (endsWithResult && compiled.isReported)) return outcome;
      }
    }
    return outcome;
  }

  private async payloads(round: Combination): Promise<Record<string, string>> {
    await this.values.fillVariables();
    return this.values.payloads(round);
  }

  private async send(
    { block }: CompiledBlock,
    request: CompiledRequest,
    round: Combination,
    payloads: Readonly<Record<string, string>>,
  ): Promise<Page> {
    const keepsUnknown = block['skip-variables-check'];
    const environment = this.values.forRequest(payloads);
    const { probe } = this.subject;
    const { method, body, target, isBelowPath } = request;
    const base = isBelowPath ? this.values.path : '';
    const name = requestPath(base, target.label(this.values.labels(round)));
    const follows = block.redirects || block['host-redirects'];
    try {
      const rest = await target.fill(environment, keepsUnknown);
      if (/^[A-Za-z][\w+.-]*:\/\//.test(rest)) throw new UnsendableRequest(request, 'its target is not a path');
      const path = rest.length > LONGEST_PATH ? rest : encodedPath(requestPath(base, rest));
      if (path.length > LONGEST_PATH)
        throw new UnsendableRequest(request, `its path is longer than ${LONGEST_PATH} characters`);
      this.lastRequest = {
        method,
        path,
        headers: await this.headers(request, environment, keepsUnknown),
        body: body === null ? undefined : bytesOf(await body.fill(environment, keepsUnknown)),
      };
      this.refuseOverride(request);
      const page = await probe.http({
        ...this.lastRequest,
        name,
        hops: follows ? block['max-redirects'] : 0,
        cookies: block['disable-cookie'] ? undefined : this.cookies,
      });
      // The response may come from an earlier probe.
      if (!block['disable-cookie']) for (const answer of [...page.hops, page]) this.cookies.store(answer);
      return page;
    } catch (error) {
      if (error instanceof UndefinedName) throw this.lacking(request, error);
      throw error;
    }
  }

  private refuseOverride(request: CompiledRequest): void {
    const { path = '', body = '' } = this.lastRequest;
    const parameter = overridingParameter(`${path}&${body.toString()}`);
    if (parameter !== null && changingPartsOf(request).length === 0)
      throw new UnsendableRequest(request, `as it is filled in, ${parameter} makes it a request that may change state`);
  }

  private lacking(request: CompiledRequest, { variable, message }: UndefinedName): UnsendableRequest {
    return this.template.missing.some(({ name }) => name === this.template.texts.declared(variable))
      ? new UnsendableRequest(request, `${message}; state it under variables in the template`)
      : new MissingSubject(request, `${message}, because no earlier response contains it`);
  }

  private async headers(
    request: CompiledRequest,
    environment: Environment,
    keepsUnknown: boolean,
  ): Promise<(readonly [name: string, value: string])[]> {
    const fields: [string, string][] = [];
    for (const [name, text] of request.headers) {
      const value = bytesOf((await text.fill(environment, keepsUnknown)).trim()).toString('latin1');
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(value))
        throw new UnsendableRequest(request, `${name} is not one line of text`);
      fields.push([name, value]);
    }
    return fields;
  }

  /** Each redirect is evaluated like the page that it leads to, which comes first. */
  private async judge(
    compiled: CompiledBlock,
    request: CompiledRequest,
    last: Page,
    responses: ReadonlyMap<number, Page>,
    payloads: Readonly<Record<string, string>>,
  ): Promise<Seen> {
    let seen: Seen = null;
    for (const page of [last, ...last.hops.toReversed().map((hop): Page => ({ ...hop, hops: [] }))]) {
      if (seen !== null && seen !== 'unknown') break;
      seen = (await this.judgeOne(compiled, request, page, responses, payloads)) ?? seen;
    }
    return seen;
  }

  private async judgeOne(
    { block }: CompiledBlock,
    { method }: CompiledRequest,
    page: Page,
    responses: ReadonlyMap<number, Page>,
    payloads: Readonly<Record<string, string>>,
  ): Promise<Seen> {
    const judged: JudgedResponse = { page, responses, search: this.search, texts: this.template.texts };
    const { shown, named, passedOn } = await extractValues(block.extractors ?? [], judged, (extracted) =>
      this.values.forResponse({ payloads, responses, page, extracted }),
    );
    for (const [name, value] of passedOn) this.values.passedOn.set(name, value);
    const environment = this.values.forResponse({ payloads, responses, page, extracted: named });
    const hasOwnCondition = block.matchers !== undefined || block.extractors !== undefined;
    const isMatch =
      block.matchers === undefined ? shown.length + passedOn.size > 0 : await matches(block, judged, environment);
    const path = redact(page.url.slice(new URL(page.url).origin.length));
    if (isMatch === false && (await matchesButForStatus(block, judged, environment))) {
      const sibling = await this.subject.probe.askBeside(this.lastRequest);
      const besides = this.values.forResponse({ payloads, responses, page: sibling, extracted: named });
      if (!(await matchesButForStatus(block, { ...judged, page: sibling }, besides)))
        this.contentWithOtherStatus ??= `${method} ${path} returned ${page.status}, but with the content that the check looks for`;
    }
    if (isMatch !== true) return isMatch === null || (this.sentOutOfBand && hasOwnCondition) ? 'unknown' : null;
    const timed = await timedResponses(block, judged, environment);
    if (timed.length > 0 && timed.every((one) => this.isUsual(one)))
      return inconclusive(`${method} ${path} took long, but so does the page of the target, so its time shows nothing`);
    const found = shown.length > 0 ? ` (${shown.join(', ')})` : '';
    return vulnerable(`${method} ${path} returned ${page.status} and matches the check${found}.`);
  }

  /** Whether the page without the requests of the check takes at least half as long. */
  private isUsual({ ms = 0 }: Page): boolean {
    return (this.subject.page.ms ?? 0) * 2 >= ms;
  }
}
