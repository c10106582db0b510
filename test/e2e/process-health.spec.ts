import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { freePort } from '../../src/engine/testing/real-server';
import { query, testDatabase } from '../support/database';
import { eventually } from '../support/eventually';
import { startProcess } from '../support/processes';
import { programOf } from '../support/programs';
import { useApi } from '../support/api';

useApi();

it('a worker that hangs accepts connections, but does not answer /healthz on its metrics port', async () => {
  const port = await freePort();
  const worker = await startProcess('worker', { METRICS_PORT: String(port) });
  const healthy = () => fetch(`http://127.0.0.1:${port}/healthz`, { signal: AbortSignal.timeout(2_000) });
  expect((await healthy()).status).toBe(200);
  worker.kill('SIGSTOP');
  try {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
    await expect(healthy()).rejects.toThrow('timeout');
  } finally {
    worker.kill('SIGCONT');
  }
  await eventually(async () => expect((await healthy()).status).toBe(200));
});

it('the connections of a process name its program, its version and itself', async () => {
  const worker = await startProcess('worker');
  const [row] = await query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity WHERE application_name LIKE 'assay worker %' LIMIT 1`,
  );
  expect(row?.name).toMatch(new RegExp(`^assay worker \\d+\\.\\d+\\.\\d+\\S* \\S+:${worker.child.pid}$`));
});

it('writes a refused configuration as one line of JSON with all problems where the log is JSON', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [programOf('worker')], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], LOG_FORMAT: 'json', PORT: 'x', NODE_ENV: 'production', DATABASE_URL: 'none' },
    cwd: '/',
  });
  expect(status).toBe(1);
  expect(stderr).toBe('');
  const lines = stdout.trim().split('\n');
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0] ?? '') as { level: number; problems: string[] };
  expect(line.level).toBe(60);
  expect(line.problems).toEqual([
    expect.stringMatching(/^PORT /),
    expect.stringMatching(/^DATABASE_URL /),
    expect.stringMatching(/^ENGINE_USER_AGENT /),
  ]);
});

it('an API with the key that signs heads of the audit log does not start', async () => {
  const { status, stdout } = spawnSync(process.execPath, [programOf('api')], {
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      LOG_FORMAT: 'json',
      PORT: '0',
      PORTAL_PORT: 'off',
      NODE_ENV: 'test',
      DATABASE_URL: (await testDatabase()).appUrl,
      AUDIT_HEAD_KEY: Buffer.alloc(32, 7).toString('base64'),
    },
    cwd: '/',
    timeout: 60_000,
  });
  expect({ status, stdout }).toEqual({
    status: 1,
    stdout: expect.stringContaining('AUDIT_HEAD_KEY must be set for workers only'),
  });
});
