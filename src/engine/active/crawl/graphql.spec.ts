import type { Page } from '../../page';
import { queriesIn } from './graphql';

/** Nested more deeply than a recursive function can follow. */
const nested = (depth: number): string => `${'{"kind":"LIST","ofType":'.repeat(depth)}null${'}'.repeat(depth)}`;

const schema = (type: string): string =>
  `{"data":{"__schema":{"queryType":{"name":"Query"},"types":[{"name":"Query","fields":[
    {"name":"deep","args":[{"name":"id","type":{"kind":"SCALAR","name":"ID"}}],"type":${type}},
    {"name":"item","args":[{"name":"id","type":{"kind":"SCALAR","name":"ID"}}],"type":{"kind":"SCALAR","name":"ID"}}
  ]}]}}}`;

it('reads the other queries of a schema with a type that is nested without end', () => {
  const queries = queriesIn({ status: 200, text: schema(nested(50_000)) } as Page, '/graphql');
  expect(queries.map(({ name }) => name)).toContain('/graphql item');
});

it('leaves out a query with more arguments than anybody would write, which would hold the process', () => {
  const type = { kind: 'SCALAR', name: 'ID' };
  const field = (name: string, count: number) => ({
    name,
    args: Array.from({ length: count }, (_, at) => ({ name: `a${at}`, type })),
    type,
  });
  const types = [{ name: 'Query', fields: [field('wide', 20_000), field('usual', 40)] }];
  const text = JSON.stringify({ data: { __schema: { queryType: { name: 'Query' }, types } } });
  expect(queriesIn({ status: 200, text } as Page, '/graphql').map(({ name }) => name)).toEqual(['/graphql usual']);
});
