import { invalid } from '../../../kernel/domain-error';
import { isRecord } from '../../../kernel/is-record';
import { isText } from '../../../kernel/plain-text';

/** Reads a part of a request's JSON, or throws an error that names it. */
export type Reader = (value: unknown, at: string) => unknown;

const OPTIONAL = Symbol('optional');

type Field = Reader & { readonly [OPTIONAL]?: true };

export const optional = (read: Reader): Field =>
  Object.assign((value: unknown, at: string) => read(value, at), { [OPTIONAL]: true as const });

export const text =
  (max: number, min = 1): Reader =>
  (value, at) => {
    if (typeof value !== 'string' || value.length < min || value.length > max)
      throw invalid(`${at} must be a string of ${min} to ${max} characters.`);
    if (!isText(value)) throw invalid(`${at} contains a control character or an unpaired surrogate.`);
    return value;
  };

export const oneOf =
  (...values: readonly (string | number)[]): Reader =>
  (value, at) => {
    if (!values.some((one) => one === value)) throw invalid(`${at} must be one of: ${values.join(', ')}.`);
    return value;
  };

export const objectOf =
  (fields: Readonly<Record<string, Field>>): Reader =>
  (value, at) => {
    if (!isRecord(value)) throw invalid(`${at} must be an object with ${Object.keys(fields).join(', ')}.`);
    const unknown = Object.keys(value).find((name) => !Object.hasOwn(fields, name));
    if (unknown !== undefined)
      throw invalid(`${at}.${unknown.slice(0, 100)} is unknown. Known fields: ${Object.keys(fields).join(', ')}.`);
    const read = Object.entries(fields).flatMap(([name, field]) => {
      const stated = Object.hasOwn(value, name) ? value[name] : undefined;
      if (stated == null && field[OPTIONAL] === true) return [];
      if (stated === undefined) throw invalid(`${at}.${name} is missing.`);
      return [[name, field(stated, `${at}.${name}`)] as const];
    });
    return Object.fromEntries(read);
  };

export const listOf =
  (read: Reader, max: number, min = 0): Reader =>
  (value, at) => {
    if (!Array.isArray(value) || value.length > max || value.length < min)
      throw invalid(`${at} must be a list of ${min} to ${max}.`);
    return value.map((one, index) => read(one, `${at}[${index}]`));
  };

export const tupleOf =
  (...parts: readonly Reader[]): Reader =>
  (value, at) => {
    if (!Array.isArray(value) || value.length !== parts.length)
      throw invalid(`${at} must be a list of ${parts.length}: a name and its value.`);
    return parts.map((read, index) => read(value[index], `${at}[${index}]`));
  };

/** Chooses the reader by what one field says. */
export const either =
  (name: string, readers: Readonly<Record<string, Reader>>, what: string): Reader =>
  (value, at) => {
    const kind = isRecord(value) ? value[name] : undefined;
    const read = typeof kind === 'string' && Object.hasOwn(readers, kind) ? readers[kind] : undefined;
    if (read === undefined)
      throw invalid(`${at} must be an object whose ${name} says ${what}: ${Object.keys(readers).join(', ')}.`);
    return read(value, at);
  };
