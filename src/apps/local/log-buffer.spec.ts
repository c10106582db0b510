import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { LogBuffer } from './log-buffer';

describe('the log buffer', () => {
  it('holds output back until the banner, and keeps lines of different processes apart', async () => {
    const [out, api, worker] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const logBuffer = new LogBuffer(out);
    logBuffer.attach(api);
    logBuffer.attach(worker);
    api.write('{"from":');
    worker.write('{"from":"worker"}\n');
    api.write('"api"}\n{"unfin');
    logBuffer.print('the banner');
    logBuffer.release();
    logBuffer.release();
    api.end('ished":1}\n');
    worker.end('{"last":1}\n');
    let text = '';
    for await (const chunk of out) {
      text += String(chunk);
      if (text.split('\n').length === 6) break;
    }
    const lines = text.trim().split('\n');
    expect(lines[0]).toBe('the banner');
    expect(lines.slice(1).sort()).toEqual(['{"from":"api"}', '{"from":"worker"}', '{"last":1}', '{"unfinished":1}']);
  });

  it('keeps reading from the processes after its own reader has exited', async () => {
    const [out, api] = [new PassThrough(), new PassThrough()];
    const logBuffer = new LogBuffer(out);
    logBuffer.attach(api);
    logBuffer.release();
    out.destroy(new Error('EPIPE'));
    await new Promise((resolve) => out.once('close', resolve));
    // More than all buffers together can hold.
    for (let count = 0; count < 64; count += 1) {
      if (!api.write(Buffer.alloc(65_536, '\n'))) await once(api, 'drain');
    }
    expect(api.writableNeedDrain).toBe(false);
  });
});
