import type { Type } from '@nestjs/common';
import { getMetadataStorage } from 'class-validator';

const known = new Map<Type, ReadonlySet<string>>();

/** The fields of a request class. */
export function fieldsOf(request: Type): ReadonlySet<string> {
  const seen = known.get(request);
  if (seen !== undefined) return seen;
  const rules = getMetadataStorage().getTargetValidationMetadatas(request, '', true, false);
  const fields = new Set(rules.map((rule) => rule.propertyName));
  known.set(request, fields);
  return fields;
}

/** `page[]` and `page[0]` are attempts at `page`. */
export const plainName = (parameter: string): string => parameter.replace(/(?<=.)\[.*$/s, '');

/** A name from a request, for an error message. */
export const shownName = (name: string): string => (/^\w{1,100}$/.test(name) ? name : quoted([name]));

/** Names from a request, for an error message. */
export const quoted = (names: readonly string[]): string =>
  names.map((name) => JSON.stringify(name.slice(0, 100))).join(', ');
