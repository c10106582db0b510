import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/load-config';
import { type TxtAnswer, txtFailureOf } from '../domain/domain-proof';

/** For one try; the second gets twice as long, and the deadline ends what is left. */
const tryMs = 1_200;
const tries = 2;
const deadlineMs = 4_000;

/** Asks the configured name servers for TXT records: nothing is kept between two questions, no search domains are tried. */
@Injectable()
export class TxtResolver {
  constructor(private readonly config: Config) {}

  /** Answers for every name, in the end also for those of whose name servers nothing is heard. */
  async resolve(names: readonly string[]): Promise<TxtAnswer[]> {
    const resolver = new Resolver({ timeout: tryMs, tries });
    if (this.config.DNS_SERVERS.length > 0) resolver.setServers(this.config.DNS_SERVERS);
    const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
    try {
      return await Promise.all(names.map((name) => answerOf(resolver, name)));
    } finally {
      clearTimeout(deadline);
    }
  }
}

async function answerOf(resolver: Resolver, name: string): Promise<TxtAnswer> {
  try {
    return { name, records: await resolver.resolveTxt(name) };
  } catch (error) {
    return { name, records: txtFailureOf(codeOf(error)) };
  }
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
