import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { StartOutput } from './start-output';

describe('the output of npm start', () => {
  it('keeps lines of different processes apart', async () => {
    const [out, api, worker] = [new PassThrough(), new PassThrough(), new PassThrough()];
    const output = new StartOutput(out);
    output.attach(api);
    output.attach(worker);
    api.write('{"from":');
    worker.write('{"from":"worker"}\n');
    api.write('"api"}\n{"unfin');
    output.print('the banner');
    api.end('ished":1}\n');
    worker.end('{"last":1}\n');
    let text = '';
    for await (const chunk of out) {
      text += String(chunk);
      if (text.split('\n').length === 6) break;
    }
    expect(text.trim().split('\n').sort()).toEqual([
      'the banner',
      '{"from":"api"}',
      '{"from":"worker"}',
      '{"last":1}',
      '{"unfinished":1}',
    ]);
  });

  it('shows the time since the start with each step', () => {
    const out = new PassThrough();
    new StartOutput(out).step('Creating the tables');
    expect(String(out.read())).toMatch(/^ *\d+\.\d s {2}Creating the tables\n$/);
  });

  it('keeps reading from the processes after its own reader has exited', async () => {
    const [out, api] = [new PassThrough(), new PassThrough()];
    new StartOutput(out).attach(api);
    out.destroy(new Error('EPIPE'));
    await new Promise((resolve) => out.once('close', resolve));
    // More than all buffers together can hold.
    for (let count = 0; count < 64; count += 1) {
      if (!api.write(Buffer.alloc(65_536, '\n'))) await once(api, 'drain');
    }
    expect(api.writableNeedDrain).toBe(false);
  });
});
