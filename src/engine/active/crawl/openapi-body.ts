import { isRecord, type JsonRecord } from '../../../kernel/is-record';
import { percentEncoded } from '../../request-body';
import type { SentRequest } from '../../sent-request';
import { fieldOf, listIn, resolved, textIn, valueOf } from './openapi-fields';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const MOST_MEMBERS = 40;
const DEEPEST = 5;
/** A schema can name itself many times. */
const MOST_VALUES = 100;

/** Values of a schema, with its examples where it has some. */
class Body {
  private left = MOST_VALUES;

  constructor(private readonly document: JsonRecord) {}

  of(name: string, given: unknown, depth = 0): unknown {
    const schema = resolved(this.document, given);
    this.left -= 1;
    const example = fieldOf(schema, 'example');
    if (isRecord(example) || Array.isArray(example)) return this.sampleOf(example, depth);
    const properties = this.propertiesOf(schema);
    if (depth > DEEPEST || this.left < 0) return null;
    if (properties.length > 0)
      return Object.fromEntries(
        properties
          .filter(([, one]) => fieldOf(resolved(this.document, one), 'readOnly') !== true)
          .map(([own, one]) => [own, this.of(own, one, depth + 1)]),
      );
    if (textIn(fieldOf(schema, 'type')) === 'array') return [this.of(name, fieldOf(schema, 'items'), depth + 1)];
    return typed(valueOf(this.document, { name, schema }), textIn(fieldOf(schema, 'type')));
  }

  /** An example may be large, and contain itself. */
  private sampleOf(value: unknown, depth: number): unknown {
    this.left -= 1;
    if (this.left < 0 || depth > DEEPEST) return null;
    if (Array.isArray(value)) return value.slice(0, 1).map((one) => this.sampleOf(one, depth + 1));
    if (!isRecord(value)) return typeof value === 'string' ? textIn(value) : value;
    const members = Object.entries(value).slice(0, MOST_MEMBERS);
    return Object.fromEntries(members.map(([name, one]) => [name, this.sampleOf(one, depth + 1)]));
  }

  private propertiesOf(schema: JsonRecord): [string, unknown][] {
    const all = [schema, ...listIn(fieldOf(schema, 'allOf')).map((one) => resolved(this.document, one))];
    return all
      .flatMap((one) => {
        const properties = fieldOf(one, 'properties');
        return isRecord(properties) ? Object.entries(properties) : [];
      })
      .slice(0, MOST_MEMBERS);
  }
}

function typed(value: string, type: string | null): unknown {
  if (type === 'integer' || type === 'number') return Number.isFinite(Number(value)) ? Number(value) : 1;
  return type === 'boolean' ? value === 'true' : value;
}

type Written = Pick<SentRequest, 'headers' | 'body'>;

const json = (value: unknown): Written =>
  isRecord(value) ? { headers: [['Content-Type', JSON_TYPE]], body: JSON.stringify(value) } : {};

function form(value: unknown): Written {
  if (!isRecord(value)) return {};
  const pairs = Object.entries(value).flatMap(([name, one]) => {
    const text = textIn(one);
    return text === null ? [] : [`${percentEncoded(name)}=${percentEncoded(text)}`];
  });
  return { headers: [['Content-Type', FORM_TYPE]], body: pairs.join('&') };
}

/** The body of an operation with usual values, as JSON or as a form; nothing for other types. */
export function bodyOf(document: JsonRecord, operation: JsonRecord, parameters: readonly unknown[]): Written {
  const body = new Body(document);
  const content = fieldOf(resolved(document, fieldOf(operation, 'requestBody')), 'content');
  if (isRecord(content)) {
    const schemaOf = (type: string): unknown => {
      const media = Object.entries(content).find(([name]) => name.startsWith(type))?.[1];
      return isRecord(media)
        ? isRecord(media['example'])
          ? { example: media['example'] }
          : media['schema']
        : undefined;
    };
    const schema = schemaOf(JSON_TYPE);
    return schema === undefined ? form(body.of('', schemaOf(FORM_TYPE))) : json(body.of('', schema));
  }
  const stated = parameters.map((one) => resolved(document, one));
  const own = stated.find((one) => fieldOf(one, 'in') === 'body');
  if (own !== undefined) return json(body.of('', fieldOf(own, 'schema')));
  const fields = stated.filter((one) => fieldOf(one, 'in') === 'formData' && fieldOf(one, 'type') !== 'file');
  const pairs = fields.map((one) => [textIn(fieldOf(one, 'name')) ?? '', valueOf(document, one)] as const);
  return fields.length === 0 ? {} : form(Object.fromEntries(pairs));
}
