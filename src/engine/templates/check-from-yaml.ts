import { type Observation, inconclusive, type WebCheck, type WebSubject } from '../check';
import { namesClient } from '../transport/reserved-headers';
import { blocksThatRun, type CompiledTemplate } from './compiled-template';
import { compileSource } from './compile-source';
import { changingPartsOf } from './request-fields';
import { SearchBudgetExceeded } from './search-budget';
import type { TemplateOrigin } from './template-limits';
import { type TemplateProblem, templateRefusal } from './template-problem';
import { TemplateRun } from './template-run';
import type { Definition } from './template-schema';
import { templateWarnings } from './template-warnings';

/** The texts of a field that templates write as one text, as lines, or as a list. */
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

const MOST_TAGS = 40;

/** Lower-case words. Tags that cannot be used in a request are left out. */
const tagsOf = ({ info }: Definition): string[] =>
  [...new Set(textsOf(info.tags).flatMap((text) => text.toLowerCase().split(/[,\s]+/)))]
    .filter((tag) => /^[a-z0-9][\w.-]{0,49}$/.test(tag))
    .slice(0, MOST_TAGS);

/** The methods of its requests that may change state on the target, including method overrides. */
const unsafeMethodsOf = (template: CompiledTemplate): string[] => [
  ...new Set(blocksThatRun(template).flatMap(({ requests }) => requests.flatMap(changingPartsOf))),
];

/** Whether a request contains credentials. Repeated sign-ins could lock an account. */
const hasCredentials = (template: CompiledTemplate): boolean =>
  blocksThatRun(template).some(({ requests }) =>
    requests.some(({ headers }) => headers.some(([name]) => /^(?:authorization|cookie)$/i.test(name))),
  );

/** Tags that authors give to templates that attack or try credentials. */
const ACTIVE_TAGS = new Set('intrusive fuzz fuzzing dast dos bruteforce brute-force default-login'.split(' '));

/** Why it is not passive. Passive templates only send ordinary requests without credentials, and do not try many values. */
function activityOf(
  template: CompiledTemplate,
  tags: readonly string[],
  unsafeMethods: readonly string[],
): string | null {
  const blocks = blocksThatRun(template);
  const tag = tags.find((one) => ACTIVE_TAGS.has(one));
  if (unsafeMethods.length > 0) return `sends ${unsafeMethods.join(', ')}`;
  if (hasCredentials(template)) return 'sends credentials';
  if (blocks.some(({ requests }) => requests.some(({ body }) => body !== null))) return 'sends a body';
  if (blocks.some(({ rounds }) => rounds.length > 1)) return 'tries a list of values';
  return tag === undefined ? null : `is tagged ${tag}`;
}

/** A template in a request must not use the name of another client. For loaded templates, the operator is responsible. */
const namedClients = ({ blocks }: CompiledTemplate): TemplateProblem[] =>
  blocks
    .flatMap(({ requests }) => requests)
    .flatMap(({ place: path, headers }) =>
      headers
        .filter(([name]) => namesClient(name))
        .map(([name]) => ({ path, reason: `${name} names another client, so that only a loaded template may set it` })),
    );

export interface TemplateCheck extends WebCheck {
  readonly template: string;
  /** The tags that its author assigned. */
  readonly tags: readonly string[];
  /** The methods of its requests that may change state on the target. An admin must allow them for each finding. */
  readonly unsafeMethods: readonly string[];
  /** The values that it uses but does not define. Requests that need them are not sent. */
  readonly missingValues: readonly string[];
  /** Warnings for the author of the check, in sentences. */
  warnings(isUnsafeAllowed?: boolean): string[];
}

export interface TemplateOptions {
  /** Whether an admin allowed requests that may change state on the target. Never in jobs. */
  readonly allowUnsafe?: boolean;
  /**
   * Decides its limits. By default the template is part of a request. Stored templates were checked before, so they count as
   * loaded.
   */
  readonly origin?: TemplateOrigin;
}

export const NOT_ALLOWED = 'this check changes state; an admin must allow it';

async function observe(template: CompiledTemplate, subject: WebSubject): Promise<Observation> {
  try {
    return await new TemplateRun(template, subject).observation();
  } catch (error) {
    if (error instanceof SearchBudgetExceeded) return inconclusive(error.message);
    throw error;
  }
}

/**
 * Makes a check from YAML in the format of HTTP scanner templates. Unsupported features are refused when the check is recorded.
 */
export function checkFromYaml(
  source: string,
  { allowUnsafe = false, origin = 'stated' }: TemplateOptions = {},
): TemplateCheck {
  const compiled = compileSource(source, origin);
  if ('refusal' in compiled) throw compiled.refusal;
  const { defined, template } = compiled;
  const problems = origin === 'stated' ? [...template.problems, ...namedClients(template)] : template.problems;
  if (problems.length > 0) throw templateRefusal(problems);
  const { id, info } = defined;
  const unsafeMethods = unsafeMethodsOf(template);
  const tags = tagsOf(defined);
  const isForbidden = unsafeMethods.length > 0 && !allowUnsafe;
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
    template: source,
    mayChangeTarget: !allowUnsafe && (unsafeMethods.length > 0 || hasCredentials(template)),
    activity: activityOf(template, tags, unsafeMethods),
    sendsAll: template.isDependent,
    tags,
    unsafeMethods,
    missingValues: [...new Set(template.missing.map(({ name }) => name))],
    observe: (subject) => (isForbidden ? inconclusive(NOT_ALLOWED) : observe(template, subject)),
    warnings: (isUnsafeAllowed = allowUnsafe) => templateWarnings(template, isUnsafeAllowed ? [] : unsafeMethods),
  };
}
