const { createHash } = require('node:crypto');
const { existsSync, readFileSync, rmSync } = require('node:fs');

/** How many times the processor time of the loop below a whole run takes, of the median of all loops in it. */
const BUDGET = require('./processor-time.json').loops;
const TOLERANCE = 1.2;
const LONGEST = 10;
const TICKS_MS = 10;

/** User and system time of a process and of the children that it has waited for. Only Linux says the second. */
function ofProcess(pid) {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return 0;
  const text = readFileSync(file, 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICKS_MS, 0);
}

/** Of this process so far, and of its children that have ended. */
function processorMs() {
  if (process.platform === 'linux') return ofProcess('self');
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Of all processes of this one: those that have ended, and PostgreSQL, which still runs. */
function ofRun() {
  const file = `/proc/${process.pid}/task/${process.pid}/children`;
  const running = existsSync(file) ? readFileSync(file, 'utf8').split(' ').filter(Boolean) : [];
  return [process.pid, ...running].reduce((sum, pid) => sum + ofProcess(pid), 0);
}

/** Something of everything that tests do. It takes longer on a slow or busy machine, as they do. */
function loopMs() {
  const before = process.cpuUsage();
  let text = JSON.stringify(
    Array.from({ length: 400 }, (_, id) => ({ id, name: `finding ${id}`, labels: ['a', 'b'] })),
  );
  for (let round = 0; round < 15; round++) {
    const rows = JSON.parse(text).map((row) => ({
      ...row,
      name: row.name.replace(/\d+/, (id) => String(Number(id) + 1)),
    }));
    rows.sort((a, b) => (a.name < b.name ? -1 : 1));
    createHash('sha256').update(text).digest('hex');
    text = JSON.stringify(rows);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** The lines about a run, and whether it took too long. */
function summaryOf({ records, totalMs, isWhole, budget = BUDGET }) {
  const seconds = (ms) => `${(ms / 1_000).toFixed(1)} s`;
  const longest = records
    .flatMap(({ specs }) => specs)
    .sort(([, a], [, b]) => b - a)
    .slice(0, LONGEST);
  const lines = [
    'Longest specs by processor time:',
    ...longest.map(([name, ms]) => `  ${seconds(ms).padStart(8)}  ${name}`),
  ];
  const loop = median(records.map(({ loopMs: ms }) => ms));
  if (!isWhole || totalMs === null || loop === undefined) return { lines, error: null };
  const loops = Math.round(totalMs / loop);
  const took = `${seconds(totalMs)} of processor time, ${loops} loops of ${loop.toFixed(1)} ms`;
  const error =
    loops <= budget * TOLERANCE
      ? null
      : `The tests took ${took}, and test/suites/processor-time.json allows ${budget} and a fifth: make them faster, or record more.`;
  return { lines: [...lines, `All tests: ${took}; recorded are ${budget}.`], error };
}

/** Prints the longest specs at the end of a run. A whole run fails if it takes a fifth more than is recorded. */
module.exports = class ProcessorTime {
  static processorMs = processorMs;
  static loopMs = loopMs;
  static summaryOf = summaryOf;

  constructor({ nonFlagArgs, testNamePattern, onlyChanged, shard }) {
    this.isWhole = nonFlagArgs.length === 0 && !testNamePattern && !onlyChanged && !shard;
    this.error = null;
  }

  onRunComplete() {
    const file = process.env.ASSAY_TEST_TIMES ?? '';
    if (!existsSync(file)) return;
    const records = readFileSync(file, 'utf8').trim().split('\n').map(JSON.parse);
    rmSync(file);
    const totalMs = process.platform === 'linux' ? ofRun() : null;
    const { lines, error } = summaryOf({ records, totalMs, isWhole: this.isWhole });
    process.stderr.write(`\n${[...lines, ...(error === null ? [] : [error])].join('\n')}\n`);
    this.error = error;
  }

  getLastError() {
    return this.error === null ? undefined : new Error(this.error);
  }
};
