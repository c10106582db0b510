import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A process that logs a line and ends at once. */
function endingProcess() {
  const compiler = join(__dirname, '../../../test/support/compile-on-load.cjs');
  const module = join(__dirname, 'log.ts');
  const program = `
    const { createLog, endLog } = require(${JSON.stringify(module)});
    const log = createLog({ LOG_LEVEL: 'info', LOG_FORMAT: 'json' });
    process.stdin.once('data', () => {
      log.warn('the last words');
      void endLog(log).then(() => process.exit(3));
    });`;
  return spawn(process.execPath, ['--require', compiler, '-e', program], {
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 10_000,
  });
}

it('writes its last lines before the process ends', async () => {
  const child = endingProcess();
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stdin.write('end\n');
  expect(await once(child, 'close')).toEqual([3, null]);
  expect(JSON.parse(output)).toMatchObject({ level: 40, msg: 'the last words' });
});

it('does not delay the end of a process whose output is closed', async () => {
  const child = endingProcess();
  child.stdout.destroy();
  child.stdin.write('end\n');
  expect(await once(child, 'exit')).toEqual([3, null]);
});
