const { relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

const MAX_LINES = 40;

const firstLineOf = (message = '') => stripVTControlCharacters(message).trim().split('\n')[0].slice(0, 200);

/** A line for each failed test, with its file and the beginning of its message. */
function failedTests(rootDir, testResults) {
  const lines = testResults.flatMap(({ testFilePath, testExecError, testResults: tests }) => {
    const file = relative(rootDir, testFilePath);
    const failed = tests.filter(({ status }) => status === 'failed');
    return [
      ...(testExecError ? [`${file}: ${firstLineOf(testExecError.message)}`] : []),
      ...failed.map((test) => {
        const name = [...test.ancestorTitles, test.title].join(' › ');
        return `${file}: ${name}: ${firstLineOf(test.failureMessages[0])}`;
      }),
    ];
  });
  return lines.length > MAX_LINES ? [...lines.slice(0, MAX_LINES), `and ${lines.length - MAX_LINES} more`] : lines;
}

/** Lists the failed tests at the end of a run, because a long log is often cut in the middle. */
module.exports = class FailedTests {
  static list = failedTests;

  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, { testResults }) {
    const lines = failedTests(this.rootDir, testResults);
    if (lines.length > 0) process.stderr.write(`\nFailed:\n${lines.map((line) => `  ${line}\n`).join('')}`);
  }
};
