import type { ReportSnapshot } from '../../domain/report-snapshot';
import { demoSnapshot, hostileSnapshot, jobSnapshot, worldSnapshot } from '../testing/snapshots';
import { finding, snapshotOf } from '../testing/snapshot-of';
import { junitDocument } from './junit-renderer';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
}

const NAME = /^[A-Za-z][\w-]*$/;

/** A strict reader of the XML that the renderer writes: elements, attributes in double quotes, and escaped text. */
function parseXml(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [] };
  const open = [root];
  const body = xml.replace('<?xml version="1.0" encoding="UTF-8"?>\n', '');
  for (const [token, closing, name = '', attributes = '', empty] of body.matchAll(
    /<(\/?)([\w-]+)((?:\s+[\w-]+="[^"<]*")*)\s*(\/?)>|[^<]+|</g,
  )) {
    if (token.startsWith('<') && !NAME.test(name)) throw new Error(`not an element: ${token}`);
    if (!token.startsWith('<')) {
      if (/&(?!(?:amp|lt|gt|quot|#39);)/.test(token)) throw new Error(`not escaped: ${token}`);
      continue;
    }
    if (closing === '/') {
      if (open.pop()?.name !== name) throw new Error(`not the open element: ${token}`);
      continue;
    }
    const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, value]);
    const element: Element = { name, attributes: Object.fromEntries(pairs), children: [] };
    open.at(-1)?.children.push(element);
    if (empty !== '/') open.push(element);
  }
  if (open.length !== 1 || root.children[0] === undefined) throw new Error('not one root element');
  return root.children[0];
}

const suiteOf = (snapshot: ReportSnapshot): Element => {
  const { name, children } = parseXml(String(junitDocument(snapshot)));
  const [suite, ...more] = children;
  if (name !== 'testsuites' || suite?.name !== 'testsuite' || more.length > 0) throw new Error('not one test suite');
  return suite;
};

const casesOf = (snapshot: ReportSnapshot): Element[] =>
  suiteOf(snapshot).children.filter(({ name }) => name === 'testcase');

const resultsOf = (snapshot: ReportSnapshot): [string | undefined, string][] =>
  casesOf(snapshot).map(({ attributes, children }) => [attributes['name'], children[0]?.name ?? 'passed']);

describe('JUnit', () => {
  it.each([
    ['the demo', demoSnapshot],
    ['texts of the world', worldSnapshot],
    ['hostile texts', hostileSnapshot],
    ['a job', jobSnapshot],
  ])('is well formed, with the attributes that Jenkins requires and counts that agree: %s', (_name, snapshot) => {
    const suite = suiteOf(snapshot());
    const cases = casesOf(snapshot());
    const count = (result: string): string =>
      String(cases.filter(({ children }) => children.some(({ name }) => name === result)).length);
    expect(suite.attributes).toEqual({
      name: expect.stringMatching(/./),
      tests: String(cases.length),
      failures: count('failure'),
      errors: count('error'),
      skipped: count('skipped'),
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
      time: expect.stringMatching(/^\d+\.\d{3}$/),
    });
    for (const { attributes, children } of cases) {
      expect(Object.keys(attributes)).toEqual(['classname', 'name']);
      expect(children.length).toBeLessThanOrEqual(1);
      expect(['failure', 'error', 'skipped', undefined]).toContain(children[0]?.name);
    }
    expect(cases.length).toBeGreaterThanOrEqual(snapshot().findings.length);
  });

  it('fails for what fails the gate of a job, and has a test case for each test', () => {
    expect(resultsOf(jobSnapshot())).toEqual([
      ['Public Git repository at https://shop.nordwind.example/.git/HEAD', 'failure'],
      ['No HSTS at https://shop.nordwind.example/', 'skipped'],
      ['Configuration file at https://shop.nordwind.example/.env', 'passed'],
      ['tls-certificate at https://shop.nordwind.example/', 'error'],
      ['SQL injection &lt;q&gt; at shop.nordwind.example', 'failure'],
    ]);
    const messages = casesOf(jobSnapshot()).map(({ children }) => children[0]?.attributes['message']);
    expect(messages).toEqual([
      'Finding 1, high: Public Git repository',
      'Finding 2, low: No HSTS (below medium)',
      undefined,
      'Not completed: The connection was refused three times.',
      'Finding 4, high: SQL injection &lt;q&gt; (found earlier, not confirmed as fixed)',
    ]);
  });

  it('skips a test whose finding the options exclude, so that it does not seem to pass', () => {
    const snapshot = { ...jobSnapshot(), findings: [] };
    expect(resultsOf(snapshot).slice(0, 3)).toEqual([
      ['Public Git repository at https://shop.nordwind.example/.git/HEAD', 'skipped'],
      ['No HSTS at https://shop.nordwind.example/', 'skipped'],
      ['exposed-env at https://shop.nordwind.example/.env', 'passed'],
    ]);
  });

  it('has an error for a job that ended in ERROR', () => {
    expect(resultsOf(jobSnapshot({ status: 'ERROR', error: 'It stopped.' }))[0]).toEqual([
      'The job is complete',
      'error',
    ]);
  });

  it('fails for each open finding of an event, and skips those that a person set aside', () => {
    const findings = [1, 4, 5, 6, 7].map((status) => finding(status, { title: `t${status}`, status }));
    expect(resultsOf(snapshotOf({ findings })).map(([, result]) => result)).toEqual([
      'failure',
      'failure',
      'passed',
      'skipped',
      'skipped',
    ]);
  });
});
