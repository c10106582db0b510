import { join } from 'node:path';
import { Injectable, type OnApplicationShutdown, Optional } from '@nestjs/common';
import { invalid } from '../../../kernel/domain-error';
import { markdownRefusal } from '../../../kernel/markdown-limits';
import { TaskLimitExceeded, ThreadPool, type ThreadPoolOptions } from './thread-pool';

/** A text as it was written, and as HTML that is safe to show. */
export interface Markdown {
  readonly md: string;
  readonly html: string;
}

const MAX_HTML_LENGTH = 256 * 1_024;

const LIMIT_MESSAGES: Readonly<Record<TaskLimitExceeded['limit'], string>> = {
  time: 'md takes too long to render: shorten it, or use fewer quotes, lists and tables inside each other.',
  memory: 'md takes too much memory to render: shorten it, or use fewer quotes, lists and tables inside each other.',
};

const POOL: ThreadPoolOptions = {
  program: join(__dirname, 'render-markdown.cjs'),
  workerData: { longest: MAX_HTML_LENGTH },
  threads: 2,
  // The most that any known text takes is 0.8 seconds of CPU time and 50 MB.
  milliseconds: 5_000,
  megabytes: 128,
  maxQueuedPerTenant: 20,
  maxQueued: 200,
};

/** Renders Markdown, once, when a finding is written; in threads, so that no text holds up anybody else. */
@Injectable()
export class MarkdownRenderer implements OnApplicationShutdown {
  constructor(@Optional() private readonly pool = new ThreadPool(POOL)) {}

  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }

  /** On behalf of a tenant: each has its turn. */
  async render(md: string, tenant: string): Promise<Markdown> {
    const refusal = markdownRefusal(md);
    if (refusal !== null) throw invalid(`md ${refusal}`);
    const html = await this.pool.run(tenant, md).catch((error: unknown) => {
      throw error instanceof TaskLimitExceeded ? invalid(LIMIT_MESSAGES[error.limit]) : error;
    });
    if (typeof html === 'string') return { md, html };
    throw invalid(`md becomes more than ${MAX_HTML_LENGTH} characters of HTML: shorten it.`);
  }
}
