const text = { type: 'string' };
const iri = { type: 'string', format: 'uri' };
const dateTime = { type: 'string', format: 'date-time' };

const component = {
  type: 'object',
  additionalProperties: false,
  properties: { '@id': iri, identifiers: { type: 'object' }, hashes: { type: 'object' } },
};

const whereStatusIs = (status: string, rule: object) => ({
  anyOf: [{ properties: { status: { not: { const: status } } } }, rule],
});

/** OpenVEX 0.2.0 as JSON Schema, written from the tables of its specification: no package contains its schema. */
export const openVexSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['@context', '@id', 'author', 'timestamp', 'version', 'statements'],
  properties: {
    '@context': { const: 'https://openvex.dev/ns/v0.2.0' },
    '@id': iri,
    author: { type: 'string', minLength: 1 },
    role: text,
    timestamp: dateTime,
    last_updated: dateTime,
    version: { type: 'integer', minimum: 1 },
    tooling: text,
    statements: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['vulnerability', 'status'],
        properties: {
          '@id': iri,
          version: { type: 'integer', minimum: 1 },
          vulnerability: {
            type: 'object',
            additionalProperties: false,
            required: ['name'],
            properties: { '@id': iri, name: text, description: text, aliases: { type: 'array', items: text } },
          },
          timestamp: dateTime,
          last_updated: dateTime,
          products: { type: 'array', uniqueItems: true, items: component },
          status: { enum: ['not_affected', 'affected', 'fixed', 'under_investigation'] },
          supplier: text,
          status_notes: text,
          justification: text,
          impact_statement: text,
          action_statement: text,
          action_statement_timestamp: dateTime,
        },
        allOf: [
          whereStatusIs('not_affected', {
            oneOf: [{ required: ['justification'] }, { required: ['impact_statement'] }],
          }),
          whereStatusIs('affected', { required: ['action_statement'] }),
        ],
      },
    },
  },
};
