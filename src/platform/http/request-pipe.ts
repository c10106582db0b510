import { type ArgumentMetadata, Injectable, type PipeTransform, type Type } from '@nestjs/common';
import { plainToInstance } from 'class-transformer';
import { getMetadataStorage, validate } from 'class-validator';
import { invalid } from '../../kernel/domain-error';

type Fields = Record<string, unknown>;

/** Bodies and queries become instances of the class that the handler names, or a 400 that names every offending field. */
@Injectable()
export class RequestPipe implements PipeTransform {
  private readonly known = new Map<Type, ReadonlySet<string>>();

  async transform(value: unknown, { type, metatype }: ArgumentMetadata): Promise<unknown> {
    if (metatype === undefined || (type !== 'body' && type !== 'query')) return value;
    const fields = this.fieldsOf(metatype);
    const given = type === 'body' ? bodyFields(value, fields) : queryFields(value as Fields, fields);
    const instance = plainToInstance(metatype, given) as object;
    const problems = await validate(instance, { stopAtFirstError: true });
    if (problems.length > 0) {
      throw invalid(`${problems.flatMap((problem) => Object.values(problem.constraints ?? {})).join('; ')}.`);
    }
    return instance;
  }

  private fieldsOf(metatype: Type): ReadonlySet<string> {
    const seen = this.known.get(metatype);
    if (seen !== undefined) return seen;
    const rules = getMetadataStorage().getTargetValidationMetadatas(metatype, '', true, false);
    const fields = new Set(rules.map((rule) => rule.propertyName));
    this.known.set(metatype, fields);
    return fields;
  }
}

function bodyFields(value: unknown, known: ReadonlySet<string>): Fields {
  const body = value === undefined ? {} : value;
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('The body must be a JSON object.');
  const unknown = Object.keys(body).filter((name) => !known.has(name));
  if (unknown.length === 0) return body as Fields;
  const names = unknown.map((name) => JSON.stringify(name.slice(0, 100))).join(', ');
  const fields = known.size === 0 ? 'it takes no fields' : `it takes: ${[...known].join(', ')}`;
  throw invalid(`${names} is not a field of this operation; ${fields}.`);
}

/** Unknown parameters are ignored; `page[]=1` is a known one, spelled in a way that reads as none. */
function queryFields(query: Fields, known: ReadonlySet<string>): Fields {
  const given: [string, unknown][] = [];
  for (const [name, value] of Object.entries(query)) {
    const bracket = name.indexOf('[');
    const plain = bracket < 0 ? name : name.slice(0, bracket);
    if (known.has(plain)) given.push([plain, bracket < 0 ? value : [value]]);
  }
  // The bracketed last, so that nothing plain beside it hides it.
  return Object.fromEntries(
    given.sort(([, one], [, other]) => Number(Array.isArray(one)) - Number(Array.isArray(other))),
  );
}
