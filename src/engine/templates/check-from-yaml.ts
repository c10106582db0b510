import { load } from 'js-yaml';
import type { z } from 'zod';
import { invalid } from '../../kernel/domain-error';
import { type Observation, notVulnerable, inconclusive, vulnerable, type WebCheck, type WebSubject } from '../check';
import { type Definition, type RequestBlock, definition } from './template-schema';
import { SearchBudgetExceeded } from './search-budget';
import { type CompiledExpressions, compileExpressions } from './compile-expressions';
import { matchWarnings } from './template-warnings';
import { extractValues, matches } from './matchers';
import { fillPlaceholders, pathOf } from './placeholders';
import { ResponseSearch } from './response-search';

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

const placeText = (path: readonly PropertyKey[]): string =>
  path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
    .join('')
    .replace(/^\./, '');

function reasonOf(issue: z.core.$ZodIssue): string {
  const place = placeText(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => `${place === '' ? '' : `${place}.`}${key} is not supported`).join('; ');
  }
  const [inner] = issue.code === 'invalid_key' ? issue.issues : [];
  return `${place || 'it'}: ${inner?.message ?? issue.message}`;
}

/** Refuses every unsupported field by name. */
function parseDefinition(source: string): Definition {
  const result = definition.safeParse(parseYaml(source));
  if (result.success) return result.data;
  throw invalid(`check: ${result.error.issues.slice(0, 5).map(reasonOf).join('; ')}.`);
}

interface PlannedRequest {
  readonly block: RequestBlock;
  readonly path: string;
}

function* requestsOf({ http, requests }: Definition): Generator<PlannedRequest> {
  for (const block of http ?? requests ?? []) {
    for (const path of block.path) yield { block, path };
  }
}

async function probeOnce(
  { block, path: template }: PlannedRequest,
  { target, probe }: WebSubject,
  search: ResponseSearch,
): Promise<Observation | null> {
  const path = pathOf(template, target);
  const { method, body, redirects } = block;
  const follows = redirects || block['host-redirects'];
  const page = await probe.http({
    method,
    path,
    headers: Object.entries(block.headers).map(([name, value]) => [name, fillPlaceholders(value, target)] as const),
    body: body === undefined ? undefined : fillPlaceholders(body, target),
    hops: follows ? block['max-redirects'] : 0,
  });
  if (!(await matches(block, page, search))) return null;
  const values = await extractValues(block.extractors ?? [], page, search);
  const found = values.length > 0 ? ` (${values.join(', ')})` : '';
  return vulnerable(`${method} ${path} returned ${page.status} and matches the check${found}.`);
}

async function observe(
  defined: Definition,
  expressions: CompiledExpressions,
  subject: WebSubject,
): Promise<Observation> {
  const search = new ResponseSearch(expressions);
  try {
    for (const wanted of requestsOf(defined)) {
      const seen = await probeOnce(wanted, subject, search);
      if (seen !== null) return seen;
    }
  } catch (error) {
    if (error instanceof SearchBudgetExceeded) return inconclusive(error.message);
    throw error;
  }
  return notVulnerable('No response matches the check');
}

/** The texts of a field that published templates state as one text, as lines, or as a list. */
const textsOf = (stated: unknown): string[] => [stated].flat().filter((text) => typeof text === 'string');

const cweOf = ({ info }: Definition): number[] => {
  const ids = textsOf(info.classification?.['cwe-id']).flatMap((text) => [
    ...text.matchAll(/\bcwe-([1-9]\d{0,4})\b/gi),
  ]);
  return [...new Set(ids.map(([, digits]) => Number(digits)))];
};

const cvssOf = ({ info }: Definition): string | null =>
  textsOf(info.classification?.['cvss-metrics']).find((text) =>
    /^CVSS:(?:3\.[01]|4\.0)\/[A-Za-z:/]{1,280}$/.test(text),
  ) ?? null;

const MOST_REFERENCES = 20;

const referencesOf = ({ info }: Definition): string[] =>
  textsOf(info.reference)
    .flatMap((text) => text.split(/\s+/))
    .filter((text) => /^https:\/\/[\x21-\x7e]{1,500}$/.test(text))
    .slice(0, MOST_REFERENCES);

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may change the target, or contains credentials. */
const mayChangeTarget = ({ method, headers }: RequestBlock): boolean =>
  !SAFE.has(method) || Object.keys(headers).some((name) => /^(?:authorization|cookie)$/i.test(name));

export interface TemplateCheck extends WebCheck {
  /** Warnings for the author of the check, in sentences. */
  warnings(): string[];
}

/** Reads a check from YAML in the format of HTTP scanner templates. Unsupported features are refused when it is recorded. */
export function checkFromYaml(source: string): TemplateCheck {
  const defined = parseDefinition(source);
  const { id, info, http, requests = [] } = defined;
  const blocks = http ?? requests;
  const field = http === undefined ? 'requests' : 'http';
  const expressions = compileExpressions(blocks, field);
  return {
    id: `http:${id}`,
    title: info.name,
    severity: info.severity === 'unknown' ? 'none' : info.severity,
    cwe: cweOf(defined),
    owasp: [],
    wstg: [],
    cvss: cvssOf(defined),
    references: referencesOf(defined),
    decides: 'Sends the requests of the template. It is vulnerable if a response matches, and fixed when none does.',
    text: [info.description, info.impact, info.remediation].filter((text) => text !== undefined).join('\n\n'),
    on: 'page',
    mayChangeTarget: blocks.some(mayChangeTarget),
    observe: (subject) => observe(defined, expressions, subject),
    warnings: () => matchWarnings(blocks, field, expressions),
  };
}
