import { parseCheck, refusalOfCheck, testOfFinding, whyNotRun } from './check-definition';

const http = `
id: debug-page
info: { name: A debug page is open }
http:
  - path: ['{{BaseURL}}/debug']
    matchers: [{ type: word, words: [debug] }]
`;

it('a built-in check is stored by its id with its canonical location', () => {
  const read = parseCheck({ id: 'missing-nosniff', location: 'HTTPS://WWW.Example.com' });
  expect(read).toMatchObject({ checkId: 'missing-nosniff', checkDefinition: { location: 'https://www.example.com/' } });
  const test = testOfFinding(read);
  expect(test?.check.id).toBe('missing-nosniff');
  expect(test?.target).toMatchObject({ host: 'www.example.com', port: 443 });
});

it('a check of a whole zone is stored with the location of its finding', () => {
  const read = parseCheck({ id: 'missing-spf', location: 'https://example.com/page' });
  expect(read).toMatchObject({ checkDefinition: { location: 'dns://example.com' }, target: { scheme: 'dns' } });
});

it('a YAML check is stored unchanged', () => {
  const { checkId, checkDefinition } = parseCheck({ http, location: 'http://www.example.com/app' });
  expect({ checkId, checkDefinition }).toEqual({
    checkId: 'http:debug-page',
    checkDefinition: { location: 'http://www.example.com/app', http },
  });
  expect(testOfFinding(JSON.parse(JSON.stringify({ checkId, checkDefinition })))?.check.id).toBe('http:debug-page');
});

const location = 'https://www.example.com/';

it('a template of the library may have more payloads than one of a request, also when the stored finding is tested', () => {
  const payloads = `payloads: { a: [${Array(21).fill(1).join()}] }`;
  const many = http.replace('/debug', '/{{a}}').replace('    matchers', `    ${payloads}\n    matchers`);
  expect(() => parseCheck({ http: many, location })).toThrow('a has 21 values, which are more than 20');
  const stored = parseCheck({ http: many, location }, 'loaded');
  expect(testOfFinding(stored)?.check.id).toBe('http:debug-page');
});

it('a stored check from before a limit does not run, and says why', () => {
  const variables = Array.from({ length: 101 }, (_none, at) => `  v${at}: a`).join('\n');
  const before = { checkId: 'http:debug-page', checkDefinition: { http: `${http}variables:\n${variables}`, location } };
  expect(testOfFinding(before)).toBeNull();
  expect(refusalOfCheck(before)).toBe('variables: has more than 100 entries.');
  expect(whyNotRun(before)).toBe(
    'This version of the service cannot run its check: variables: has more than 100 entries.',
  );
  expect(refusalOfCheck(parseCheck({ http, location }))).toBeNull();
  expect(whyNotRun({ checkId: null, checkDefinition: null })).toBe('The finding has no check that can run.');
});

it('only a YAML check that matches on a status alone gets a warning', () => {
  const statusOnly = http.replace('{ type: word, words: [debug] }', '{ type: status, status: [200] }');
  expect(parseCheck({ http: statusOnly, location }).warnings).toEqual([expect.stringContaining('http[0].matchers')]);
  expect(parseCheck({ http, location }).warnings).toEqual([]);
  expect(parseCheck({ id: 'missing-nosniff', location }).warnings).toEqual([]);
});

it.each([
  [{ id: 'nonsense', location }, '"nonsense" is not the id of a built-in check'],
  [{ id: 'missing-nosniff', http, location }, 'either id'],
  [{ location }, 'either id'],
  [{ id: 'missing-nosniff', location: 'www.example.com' }, 'check.location: A target is a URL'],
  [{ id: 'path-traversal', location: `${location}a#segment=5` }, 'it tests one parameter, which the URL must name'],
  [{ id: 'missing-hsts', location: 'http://www.example.com/' }, 'is not suitable for missing-hsts'],
  [
    { http: `${http}\nflow: 'for (const id of iterate(template.ids)) { http(1) }'\n`, location },
    'flow is not supported',
  ],
  [{ http: '- [', location }, 'check is not valid YAML'],
  [
    { http, location: `https://www.example.com/${'a'.repeat(2_048)}` },
    'check.location must be at most 2048 characters',
  ],
  [{ http, location: `https://www.example.com/${'é'.repeat(400)}` }, 'check.location must be at most 2048 characters'],
])('%j is refused', (sent, sentence) => {
  expect(() => parseCheck(sent)).toThrow(sentence);
});

it.each([
  { checkId: null, checkDefinition: null },
  { checkId: 'missing-nosniff', checkDefinition: null },
  { checkId: 'a-check-of-another-version', checkDefinition: { location: 'https://www.example.com/' } },
  { checkId: 'missing-nosniff', checkDefinition: { location: 'nowhere' } },
  { checkId: 'http:x', checkDefinition: { location: 'https://www.example.com/', http: 5 } },
])('no test exists without a check that can be run: %j', (recorded) => {
  expect(testOfFinding(recorded)).toBeNull();
});

it.each([
  ['https://www.example.com/item?id', false],
  ['https://www.example.com/item/delete?id', true],
  ['https://www.example.com/cart?remove', true],
])('experiments are sent to nothing that reads as a change: %s', (place, isForbidden) => {
  const test = testOfFinding({ checkId: 'sql-injection', checkDefinition: { location: place } });
  expect(test?.forbidden).toEqual(isForbidden ? expect.stringContaining('changes something') : null);
});
