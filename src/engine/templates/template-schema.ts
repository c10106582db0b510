import { z } from 'zod';
import { isLine } from '../../kernel/plain-text';
import { isOutOfBandPart, PARTS } from './response-parts';

/** The maximum length of a whole template. */
const LONGEST_TEXT = 65_536;

/** Texts with expressions are parsed when the template is compiled. */
const template = z.string().max(LONGEST_TEXT);

const list = <T extends z.ZodType>(item: T, most = 50) => z.array(item).min(1).max(most);
const oneOrMore = <T extends z.ZodType>(item: T, most = 200) =>
  z.preprocess((stated) => (Array.isArray(stated) ? (stated as unknown) : [stated]), list(item, most));
/** YAML parses an unquoted 200 as a number. Decimals would be lost, so other numbers must be quoted. */
const word = z
  .union([z.string(), z.int(), z.boolean()], { error: 'must be a text; put quotes around it' })
  .transform(String)
  .pipe(z.string().min(1).max(LONGEST_TEXT));
const part = z.string().refine((name) => PARTS.knows(name) || isOutOfBandPart(name), {
  error: 'is not a supported part of a response',
});

const common = {
  name: z.string().max(200).optional(),
  negative: z.boolean().default(false),
  internal: z.boolean().default(false),
};
const condition = z.enum(['and', 'or']).default('or');
const number = z.int().min(0).max(1_000_000_000);
const hexadecimal = z
  .string()
  .max(LONGEST_TEXT)
  .regex(/^(?:[\da-fA-F]{2})+$/, { error: 'must be hexadecimal' });

/** The error contains the unsupported type. */
const unknownType =
  (types: string) =>
  ({ input }: { readonly input?: unknown }): string => {
    const type: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, 'type') : undefined;
    return `${typeof type === 'string' ? type.slice(0, 100) : 'no type'} is not supported; it may be ${types}`;
  };

const matcher = z.discriminatedUnion(
  'type',
  [
    z.strictObject({
      ...common,
      type: z.literal('status'),
      condition,
      /** Has no effect, because a status has no parts. */
      part: z.string().optional(),
      status: oneOrMore(z.int().min(100).max(599)),
    }),
    z.strictObject({
      ...common,
      type: z.literal('word'),
      condition,
      part: part.default('body'),
      words: oneOrMore(word),
      encoding: z.literal('hex', { error: 'is not supported, except for hex' }).optional(),
      'case-insensitive': z.boolean().default(false),
    }),
    z.strictObject({
      ...common,
      type: z.literal('regex'),
      condition,
      part: part.default('body'),
      regex: oneOrMore(word),
    }),
    z.strictObject({ ...common, type: z.literal('size'), condition, part: part.default('body'), size: list(number) }),
    z.strictObject({
      ...common,
      type: z.literal('binary'),
      condition,
      part: z.literal('body', { error: 'must be body' }).default('body'),
      binary: oneOrMore(hexadecimal),
    }),
    z.strictObject({ ...common, type: z.literal('dsl'), condition, dsl: oneOrMore(word) }),
  ],
  { error: unknownType('status, word, regex, size, binary or dsl') },
);

const extractorCommon = {
  name: common.name,
  internal: common.internal,
  part: part.default('body'),
  group: z.int().min(0).max(50).default(0),
};

const extractor = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ ...extractorCommon, type: z.literal('regex'), regex: oneOrMore(word) }),
    z.strictObject({ ...extractorCommon, type: z.literal('kval'), kval: oneOrMore(word) }),
    z.strictObject({ ...extractorCommon, type: z.literal('json'), json: oneOrMore(word) }),
    z.strictObject({ ...extractorCommon, type: z.literal('dsl'), dsl: oneOrMore(word) }),
    z.strictObject({
      ...extractorCommon,
      type: z.literal('xpath'),
      xpath: oneOrMore(word, 20),
      attribute: z.string().min(1).max(100).optional(),
    }),
  ],
  { error: unknownType('regex, kval, json, xpath or dsl') },
);

/** Published templates have at most three payloads and eight variables. */
const MOST_PAYLOADS = 20;
const MOST_VARIABLES = 100;

const atMost = <T extends z.ZodType<Readonly<Record<string, unknown>>>>(record: T, most: number) =>
  record.refine((fields) => Object.keys(fields).length <= most, { error: `has more than ${most} entries` });

const headers = atMost(z.record(z.string(), word), 20);

/** An entry without a value is an empty text. */
const payloadValue = z.union([word, z.null().transform(() => ''), z.literal('')]);
/** A text is a file name. */
const payload = z.union([z.array(payloadValue).min(1), z.string().max(200)]);

const MOST_REQUESTS_OF_BLOCK = 25;

/** Fields for the speed of a scanner do not change the result of a check. */
const withoutEffect = z.int().optional();

const declaredName = z.string().regex(/^\w(?:[\w-]{0,58}\w)?$/, { error: 'is not a valid name' });

const block = z
  .strictObject({
    method: z.string().default('GET'),
    path: list(template, MOST_REQUESTS_OF_BLOCK).optional(),
    raw: list(template, MOST_REQUESTS_OF_BLOCK).optional(),
    headers: headers.default({}),
    body: template.optional(),
    payloads: atMost(z.record(declaredName, payload), MOST_PAYLOADS).optional(),
    attack: z.enum(['batteringram', 'pitchfork', 'clusterbomb']).default('batteringram'),
    redirects: z.boolean().default(false),
    'host-redirects': z.boolean().default(false),
    'max-redirects': z.int().min(0).max(10).default(5),
    'max-size': z.int().min(1).max(1_000_000_000).optional(),
    'stop-at-first-match': z.boolean().default(false),
    'skip-variables-check': z.boolean().default(false),
    'disable-path-automerge': z.boolean().default(false),
    'disable-cookie': z.boolean().default(false),
    /** Cookies are kept unless disable-cookie is set. */
    'cookie-reuse': z.literal(true, { error: 'must be true; disable-cookie turns cookies off' }).optional(),
    /** Has no effect, because expressions can always refer to earlier responses. */
    'req-condition': z.boolean().optional(),
    threads: withoutEffect,
    unsafe: z.literal(false, { error: 'unsafe requests are not supported: Assay sends valid HTTP only' }).optional(),
    'matchers-condition': condition,
    matchers: list(matcher, 30).optional(),
    extractors: list(extractor, 50).optional(),
  })
  .refine((one) => (one.path === undefined) !== (one.raw === undefined), {
    error: 'must have exactly one of path and raw',
  });

const prose = z.string().max(16_384);
const opaque = z.unknown().optional();

const info = z.strictObject({
  name: z.string().trim().min(1).max(500).refine(isLine, { error: 'must be one line without control characters' }),
  severity: z.enum(['info', 'low', 'medium', 'high', 'critical', 'unknown']).default('unknown'),
  description: prose.optional(),
  remediation: prose.optional(),
  impact: prose.optional(),
  classification: z.looseObject({ 'cwe-id': opaque, 'cvss-metrics': opaque }).partial().optional(),
  // These fields describe the origin of a check and do not change its behavior.
  author: opaque,
  reference: opaque,
  tags: opaque,
  metadata: opaque,
});

const requests = list(block, 20);
const variable = z.union([z.string(), z.number(), z.boolean()]).transform(String).pipe(template);

export const definition = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9][\w.-]{0,99}$/, { error: 'must be letters, digits, - and _' }),
    info,
    variables: atMost(z.record(declaredName, variable), MOST_VARIABLES).default({}),
    flow: z.string().max(1_000).optional(),
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
