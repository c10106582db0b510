import type { Pool } from 'pg';
import type { Metrics } from '../metrics/metrics';
import type { FairSlots } from '../../kernel/fair-slots';

/** What the connections of this process do. */
export class PoolMetrics {
  private readonly waits;
  private readonly errors;

  constructor(metrics: Metrics, pool: Pool, slots: FairSlots, size: number) {
    this.waits = metrics.histogram({
      name: 'assay_database_connection_wait_seconds',
      help: 'Time until a statement or a transaction got a connection of the pool',
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    });
    this.errors = metrics.counter({
      name: 'assay_database_connection_errors_total',
      help: 'connect: no connection could be had in time. lost: an idle connection broke',
      labels: { kind: ['connect', 'lost'] },
    });
    const connections = metrics.gauge({
      name: 'assay_database_connections',
      help: 'Connections of the pool that are open',
      labels: { state: ['idle', 'used'] },
    });
    const limit = metrics.gauge({ name: 'assay_database_connections_limit', help: 'DATABASE_POOL_SIZE' });
    const waiting = metrics.gauge({
      name: 'assay_database_connections_waiting',
      help: 'Statements and transactions that wait for a connection of the pool',
    });
    const waitingTenants = metrics.gauge({
      name: 'assay_database_tenants_waiting',
      help: 'Tenants with statements or transactions that wait for a connection of the pool',
    });
    metrics.onScrape('pool', [], async () => () => {
      const { totalCount, idleCount, waitingCount } = pool;
      connections.set({ state: 'idle' }, idleCount);
      connections.set({ state: 'used' }, totalCount - idleCount);
      limit.set({}, size);
      waiting.set({}, waitingCount + slots.waiting);
      waitingTenants.set({}, slots.waitingTenants);
    });
  }

  waited(ms: number, error: unknown): void {
    if (error) this.errors({ kind: 'connect' });
    else this.waits({}, ms / 1_000);
  }

  lost(): void {
    this.errors({ kind: 'lost' });
  }
}
