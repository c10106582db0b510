import { activityOf, needsPoint } from '../check';
import { CHECKS } from '../checks';
import { needsAccounts } from '../needs-accounts';
import { checkFromYaml } from './check-from-yaml';

const activityOfTemplate = (request: string, tags = ''): string | null =>
  activityOf(
    checkFromYaml(
      `id: one\ninfo: {name: One, severity: low, tags: "${tags}"}\nhttp:\n  - {${request}, matchers: [{type: word, words: [x]}]}`,
    ),
  );

const home = 'path: ["{{BaseURL}}"]';

describe('the activity of a check', () => {
  it.each([
    [home, 'tech', null],
    [`${home}, method: HEAD`, '', null],
    [`${home}, headers: {Accept: text/html}`, '', null],
    [`${home}, method: POST`, '', 'sends POST'],
    [`${home}, headers: {Authorization: Basic eA==}`, '', 'sends credentials'],
    [`${home}, body: "user=x"`, '', 'sends a body'],
    ['path: ["{{BaseURL}}/{{name}}"], payloads: {name: [a, b]}', '', 'tries a list of values'],
    [home, 'cve,intrusive', 'is tagged intrusive'],
  ])('of a template with %s and the tags "%s" is %s', (request, tags, activity) => {
    expect(activityOfTemplate(request, tags)).toBe(activity);
  });

  it('is none for built-in checks except those of points and accounts: the others request only what anyone may', () => {
    const other = CHECKS.filter(
      (check) => (activityOf(check) !== null) !== (needsPoint(check) || needsAccounts(check)),
    );
    expect(other.map(({ id }) => id)).toEqual([]);
  });
});
