import { isRecord } from '../../kernel/is-record';
import { isVarying } from '../active/insertion-point';
import { percentDecoded } from '../protocols/http/percent-decoded';
import type { WebTarget } from '../target';
import { harmlessLike } from '../twins';

/** The place of an object's id in a path: the number of a segment, or the name of a query parameter. */
export interface IdPlace {
  readonly kind: 'segment' | 'query';
  readonly name: string;
  readonly id: string;
}

/** A request for one object. */
export interface ObjectPath extends IdPlace {
  readonly path: string;
  /** The same path for all objects of a kind: `/orders/*`. */
  readonly route: string;
}

const splitPath = (path: string): [own: string, query: string] => {
  const at = path.indexOf('?');
  return at < 0 ? [path, ''] : [path.slice(0, at), path.slice(at + 1)];
};

const placesOf = (path: string): IdPlace[] => {
  const [own, query] = splitPath(path);
  const segments = own
    .split('/')
    .map((id, at): IdPlace => ({ kind: 'segment', name: String(at), id }))
    .slice(1);
  const parameters = [...new URLSearchParams(query)].map(([name, id]): IdPlace => ({ kind: 'query', name, id }));
  return [...segments, ...parameters];
};

/** The same path with another id. */
export function withId(path: string, { kind, name }: Pick<IdPlace, 'kind' | 'name'>, id: string): string {
  const [own, query] = splitPath(path);
  if (kind === 'segment') return `${own.split('/').with(Number(name), id).join('/')}${query === '' ? '' : `?${query}`}`;
  const fields = query
    .split('&')
    .map((field) =>
      percentDecoded(field.split('=', 1)[0] ?? '') === name ? `${field.split('=', 1)[0]}=${id}` : field,
    );
  return `${own}?${fields.join('&')}`;
}

const objectAt = (path: string, place: IdPlace): ObjectPath => ({ ...place, path, route: withId(path, place, '*') });

const isId = ({ id }: IdPlace): boolean => isVarying(id);

/**
 * A path as that of an object: by its last number or id, else by the one place in which a path of the other account differs.
 * Null if it names no object, such as `/orders`.
 */
export function objectOf(path: string, others: readonly string[]): ObjectPath | null {
  const places = placesOf(path);
  const last = places.findLast(isId);
  if (last !== undefined) return objectAt(path, last);
  // Pages beside each other at the top are not objects of one kind.
  if (places.length < 2) return null;
  for (const other of others) {
    const theirs = placesOf(other);
    if (theirs.length !== places.length) continue;
    const different = places.filter((one, at) => one.id !== theirs[at]?.id);
    const [only] = different;
    const isOnly =
      different.length === 1 &&
      places.every(({ kind, name }, at) => kind === theirs[at]?.kind && name === theirs[at].name);
    if (only !== undefined && isOnly && only.id !== '') return objectAt(path, only);
  }
  return null;
}

/** On the same route. */
export const idsOnRoute = ({ route, kind, name }: ObjectPath, paths: readonly string[]): ReadonlyMap<string, string> =>
  new Map(
    paths.flatMap((path) => {
      const place = placesOf(path).find((one) => one.kind === kind && one.name === name);
      return place !== undefined && place.id !== '' && withId(path, place, '*') === route ? [[place.id, path]] : [];
    }),
  );

/** A similar id that does not exist. A short number may be the id of another object. */
export function neighbourOf({ path, kind, name, id }: ObjectPath): string {
  const isNumber = /^\d+$/.test(id);
  return withId(
    path,
    { kind, name },
    isNumber ? `9${harmlessLike(id.padEnd(8, '0'))}` : harmlessLike(id.padEnd(8, '0')),
  );
}

/** The location of a finding, which is the same for all objects of a route. */
export const placeOfRoute = (target: WebTarget, { route, kind, name }: ObjectPath): WebTarget => ({
  scheme: target.scheme,
  host: target.host,
  port: target.port,
  path: splitPath(route)[0],
  parameter: name,
  ...(kind === 'segment' && { within: 'segment' as const }),
});

const LONGEST_JSON = 300_000;
const MOST_OF_LIST = 5;
const ID_KEYS = ['id', 'uuid', '_id'];

/** What a list in JSON names by ids: `/api/orders` has `/api/orders/1017`. */
export function pathsInJson(path: string, text: string): string[] {
  if (text.length > LONGEST_JSON) return [];
  let read: unknown;
  try {
    read = JSON.parse(text);
  } catch {
    return [];
  }
  const lists = Array.isArray(read) ? [read] : isRecord(read) ? Object.values(read).filter(Array.isArray) : [];
  const ids = lists.flatMap((list: unknown[]) =>
    list.filter(isRecord).flatMap((record) => ID_KEYS.map((key) => record[key]).find((id) => id !== undefined) ?? []),
  );
  const folder = splitPath(path)[0].replace(/\/$/, '');
  return ids
    .filter((id) => typeof id === 'string' || typeof id === 'number')
    .filter((id) => /^[\w-]{1,64}$/.test(`${id}`))
    .slice(0, MOST_OF_LIST)
    .map((id) => `${folder}/${id}`);
}
