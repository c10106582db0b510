import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// Runs every script named `check:…` of package.json at the same time, and prints each one's output when it has ended.

const project = dirname(dirname(fileURLToPath(import.meta.url)));
const { scripts } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'));
const path = Object.keys(process.env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
const env = {
  ...process.env,
  [path]: `${join(project, 'node_modules', '.bin')}${delimiter}${process.env[path] ?? ''}`,
};

function run([name, command]) {
  const began = performance.now();
  const child = spawn(command, { cwd: project, env, shell: true });
  const output = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  return new Promise((done) => {
    child.once('close', (code) => {
      const passed = code === 0;
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      console.log(`${passed ? 'passed' : 'FAILED'}  ${name.slice('check:'.length)}  ${seconds} s`);
      if (!passed) process.stdout.write(`${Buffer.concat(output).toString().trimEnd()}\n\n`);
      done(passed);
    });
  });
}

const checks = Object.entries(scripts).filter(([name]) => name.startsWith('check:'));
const results = await Promise.all(checks.map(run));
process.exitCode = results.every(Boolean) ? 0 : 1;
