import 'reflect-metadata';
import { setFlagsFromString } from 'node:v8';
import { NestFactory } from '@nestjs/core';
import { SigningKeysService } from '../../modules/evidence';
import { announceEntries, OrganizationsService } from '../../modules/organizations';
import { EngineRuntime } from '../../modules/retests';
import { MetricsServer } from '../../platform/metrics/metrics-server';
import { NestLog } from '../../platform/logging/log';
import { Worker } from '../../platform/work/worker';
import { runProcess } from '../process';
import { WorkerModule } from './worker.module';

// The old generation may double before a collection, as in the API. An import leaves some garbage there with each batch, and by
// default V8 collects it only when the heap is four times as large as what is in use.
setFlagsFromString('--heap-growing-percent=100');

runProcess('worker', async (config, log) => {
  const app = await NestFactory.createApplicationContext(WorkerModule.with(config), {
    logger: new NestLog(log),
    abortOnError: false,
  });
  // Without the signing key every retest would fail, so the worker does not start.
  await app.get(SigningKeysService).checkReadable();
  await app.get(EngineRuntime).announceAllowed();
  await announceEntries(app.get(OrganizationsService), 'WEBHOOK_ALLOW', config.WEBHOOK_ALLOW, 'send webhooks to');
  const worker = app.get(Worker);
  const metricsUrl = await app.get(MetricsServer).start();
  if (metricsUrl !== undefined) log.info({ url: metricsUrl }, 'metrics listening');
  await worker.start();
  log.info('worker started');
  return async () => {
    await worker.stop(config.WORK_GRACE_SECONDS * 1_000);
    await app.close();
  };
});
