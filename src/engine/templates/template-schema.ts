import { z } from 'zod';
import { PARTS } from './response-parts';
import { PLACEHOLDERS } from './placeholders';

const LONGEST_TEXT = 1_000;

/** Unknown placeholders are refused: sent literally they would change the request. */
const known = (text: string): boolean =>
  [...text.matchAll(/\{\{([^{}]*)\}\}?/g)].every(([, name = '']) => PLACEHOLDERS.some((one) => one === name.trim()));

const template = z
  .string()
  .max(16_384)
  .refine(known, { error: `may only use the placeholders ${PLACEHOLDERS.map((name) => `{{${name}}}`).join(', ')}` });

const list = <T extends z.ZodType>(item: T, most = 50) => z.array(item).min(1).max(most);
const word = z.string().min(1).max(LONGEST_TEXT);
const part = z.string().refine((name) => PARTS.knows(name), { error: 'is not a supported part of a response' });

const common = {
  name: z.string().max(200).optional(),
  negative: z.boolean().default(false),
};
const condition = z.enum(['and', 'or']).default('or');
const number = z.int().min(0).max(1_000_000_000);

/** The error names the unsupported type. */
const unknownType =
  (types: string) =>
  ({ input }: { readonly input?: unknown }): string => {
    const type: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'type') : undefined;
    return `${typeof type === 'string' ? type.slice(0, 100) : 'no type'} is not supported; it may be ${types}`;
  };

const matcher = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ ...common, type: z.literal('status'), condition, status: list(z.int().min(100).max(599)) }),
    z.strictObject({
      ...common,
      type: z.literal('word'),
      condition,
      part: part.default('body'),
      words: list(word),
      'case-insensitive': z.boolean().default(false),
    }),
    z.strictObject({
      ...common,
      type: z.literal('regex'),
      condition,
      part: part.default('body'),
      regex: list(word, 20),
    }),
    z.strictObject({ ...common, type: z.literal('size'), condition, part: part.default('body'), size: list(number) }),
  ],
  { error: unknownType('status, word, regex or size') },
);

const extractor = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      type: z.literal('regex'),
      name: common.name,
      part: part.default('body'),
      group: z.int().min(0).max(50).default(0),
      regex: list(word, 20),
    }),
    z.strictObject({ type: z.literal('kval'), name: common.name, part: part.default('header'), kval: list(word, 20) }),
  ],
  { error: unknownType('regex or kval') },
);

/** The rest must be a path or a query: anything else would change the host. */
const path = template
  .regex(/^\{\{\s*(?:BaseURL|RootURL)\s*\}\}(?:[/?].*)?$/s, {
    error: 'must begin with {{BaseURL}} or {{RootURL}}, followed by / or ?',
  })
  .regex(/^[\x21-\x7e]*$/, { error: 'must be percent-encoded' })
  .max(2_048);

/**
 * Whose site on a shared server is asked for is not the check's to say, nor where a message ends.
 */
const FORBIDDEN = new Set(
  'host connection content-length transfer-encoding upgrade expect te trailer keep-alive proxy-authorization'.split(
    ' ',
  ),
);
const headers = z
  .record(
    z
      .string()
      .regex(/^[\w!#$%&'*+.^`|~-]{1,100}$/, { error: 'is not a valid header name' })
      .refine((name) => !FORBIDDEN.has(name.toLowerCase()), { error: 'may not be set by a check' }),
    template.regex(/^[\t\x20-\x7e]*$/, { error: 'must be one line of ASCII' }).max(LONGEST_TEXT),
  )
  .refine((fields) => Object.keys(fields).length <= 20, { error: 'has more than 20 entries' });

const block = z
  .strictObject({
    method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']).default('GET'),
    path: list(path, 10),
    headers: headers.default({}),
    body: template.optional(),
    redirects: z.boolean().default(false),
    'host-redirects': z.boolean().default(false),
    'max-redirects': z.int().min(0).max(10).default(5),
    'stop-at-first-match': z.boolean().optional(),
    'matchers-condition': condition,
    matchers: list(matcher, 20).optional(),
    extractors: list(extractor, 20).optional(),
  })
  .refine((one) => one.matchers !== undefined || one.extractors !== undefined, {
    error: 'has neither matchers nor extractors',
  });

const prose = z.string().max(16_384);
const opaque = z.unknown().optional();

const info = z.strictObject({
  name: z.string().trim().min(1).max(500),
  severity: z.enum(['info', 'low', 'medium', 'high', 'critical', 'unknown']).default('unknown'),
  description: prose.optional(),
  remediation: prose.optional(),
  impact: prose.optional(),
  classification: z.looseObject({ 'cwe-id': opaque, 'cvss-metrics': opaque }).partial().optional(),
  // These say where a check comes from and change nothing in what it does.
  author: opaque,
  reference: opaque,
  tags: opaque,
  metadata: opaque,
});

const requests = list(block, 5);

export const definition = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, { error: 'must be letters, digits, - and _' }),
    info,
    http: requests.optional(),
    /** The older name of `http`. */
    requests: requests.optional(),
  })
  .refine((one) => (one.http === undefined) !== (one.requests === undefined), {
    error: 'must have exactly one of http and requests',
  });

export type Definition = z.infer<typeof definition>;
export type RequestBlock = z.infer<typeof block>;
export type Matcher = z.infer<typeof matcher>;
export type Extractor = z.infer<typeof extractor>;
