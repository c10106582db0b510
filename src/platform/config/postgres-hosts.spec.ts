import { hostUrls, postgresUrl } from './postgres-hosts';

const problemsOf = (text: string): string[] =>
  postgresUrl.safeParse(text).error?.issues.map(({ message }) => message) ?? [];

describe('the servers of a URL', () => {
  it.each<[string, string[]]>([
    ['postgres://app:a,b@db/assay?sslmode=require', ['postgres://app:a,b@db/assay?sslmode=require']],
    ['postgres:///assay', ['postgres:///assay']],
    [
      'postgres://app:a,b@h1:5432,h2/assay?target_session_attrs=read-write',
      [
        'postgres://app:a,b@h1:5432/assay?target_session_attrs=read-write',
        'postgres://app:a,b@h2/assay?target_session_attrs=read-write',
      ],
    ],
    ['postgresql://[::1]:5432,[fd00::5]/assay', ['postgresql://[::1]:5432/assay', 'postgresql://[fd00::5]/assay']],
    ['postgres://a@%2Frun%2Fa,%2Frun%2Fb/assay', ['postgres://a@%2Frun%2Fa/assay', 'postgres://a@%2Frun%2Fb/assay']],
    ['postgres://app@/assay?host=/run/postgresql&port=1', ['postgres://app@/assay?host=/run/postgresql&port=1']],
  ])('are those of %s', (text, urls) => {
    expect(hostUrls(text)).toEqual(urls);
    expect(problemsOf(text)).toEqual([]);
  });
});

it.each([
  ['mysql://h1,h2/assay', 'must be a postgres:// URL'],
  ...[
    'postgres://h1,,h2/assay',
    'postgres://h1,/assay',
    'postgres://h1,:5433/assay',
    'postgres://h1:5432,h2:port/assay',
    'postgres://h1,h2:5432:5433/assay',
    'postgres://h1,[::1/assay',
    'postgres:///assay?host=h1,h2',
    'postgres://h1,h2/assay?host=h3',
    'postgres://h1,h2/assay?port=5432,5433',
  ].map((url) => [url, 'must list several hosts before the name of the database, such as db1:5432,db2:5432']),
  ...['any', 'standby', 'prefer-standby', 'primary', 'read-only', ''].map((value) => [
    `postgres://h1,h2/assay?target_session_attrs=${value}`,
    `must have target_session_attrs=read-write, not "${value}": Assay needs the server that accepts changes`,
  ]),
])('%s cannot be used', (text = '', problem) => {
  expect(problemsOf(text)).toEqual([problem]);
});
