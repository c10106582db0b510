import { PassThrough, Transform, type Readable, type Writable } from 'node:stream';

/**
 * Buffers the output of the other processes until the banner is printed. Then passes it on in whole lines, so that lines of two
 * processes do not mix.
 */
export class LogBuffer {
  private readonly buffer = new PassThrough({ highWaterMark: 2 ** 20 });
  private isReleased = false;

  constructor(private readonly out: Writable) {
    // If the reader of our output has exited (`npm start | head`), the other processes must not block on their output.
    out.on('error', () => {
      this.buffer.unpipe();
      this.buffer.resume();
    });
  }

  readonly attach = (stream: Readable): void => {
    stream.pipe(wholeLines()).pipe(this.buffer, { end: false });
  };

  print(line: string): void {
    this.out.write(`${line}\n`);
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
