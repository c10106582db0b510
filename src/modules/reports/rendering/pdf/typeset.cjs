/**
 * A process that sets one document and ends: data on stdin, the PDF on stdout, what went wrong on stderr. It is plain
 * JavaScript and is copied, not compiled, so that it can be started from the sources as from what is built.
 *
 * The compiler is native code, which holds its thread from beginning to end, may take any amount of memory, and cannot be
 * stopped from within. So a second thread watches: over the limits, or without whoever waits for the PDF, the process
 * kills itself. Descriptor 3 is a pipe that nobody writes to; it ends with the one who holds its other end.
 */
const { readFileSync, writeSync } = require('node:fs');
const { Socket } = require('node:net');
const { isMainThread, Worker, workerData } = require('node:worker_threads');

const lookMs = 100;

function set({ workspace, main, fonts }, report) {
  const { NodeCompiler, PdfStandard } = require('@myriaddreamin/typst-ts-node-compiler');
  const compiler = NodeCompiler.create({ workspace, fontArgs: [{ fontPaths: fonts }] });
  const compiled = compiler.compile({ mainFilePath: main, inputs: { report } });
  const document = compiled.result;
  if (document === null) throw new Error(JSON.stringify(compiled.takeDiagnostics()?.shortDiagnostics));
  // What the layout remembered is a quarter of all memory, and the export needs nothing of it.
  compiler.evictCache(0);
  try {
    return compiler.pdf(document, { pdfStandard: PdfStandard.UA_1 });
  } catch (error) {
    // Tagged all the same; what is missing is the promise. A report that promises less is better than none.
    writeSync(2, `not accessible to the letter: ${String(error).slice(0, 2_000)}\n`);
    return compiler.pdf(document);
  }
}

function watch({ mostMegabytes, longestMs }) {
  const die = (reason) => {
    try {
      writeSync(2, reason);
    } finally {
      process.kill(process.pid, 'SIGKILL');
    }
  };
  setInterval(() => {
    if (process.memoryUsage.rss() > mostMegabytes * 2 ** 20) die('too much memory');
  }, lookMs);
  setTimeout(() => die('too much time'), longestMs);
  const nobodyWaits = () => process.kill(process.pid, 'SIGKILL');
  new Socket({ fd: 3, readable: true }).on('error', nobodyWaits).on('close', nobodyWaits).resume();
}

if (isMainThread) {
  const task = JSON.parse(process.argv[2] ?? '{}');
  new Worker(__filename, { workerData: task }).unref();
  process.stdout.write(set(task, readFileSync(0, 'utf8')), () => process.exit(0));
} else {
  watch(workerData);
}
