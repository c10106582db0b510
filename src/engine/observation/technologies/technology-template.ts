import type { WebSubject } from '../../check';
import type { Page } from '../../page';
import { isWeb, parseTarget } from '../../target';
import { compileTemplate } from '../../templates/compile-template';
import type { CompiledTemplate } from '../../templates/compiled-template';
import { parseTemplate } from '../../templates/parse-template';
import { SearchBudgetExceeded } from '../../templates/search-budget';
import { TEMPLATE_LIMITS } from '../../templates/template-limits';
import { TemplateRun } from '../../templates/template-run';
import type { Definition } from '../../templates/template-schema';
import { Headers } from '../../transport/headers';
import type { Statement, TechnologySeen } from '../host-seen';

type HttpStatement = Extract<Statement, { kind: 'http' }>;

/** Names a technology if a template matches the start page of a port. It sends no requests. */
export interface TechnologyTemplate {
  seenIn(statements: readonly Statement[]): Promise<TechnologySeen | null>;
}

/** Null for a template that does more than request the start page like any client. */
export function technologyTemplate(source: string): TechnologyTemplate | null {
  const parsed = parseTemplate(source);
  if ('problems' in parsed) return null;
  const template = compileTemplate(parsed.defined, TEMPLATE_LIMITS.loaded);
  if (template.problems.length > 0 || !isOfStartPage(template)) return null;
  const technology = technologyIn(parsed.defined);
  return {
    async seenIn(statements) {
      const page = statements.find((one) => one.kind === 'http' && new URL(one.url).pathname === '/');
      if (page?.kind !== 'http' || !(await matches(template, page))) return null;
      return { ...technology, source: `template ${template.id} on ${page.url}` };
    },
  };
}

function isOfStartPage({ blocks, flow, missing }: CompiledTemplate): boolean {
  const [block, ...otherBlocks] = blocks;
  if (block === undefined || otherBlocks.length > 0 || flow !== null || missing.length > 0) return false;
  const [request, ...others] = block.requests;
  if (request === undefined || others.length > 0 || block.rounds.length !== 1) return false;
  const { method, headers, body, target } = request;
  return method === 'GET' && headers.length === 0 && body === null && ['', '/'].includes(target.label({}));
}

const textIn = (record: unknown, name: string): string => {
  const value: unknown = typeof record === 'object' && record !== null ? Reflect.get(record, name) : '';
  return typeof value === 'string' ? value : '';
};

/** Words in such titles besides the name: `Grafana Login Panel - Detect`. */
const BESIDES =
  /(?<!\s)\s+(?:[-–:]\s*)?(?:(?:version|login|panel|page|technology)\s+){0,9}(?:-\s*)?(?:detect(?:ion|ed|or)?|panel)$/i;

/** Leaves the version empty: only the target states versions. */
function technologyIn({ info }: Definition): Omit<TechnologySeen, 'source'> {
  const name = info.name.replace(BESIDES, '');
  const cpe = textIn(info.classification, 'cpe');
  return {
    name: name === '' ? info.name : name,
    vendor: textIn(info.metadata, 'vendor'),
    version: '',
    os: '',
    cpe: /^cpe:2\.3:[aho](?::[^\s:]{1,100}){10}$/.test(cpe) ? cpe : '',
  };
}

async function matches(template: CompiledTemplate, statement: HttpStatement): Promise<boolean> {
  const subject = subjectOf(statement);
  if (subject === null) return false;
  try {
    return (await new TemplateRun(template, subject).observation()).state === 'vulnerable';
  } catch (error) {
    if (error instanceof SearchBudgetExceeded) return false;
    throw error;
  }
}

/** Answers every request with the page that was already fetched. */
function subjectOf({ url, status, headers, body }: HttpStatement): WebSubject | null {
  const target = parseTarget(url);
  if (!isWeb(target)) return null;
  const bytes = Buffer.from(body);
  const page: Page = { url, status, headers: new Headers(headers), body: bytes, text: body, tls: null, hops: [] };
  const http = (): Promise<Page> => Promise.resolve(page);
  const nothing = (): Promise<never> => Promise.reject(new Error('a template of a technology sends nothing'));
  const ignore = (): undefined => undefined;
  const marks = { markAsGenuine: ignore, markAsJudged: ignore, markAsDecisive: ignore, keepExperiment: ignore };
  const asks = { http, requestPage: http, askBeside: http, tls: nothing, tcp: nothing, dns: nothing };
  const probe = { ...asks, offersHttp2: false, ...marks };
  const links = { links: () => Promise.resolve([]), seen: null, shown: [], provoking: [], names: null, report: null };
  return { target, page, probe, experiment: null, isRepeat: false, ...links };
}
