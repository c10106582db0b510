import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { type ValidationError, validate } from 'class-validator';
import { LRUCache } from 'lru-cache';
import { isRecord } from '../../kernel/is-record';
import { invalid } from '../../kernel/domain-error';
import { QUERY, nestedClasses } from './fields';
import { fieldsOf, plainName, quoted } from './request-fields';

type Fields = Record<string, unknown>;

/** Of each class. */
const KNOWN_QUERIES = 100;
const LONGEST_KNOWN_QUERY = 200;

/** Converts bodies and queries to the class that the handler names, or answers 400 and names every invalid field. */
@Injectable()
export class RequestPipe implements PipeTransform {
  private readonly queries = new Map<Type, LRUCache<string, object>>();

  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (metatype === undefined) return value;
    if (type === 'query') return this.query(value as Fields, metatype);
    return type === 'body' ? validated(metatype, bodyFields(value, metatype), []) : value;
  }

  /** Clients repeat their queries, and validating one costs a page of findings 5 % of its processor time. */
  private async query(value: Fields, request: Type): Promise<object> {
    const text = JSON.stringify(value);
    const known = this.knownOf(request);
    const same = known.get(text);
    if (same !== undefined) return same;
    const isToKeep = text.length <= LONGEST_KNOWN_QUERY;
    // Parsed again, because its texts are parts of the URL, which may be long and would be kept with them.
    const given = isToKeep ? (JSON.parse(text) as Fields) : value;
    const instance = Object.freeze(await validated(request, queryFields(given), [QUERY]));
    if (isToKeep) known.set(text, instance);
    return instance;
  }

  private knownOf(request: Type): LRUCache<string, object> {
    let known = this.queries.get(request);
    if (known === undefined) {
      known = new LRUCache({ max: KNOWN_QUERIES });
      this.queries.set(request, known);
    }
    return known;
  }
}

async function validated(request: Type, given: Fields, groups: string[]): Promise<object> {
  const instance = plainToInstance(request, given, { groups }) as object;
  const problems = await validate(instance, { stopAtFirstError: true });
  if (problems.length > 0) throw invalid(`${sentences(problems).join('; ')}.`);
  return instance;
}

/** The messages of all problems, also of nested objects, each with the path of its field. */
function sentences(problems: readonly ValidationError[], path = ''): string[] {
  return problems.flatMap(({ property, constraints, children = [] }) =>
    constraints === undefined
      ? sentences(children, `${path}${property}.`)
      : Object.values(constraints).map((sentence) => path + sentence),
  );
}

function bodyFields(value: unknown, request: Type): Fields {
  const body = value === undefined ? {} : value;
  if (!isRecord(body)) throw invalid('The body must be a JSON object.');
  refuseUnknown(body, request, 'this operation');
  refuseUnknownWithin(body, request, '');
  return body;
}

/** Also in objects of objects. */
function refuseUnknownWithin(given: Fields, request: Type, path: string): void {
  for (const [name, nested] of nestedClasses(request)) {
    const object = Object.hasOwn(given, name) ? given[name] : undefined;
    if (!isRecord(object)) continue;
    refuseUnknown(object, nested, path + name);
    refuseUnknownWithin(object, nested, `${path}${name}.`);
  }
}

function refuseUnknown(given: Fields, request: Type, where: string): void {
  const fields = fieldsOf(request);
  const unknown = Object.keys(given).filter((name) => !fields.has(name));
  if (unknown.length === 0) return;
  const known = fields.size === 0 ? 'it has no fields' : `known fields: ${[...fields].join(', ')}`;
  throw invalid(`${quoted(unknown)} is not a field of ${where}; ${known}.`);
}

/** `page[]=1` becomes an invalid value of `page`. QueryGuard has refused unknown parameters. */
function queryFields(query: Fields): Fields {
  const given = Object.entries(query).map(([name, value]): [string, unknown] => {
    const plain = plainName(name);
    return [plain, plain === name ? value : [value]];
  });
  // Bracketed parameters last, so that a plain one of the same name does not replace them.
  return Object.fromEntries(
    given.sort(([, one], [, other]) => Number(Array.isArray(one)) - Number(Array.isArray(other))),
  );
}
