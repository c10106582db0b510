import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { runProcess } from '../../src/apps/process';
import { WorkerModule } from '../../src/apps/worker/worker.module';
import { WorkRegistry } from '../../src/platform/work/work-registry';
import { Worker } from '../../src/platform/work/worker';
import { NOOP_KIND, NoopWork } from '../noop-work';

/** A worker that also does no-op work. Only for the benchmark. */
runProcess('worker', async (config) => {
  const app = await NestFactory.createApplicationContext(WorkerModule.with(config), { logger: false });
  app.get(WorkRegistry).register(NOOP_KIND, new NoopWork());
  const worker = app.get(Worker);
  await worker.start();
  return async () => {
    await worker.stop(5_000);
    await app.close();
  };
});
