import { PassThrough, Transform, type Readable, type Writable } from 'node:stream';

/**
 * What the other processes print: held back until the banner is out, then passed on, line by line so that two processes
 * never share one.
 */
export class LogBuffer {
  private readonly buffer = new PassThrough({ highWaterMark: 2 ** 20 });
  private isReleased = false;

  constructor(private readonly out: Writable) {
    // Once nobody reads our output any more (`npm start | head`), the others must not wait for a reader for ever.
    out.on('error', () => {
      this.buffer.unpipe();
      this.buffer.resume();
    });
  }

  readonly attach = (stream: Readable): void => {
    stream.pipe(wholeLines()).pipe(this.buffer, { end: false });
  };

  print(sentence: string): void {
    this.out.write(`${sentence}\n`);
  }

  release(): void {
    if (this.isReleased) return;
    this.isReleased = true;
    this.buffer.pipe(this.out, { end: false });
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
