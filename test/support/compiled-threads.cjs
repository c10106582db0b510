const { existsSync } = require('node:fs');
const { join, relative } = require('node:path');
const threads = require('node:worker_threads');

const project = join(__dirname, '../..');

const dist = process.env.ASSAY_TEST_DIST;

/** Node cannot run TypeScript in a thread: it runs the program of the build, or, in unit specs, compiles what it loads. */
function started(program, options) {
  if (typeof program !== 'string' || !program.startsWith(project) || existsSync(program)) return [program, options];
  if (dist !== undefined) return [join(dist, relative(project, program)), options];
  const execArgv = [...(options?.execArgv ?? []), '--require', join(__dirname, 'compile-on-load.cjs')];
  return [program.replace(/\.js$/, '.ts'), { ...options, execArgv }];
}

/** Once for all test files of a process, which share this core module. */
if (threads.Worker.startsCompiledPrograms !== true) {
  threads.Worker = class Worker extends threads.Worker {
    static startsCompiledPrograms = true;

    constructor(program, options) {
      super(...(options?.eval === true ? [program, options] : started(program, options)));
    }
  };
}
