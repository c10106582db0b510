import { ticketOfGithub } from './github';
import { ticketOfGitlab } from './gitlab';
import { ticketOfJira, transitionTo } from './jira';

const place = { address: 'https://example.atlassian.net', wontDo: ["won't do"] };

/** As the documentation of Jira Cloud shows it, shortened. */
const issue = (status: object, fields: object = {}) => ({
  id: '10002',
  key: 'ED-1',
  fields: { status, updated: '2026-01-31T12:00:00.000+0000', ...fields },
  properties: { assay: { ticket: '0190aaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee' } },
});

it.each([
  [{ name: 'Done', statusCategory: { key: 'done' } }, 'done'],
  [{ name: "Won't Do", statusCategory: { key: 'done' } }, 'wont_do'],
  [{ name: 'In Progress', statusCategory: { key: 'indeterminate' } }, 'open'],
  [{ name: 'Done', statusCategory: { key: 'new' } }, 'open'],
])('reads the category of the status %j', (status, category) => {
  expect(ticketOfJira(issue(status), place)).toMatchObject({ category, id: '10002', key: 'ED-1' });
});

it('does not read the resolution, which workflows keep when a ticket is opened again', () => {
  const reopened = issue({ name: 'To Do', statusCategory: { key: 'new' } }, { resolution: { name: 'Done' } });
  expect(ticketOfJira(reopened, place).category).toBe('open');
});

it('reads a time with an offset without a colon', () => {
  const { version } = ticketOfJira(issue({}), place);
  expect(version).toEqual(new Date('2026-01-31T12:00:00Z'));
});

it.each(['', '..', 'SEC-1/../2', 'SEC-1 [x](https://evil.example)\n', `SEC-${'9'.repeat(1_000_000)}`, 'sec-1', null])(
  'believes no key that is not one: %.30j',
  (key) => expect(() => ticketOfJira({ ...issue({}), key }, place)).toThrow('no valid number or key'),
);

it.each(['', '..', 'x', null, {}])('believes no id that is not one: %j', (id) => {
  expect(() => ticketOfJira({ ...issue({}), id }, place)).toThrow('no valid number or key');
  expect(() => ticketOfGithub({ number: id }, [])).toThrow('no valid number or key');
  expect(() => ticketOfGitlab({ iid: id }, [])).toThrow('no valid number or key');
});

const transition = (id: string, name: string, key: string, fields: object = {}) => ({
  id,
  to: { name, statusCategory: { key } },
  fields,
});
const required = { required: true, hasDefaultValue: false };

it('prefers a transition to done over one that says that nothing is fixed', () => {
  const transitions = [transition('1', "Won't Do", 'done'), transition('2', 'Done', 'done')];
  expect(transitionTo({ transitions }, 'closed', ["won't do"])?.id).toBe('2');
});

it('states a resolution that is required, and uses no transition with other required fields', () => {
  const resolution = { ...required, allowedValues: [{ id: '7' }] };
  const transitions = [
    transition('1', 'Done', 'done', { resolution, team: required }),
    transition('2', 'Done', 'done', { resolution, team: { required: true, hasDefaultValue: true } }),
  ];
  expect(transitionTo({ transitions }, 'closed', [])).toMatchObject({ id: '2', fields: { resolution: { id: '7' } } });
});

it.each([[{}], [{ transitions: [] }], [{ transitions: [transition('1', 'Done', 'done')] }], [null]])(
  'finds no way back in %j',
  (body) => {
    expect(transitionTo(body, 'open', [])).toBeUndefined();
  },
);
