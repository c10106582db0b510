import type { paths } from './api-types';
import { type AssayClient, dataOf } from './client';
import { InvalidResponseError } from './errors';

type GetOf<Path extends keyof paths> = paths[Path] extends { get: infer Operation } ? Operation : never;
type BodyOf<Path extends keyof paths> =
  GetOf<Path> extends { responses: { 200: { content: { 'application/json': infer Body } } } } ? Body : never;
type QueryOf<Path extends keyof paths> = GetOf<Path> extends { parameters: { query?: infer Query } } ? Query : never;
type PathOf<Path extends keyof paths> =
  GetOf<Path> extends { parameters: { path: infer Parameters } } ? Parameters : Record<string, never>;

/** Lists whose response has one array, and a query with `after`. */
export type ListPath = {
  [Path in keyof paths]: NonNullable<QueryOf<Path>> extends { per_page?: number; after?: string } ? Path : never;
}[keyof paths];

export type ItemOf<Path extends keyof paths> = {
  [Name in keyof BodyOf<Path>]: BodyOf<Path>[Name] extends readonly (infer Item)[] ? Item : never;
}[keyof BodyOf<Path>];

export interface ListParameters<Path extends keyof paths> {
  readonly path?: PathOf<Path>;
  readonly query?: QueryOf<Path>;
  readonly signal?: AbortSignal;
}

/** Every record of a list, page after page: `for await (const finding of pages(client, '/v1/…', { path, query }))`. */
export async function* pages<Path extends ListPath>(
  client: AssayClient,
  path: Path,
  { path: pathParameters, query, signal }: ListParameters<Path> = {},
): AsyncGenerator<ItemOf<Path>, void, undefined> {
  const get = client.GET as unknown as (
    path: string,
    options: object,
  ) => Promise<{ readonly data?: object; readonly response: Response }>;
  let position: Record<string, string> = {};
  for (;;) {
    const params = { path: pathParameters, query: { per_page: 100, ...(query as object | undefined), ...position } };
    const answer = await get(path, { params, signal });
    const list = Object.values(await dataOf(Promise.resolve(answer))).find(Array.isArray) as ItemOf<Path>[] | undefined;
    if (list === undefined) throw new InvalidResponseError(`The response of ${path} has no list.`);
    yield* list;
    const next = nextOf(answer.response.headers.get('link'));
    if (next === undefined) return;
    if (JSON.stringify(next) === JSON.stringify(position))
      throw new InvalidResponseError(`The list ${path} names the same page twice.`);
    position = next;
  }
}

/** The position of the next page: the address of the service in the link may be another one than ours. */
function nextOf(link: string | null): Record<string, string> | undefined {
  const [, address] = /<([^>]*)>\s*;[^,]*\brel="?next"?/.exec(link ?? '') ?? [];
  if (address === undefined) return undefined;
  const parameters = new URL(address, 'http://service').searchParams;
  for (const name of ['after', 'page']) {
    const value = parameters.get(name);
    if (value !== null) return { [name]: value };
  }
  return undefined;
}
