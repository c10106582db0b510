import type { AddressInfo } from 'node:net';
import type { INestApplicationContext } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { NestFactory } from '@nestjs/core';
import { createApp } from '../../src/apps/api/create-app';
import { WorkerModule } from '../../src/apps/worker/worker.module';
import { type Config, loadConfig } from '../../src/platform/config/load-config';
import { createLog } from '../../src/platform/logging/log';
import { Worker } from '../../src/platform/work/worker';
import { gatewayOfRun, startTwoBehind, TwoProcesses } from './behind-gateway';
import { useContract } from './contract';
import { testDatabase } from './database';
import { highLimits } from './high-limits';

export interface RunningApi {
  readonly app: NestExpressApplication;
  readonly url: string;
  readonly port: number;
}

const silent = () => createLog({ LOG_LEVEL: 'silent', LOG_FORMAT: 'json' });

/** Short sweeps, no throttling because another test sent wrong credentials, and time for a busy machine. */
const forTests = {
  ...highLimits,
  NODE_ENV: 'test',
  HOST: '127.0.0.1',
  PORT: '0',
  WORK_SWEEP_SECONDS: '1',
  AUTH_FAILURES_PER_MINUTE: '10000',
  DATABASE_TIMEOUT_MS: '30000',
  REDIS_LIMITS_TIMEOUT_MS: '30000',
};

export async function testConfig(overrides: Record<string, string> = {}): Promise<Config> {
  return loadConfig({ DATABASE_URL: (await testDatabase()).appUrl, ...forTests, ...overrides });
}

export async function startApi(overrides: Record<string, string> = {}): Promise<RunningApi> {
  const app = await createApp(await testConfig(overrides), silent());
  await app.listen(0, '127.0.0.1');
  const { port } = app.getHttpServer().address() as AddressInfo;
  return { app, port, url: `http://127.0.0.1:${port}` };
}

export interface RunningWorker {
  readonly context: INestApplicationContext;
  stop(): Promise<void>;
}

export async function startWorker(overrides: Record<string, string> = {}): Promise<RunningWorker> {
  const context = await NestFactory.createApplicationContext(WorkerModule.with(await testConfig(overrides)), {
    logger: false,
    abortOnError: false,
  });
  const worker = context.get(Worker);
  try {
    await worker.start();
  } catch (error) {
    await context.close();
    throw error;
  }
  return {
    context,
    stop: async () => {
      await worker.stop(5_000);
      await context.close();
    },
  };
}

interface StoppableApi extends RunningApi {
  stop(): Promise<void>;
}

async function startStoppable(overrides?: Record<string, string>): Promise<StoppableApi> {
  const api = await startApi(overrides);
  if (gatewayOfRun === undefined) return { ...api, stop: () => api.app.close() };
  // Otherwise the other process accepts a revoked key until its cache expires.
  const behind = await startTwoBehind(gatewayOfRun, { ...forTests, AUTH_CACHE_SECONDS: '0', ...overrides });
  return {
    ...api,
    url: behind.gateway.url,
    port: behind.gateway.port,
    stop: async () => {
      await behind.stop();
      await api.app.close();
    },
  };
}

async function startWorkers(overrides: Record<string, string>): Promise<Pick<RunningWorker, 'stop'>> {
  if (gatewayOfRun === undefined) return startWorker(overrides);
  const settings = { ...forTests, ...overrides };
  const workers = new TwoProcesses('worker', [settings, settings]);
  await workers.start();
  return { stop: async () => void (await workers.end('SIGTERM')) };
}

let shared: Promise<StoppableApi> | undefined;

/** The API without overrides is the same for all specs of a suite. */
afterAll(async () => {
  await (await shared)?.stop();
});

/** One API for all tests of a spec. Every JSON response is validated against its OpenAPI document. */
export function useApi(overrides?: Record<string, string>): RunningApi {
  let running: StoppableApi | undefined;
  beforeAll(async () => {
    running = await (overrides === undefined ? (shared ??= startStoppable()) : startStoppable(overrides));
    useContract(running.app);
  });
  afterAll(async () => {
    if (overrides !== undefined) await running?.stop();
  });
  const current = (): RunningApi => {
    if (running === undefined) throw new Error('the API is available from beforeAll on');
    return running;
  };
  return {
    get app() {
      return current().app;
    },
    get url() {
      return current().url;
    },
    get port() {
      return current().port;
    },
  };
}

/** One worker for all tests of a file. */
export function useWorker(overrides: Record<string, string> = {}): void {
  let running: Pick<RunningWorker, 'stop'> | undefined;
  beforeAll(async () => {
    running = await startWorkers(overrides);
  });
  afterAll(async () => {
    await running?.stop();
  });
}
