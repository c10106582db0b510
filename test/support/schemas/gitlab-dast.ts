const text = { type: 'string', minLength: 1 };
const time = { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$' };
const address = { type: 'string', pattern: '^(https?|ftp)://.+' };

const closed = (properties: Record<string, object>, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  required,
  properties,
});

const tool = closed({ id: text, name: text, version: text, vendor: closed({ name: text }) });

const METRICS = 'AV:[NALP]|AC:[LH]|PR:[NLH]|UI:[NR]|S:[UC]|[CIA]:[NLH]';
const OPTIONAL_METRICS = 'E:[XUPFH]|RL:[XOTWU]|RC:[XURC]|[CIA]R:[XLMH]|M(AV|AC|PR|UI|S|C|I|A):[XNALPHRUC]';
const metric = `(${METRICS}|${OPTIONAL_METRICS})`;

/**
 * A DAST report of GitLab, version 15.0.7, as JSON Schema: written from the fields of the published schema, because no package
 * contains it. Only the fields that reports use are allowed, which the published schema does not require.
 */
export const gitlabDastSchema = closed({
  version: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' },
  scan: closed({
    type: { const: 'dast' },
    status: { enum: ['success', 'failure'] },
    analyzer: tool,
    scanner: tool,
    start_time: time,
    end_time: time,
    messages: { type: 'array', items: closed({ level: { enum: ['info', 'warn', 'fatal'] }, value: text }) },
    scanned_resources: { type: 'array', items: closed({ method: text, url: text, type: { const: 'url' } }) },
  }),
  vulnerabilities: {
    type: 'array',
    items: closed(
      {
        id: text,
        name: { type: 'string', maxLength: 255 },
        description: { type: 'string', maxLength: 1_048_576 },
        severity: { enum: ['Info', 'Unknown', 'Low', 'Medium', 'High', 'Critical'] },
        identifiers: {
          type: 'array',
          minItems: 1,
          items: closed({ type: text, name: text, value: text, url: address }, ['type', 'name', 'value']),
        },
        links: { type: 'array', items: closed({ url: address }) },
        cvss_vectors: {
          type: 'array',
          minItems: 1,
          maxItems: 10,
          items: closed({
            vendor: text,
            vector: {
              type: 'string',
              minLength: 32,
              maxLength: 128,
              pattern: `^CVSS:3[.][01]/(${metric}/)*${metric}$`,
            },
          }),
        },
        location: closed({
          hostname: { type: 'string' },
          method: { type: 'string' },
          path: { type: 'string' },
          param: { type: 'string' },
        }),
        evidence: closed({ summary: { type: 'string' } }),
        details: {
          type: 'object',
          additionalProperties: {
            oneOf: [
              closed({ name: text, type: { const: 'text' }, value: { type: 'string' } }),
              closed({ name: text, type: { const: 'value' }, value: { type: ['number', 'string', 'boolean'] } }),
            ],
          },
        },
      },
      ['id', 'name', 'description', 'severity', 'identifiers', 'location', 'details'],
    ),
  },
});
