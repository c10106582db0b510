import { Module } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { Config } from '../config/load-config';
import { Metrics } from '../metrics/metrics';
import { LocalCounters } from './local-counters';
import { OrganizationLimits } from './organization-limits';
import { RedisCounters } from './redis-counters';
import { RequestCounters } from './request-counters';

/** Only for the API: other processes have no limited requests. */
@Module({
  providers: [
    OrganizationLimits,
    {
      provide: RequestCounters,
      inject: [Config, Clock, Metrics],
      useFactory: (config: Config, clock: Clock, metrics: Metrics): RequestCounters => {
        const countFallback = metrics.counter({
          name: 'assay_request_limits_unshared_total',
          help: 'Requests that counted in this process only, because Redis did not answer in time',
        });
        const local = new LocalCounters(config.API_PROCESSES, clock);
        return config.REDIS_URL === undefined
          ? local
          : new RedisCounters(config.REDIS_URL, config, local, () => countFallback({}));
      },
    },
  ],
  exports: [OrganizationLimits, RequestCounters],
})
export class LimitsModule {}
