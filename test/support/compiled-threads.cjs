const { existsSync } = require('node:fs');
const { join, relative } = require('node:path');
const threads = require('node:worker_threads');

const project = join(__dirname, '../..');

/** Node cannot run TypeScript in a thread, so the programs of threads are those of the build that `global-setup.ts` makes. */
const compiled = (program) =>
  typeof program !== 'string' || !program.startsWith(project) || existsSync(program)
    ? program
    : join(process.env.ASSAY_TEST_DIST ?? '', relative(project, program));

/** Once for all test files of a process, which share this core module. */
if (threads.Worker.startsCompiledPrograms !== true) {
  threads.Worker = class Worker extends threads.Worker {
    static startsCompiledPrograms = true;

    constructor(program, options) {
      super(options?.eval === true ? program : compiled(program), options);
    }
  };
}
