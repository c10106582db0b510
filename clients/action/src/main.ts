import { runAction } from './action';
import { Runner } from './runner';

const controller = new AbortController();
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => controller.abort());
// A log that cannot be written is never a success.
process.stdout.on('error', () => process.exit(2));
// Until the end is known, whatever ends the process is a failure.
process.exitCode = 2;
const runner = new Runner(process.env, (text) => void process.stdout.write(text));
void runAction(runner, controller.signal).then((code) => {
  process.exitCode = code;
});
