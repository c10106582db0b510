import { safeLines } from '../../sdk/src';
import { z } from 'zod';

/** Longer texts of a field are cut. */
export const MAX_TEXT = 1_000;
const MAX_ITEMS = 30;

export const number = z.number().optional();
export const text = z.string().optional();
export const flag = z.boolean().optional();
export const texts = z.array(z.string()).optional();

export type Shape = Readonly<Record<string, typeof number | typeof text | typeof flag | typeof texts>>;
export type Value = string | number | boolean | readonly string[];
export type Row = Readonly<Record<string, Value>>;

/** The fields of a shape that a record has, as safe texts. What is null or empty is left out. */
export function rowOf(shape: Shape, record: object): Row {
  const fields = record as Readonly<Record<string, unknown>>;
  const entries = Object.keys(shape).flatMap((name): [string, Value][] => {
    const value = valueOf(fields[name]);
    return value === undefined || (Array.isArray(value) && value.length === 0) || value === '' ? [] : [[name, value]];
  });
  return Object.fromEntries(entries);
}

function valueOf(value: unknown): Value | undefined {
  if (value === null || value === undefined) return undefined;
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item) => shortened(textOf(item), MAX_TEXT));
  return shortened(textOf(value), MAX_TEXT);
}

const textOf = (value: unknown): string => safeLines(typeof value === 'string' ? value : JSON.stringify(value));

/** With texts of at most this length, and of a list as many items as have this length together. */
export function shortenedValue(value: Value, limit: number): Value {
  if (typeof value === 'string') return shortened(value, limit);
  if (typeof value !== 'object') return value;
  let left = limit;
  const kept = value.filter((item) => (left -= item.length + 1) >= 0);
  return kept.length < value.length ? [...kept, '…'] : kept;
}

function shortened(value: string, limit: number): string {
  const letters = Array.from(value);
  return letters.length > limit ? `${letters.slice(0, limit).join('')}…` : value;
}
