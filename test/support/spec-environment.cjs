const { appendFileSync } = require('node:fs');
const { relative } = require('node:path');
const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');
const { loopMs, processorMs } = require('../suites/processor-time.cjs');

const { createContext } = vm;

/**
 * Its global object is one of V8. That of Jest is a proxy behind interceptors of Node, and each use of `Promise`, `Math` or
 * `process` in code or packages would pass both: 7 to 13 % of the processor time of a suite.
 */
const plainContext = () => createContext(vm.constants.DONT_CONTEXTIFY);

/** Where `npm test` collects the processor time of each spec. */
const times = process.env.ASSAY_TEST_TIMES;

/**
 * Measures the processor time of each spec, also of those that share a suite. While tests run, stacks of errors are formatted
 * without source maps: most are never printed, for example one for each socket that is closed with an error.
 */
module.exports = class SpecEnvironment extends TestEnvironment {
  constructor(config, context) {
    vm.createContext = plainContext;
    super(config, context);
    vm.createContext = createContext;
    this.file = relative(config.projectConfig.rootDir, context.testPath);
    this.isSuite = context.testPath.endsWith('.suite.ts');
    this.specs = new Map();
    this.open = [];
    this.startedMs = processorMs();
    this.framesOf = new WeakMap();
    this.mapped = new WeakSet();
  }

  handleTestEvent({ name, blockName, describeBlock, error, test, hook }) {
    if (name === 'start_describe_definition' || name === 'run_describe_start')
      this.begin(blockName ?? describeBlock.name);
    if (name === 'finish_describe_definition' || name === 'run_describe_finish') this.end();
    if (name === 'run_start') this.formatQuickly();
    if (name === 'run_finish') Error.prepareStackTrace = this.format;
    if (['test_fn_failure', 'hook_failure', 'error'].includes(name) && this.quickly !== undefined)
      for (const one of [error, test?.asyncError, hook?.asyncError]) this.mapStack(one);
  }

  async teardown() {
    if (times !== undefined) {
      const specs = this.isSuite ? [...this.specs] : [[this.file, processorMs() - this.startedMs]];
      appendFileSync(times, `${JSON.stringify({ specs, loopMs: loopMs() })}\n`);
    }
    await super.teardown();
  }

  begin(name) {
    this.open.push({ name, startedMs: processorMs() });
  }

  /** Of the blocks inside each other, the one of the spec counts: the root has all specs of a suite. */
  end() {
    const { name, startedMs } = this.open.pop();
    const isSpec = this.open.every((outer) => outer.name === 'ROOT_DESCRIBE_BLOCK') && name !== 'ROOT_DESCRIBE_BLOCK';
    if (isSpec) this.specs.set(name, (this.specs.get(name) ?? 0) + processorMs() - startedMs);
  }

  formatQuickly() {
    this.format = Error.prepareStackTrace;
    this.quickly = (error, frames) => {
      this.framesOf.set(error, frames);
      return `${error.name ?? 'Error'}: ${error.message ?? ''}${frames.map((frame) => `\n    at ${frame}`).join('')}`;
    };
    Error.prepareStackTrace = this.quickly;
  }

  /** Of an error that fails a test, and of those that have caused it. Stacks are formatted when they are first read. */
  mapStack(error) {
    if (typeof error !== 'object' || error === null || this.mapped.has(error)) return;
    this.mapped.add(error);
    Error.prepareStackTrace = this.format;
    void error.stack;
    Error.prepareStackTrace = this.quickly;
    const frames = this.framesOf.get(error);
    if (frames !== undefined) error.stack = this.format(error, frames);
    this.mapStack(error.cause);
    for (const one of error.errors ?? []) this.mapStack(one);
  }
};
