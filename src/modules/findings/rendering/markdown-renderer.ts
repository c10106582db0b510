import { join } from 'node:path';
import type { OnApplicationShutdown } from '@nestjs/common';
import { ThreadLimitExceeded } from '../../../kernel/answering-thread';
import { invalid } from '../../../kernel/domain-error';
import { markdownRefusal } from '../../../kernel/markdown-limits';
import { ThreadPool, type ThreadPoolOptions } from '../../../kernel/thread-pool';

/** A Markdown text and its sanitized HTML. */
export interface Markdown {
  readonly md: string;
  readonly html: string;
}

const MAX_HTML_LENGTH = 256 * 1_024;

const LIMIT_MESSAGES: Readonly<Record<ThreadLimitExceeded['limit'], string>> = {
  time: 'takes too long to render: shorten it, or nest fewer quotes, lists and tables.',
  memory: 'takes too much memory to render: shorten it, or nest fewer quotes, lists and tables.',
};

export const POOL: ThreadPoolOptions = {
  program: join(__dirname, 'render-markdown.cjs'),
  workerData: { maxHtmlLength: MAX_HTML_LENGTH },
  threads: 2,
  // The slowest known text takes 0.8 seconds of CPU time, and the largest 50 MB. A busy machine takes ten times as long.
  milliseconds: 10_000,
  megabytes: 128,
  maxQueuedPerTenant: 20,
  maxQueued: 200,
};

/** Renders Markdown in threads, so that a slow text does not delay other requests. */
export class MarkdownRenderer implements OnApplicationShutdown {
  constructor(private readonly pool = new ThreadPool(POOL)) {}

  onApplicationShutdown(): Promise<void> {
    return this.pool.close();
  }

  /** Tenants take turns in the queue. An error names the field of the text. Bare URLs of comments become links. */
  async render(md: string, tenant: string, field: 'md' | 'comment' = 'md'): Promise<Markdown> {
    const problem = markdownRefusal(md);
    if (problem !== null) throw invalid(`${field} ${problem}`);
    const html = await this.pool
      .run(tenant, { text: md, hasBareLinks: field === 'comment' })
      .catch((error: unknown) => {
        throw error instanceof ThreadLimitExceeded ? invalid(`${field} ${LIMIT_MESSAGES[error.limit]}`) : error;
      });
    if (typeof html === 'string') return { md, html };
    throw invalid(`${field} renders to more than ${MAX_HTML_LENGTH} characters of HTML: shorten it.`);
  }
}
