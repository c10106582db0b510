import { join } from 'node:path';
import FailedTests from '../suites/failed-tests.cjs';

const ROOT = join(__dirname, '../..');

const fileWith = (path: string, titles: readonly string[], testExecError?: Error) => ({
  testFilePath: join(ROOT, path),
  testExecError,
  testResults: [
    { status: 'passed', ancestorTitles: ['a spec'], title: 'passes', failureMessages: [] },
    ...titles.map((title) => ({
      status: 'failed',
      ancestorTitles: ['a spec', 'a group'],
      title,
      failureMessages: ['\u001B[31mError: expected 1\u001B[39m\n    at line 7'],
    })),
  ],
});

it('failed tests are listed with their file and the beginning of their message', () => {
  const results = [
    fileWith('test/suites/one.suite.ts', ['fails']),
    fileWith('test/e2e/two.spec.ts', [], new Error('Cannot find module\nRequire stack:')),
    fileWith('test/e2e/three.spec.ts', []),
  ];
  expect(FailedTests.list(ROOT, results)).toEqual([
    'test/suites/one.suite.ts: a spec › a group › fails: Error: expected 1',
    'test/e2e/two.spec.ts: Cannot find module',
  ]);
});

it('the list of failed tests has at most forty of them', () => {
  const titles = Array.from({ length: 45 }, (_, at) => `fails ${at}`);
  const lines = FailedTests.list(ROOT, [fileWith('test/suites/one.suite.ts', titles)]);
  expect(lines).toHaveLength(41);
  expect(lines.at(-1)).toBe('and 5 more');
});
