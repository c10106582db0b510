import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { ThreadLimitExceeded } from '../../kernel/answering-thread';
import { ThreadPool, type ThreadPoolOptions } from '../../kernel/thread-pool';
import { ReportGenerationError } from './domain/report.errors';
import type { JobReportOrder, RenderedJobReport } from './rendering/render-job-report';

const POOL: ThreadPoolOptions = {
  program: join(__dirname, 'rendering/render-job-report.js'),
  threads: 2,
  // The largest report takes half a second of processor time, and 60 MB.
  milliseconds: 10_000,
  megabytes: 256,
  maxQueuedPerTenant: 20,
  maxQueued: 200,
};

/** Renders the reports of jobs in threads, because the largest ones take hundreds of milliseconds. */
@Injectable()
export class JobReportRendering implements OnApplicationShutdown {
  private readonly pool = new ThreadPool(POOL);

  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }

  /** Tenants take turns in the queue. */
  async render(order: JobReportOrder, tenant: string): Promise<{ readonly content: Buffer; readonly sha256: string }> {
    try {
      const { content, sha256 } = (await this.pool.run(tenant, order)) as RenderedJobReport;
      return { content: Buffer.from(content.buffer, content.byteOffset, content.length), sha256 };
    } catch (error) {
      if (!(error instanceof ThreadLimitExceeded)) throw error;
      throw new ReportGenerationError(`Rendering it needs too much ${error.limit}.`);
    }
  }
}
