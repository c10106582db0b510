import { PassThrough, Transform, type Readable, type Writable } from 'node:stream';

/** The output of `npm start`: its own lines, and the log lines of the other processes, which are passed on in whole lines. */
export class StartOutput {
  private readonly logs = new PassThrough({ highWaterMark: 2 ** 20 });

  constructor(private readonly out: Writable) {
    this.logs.pipe(out, { end: false });
    // If the reader of our output has exited (`npm start | head`), the other processes must not block on their output.
    out.on('error', () => {
      this.logs.unpipe();
      this.logs.resume();
    });
  }

  readonly attach = (stream: Readable): void => {
    stream.pipe(wholeLines()).pipe(this.logs, { end: false });
  };

  print(text: string): void {
    this.out.write(`${text}\n`);
  }

  /** Announces a step of the start, with the time since the start. The lines of `bin/start.mjs` have the same format. */
  step(title: string): void {
    this.print(`${process.uptime().toFixed(1).padStart(6)} s  ${title}`);
  }
}

function wholeLines(): Transform {
  let rest = Buffer.alloc(0);
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const all = Buffer.concat([rest, chunk]);
      const end = all.lastIndexOf('\n') + 1;
      rest = all.subarray(end);
      done(null, all.subarray(0, end));
    },
    flush(done) {
      done(null, rest);
    },
  });
}
