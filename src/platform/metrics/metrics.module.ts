import { Global, Module } from '@nestjs/common';
import { Metrics } from './metrics';
import { MetricsServer } from './metrics-server';
import { RequestMetrics } from './request-metrics';

@Global()
@Module({
  providers: [Metrics, MetricsServer, RequestMetrics],
  exports: [Metrics, MetricsServer, RequestMetrics],
})
export class MetricsModule {}
