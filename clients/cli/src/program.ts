import { run } from './main';

// Output that cannot be written, on a full disk or after the end of a pipe, is never a success.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => process.exit(2));
const { stdin, stdout, stderr, env } = process;
// Until the end is known, whatever ends the process is a failure.
process.exitCode = 2;
void run(process.argv.slice(2), { stdin, stdout, stderr, env, cwd: process.cwd() }, (code) => {
  process.exitCode = code;
});
