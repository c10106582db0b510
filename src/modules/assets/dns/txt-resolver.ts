import { Resolver } from 'node:dns/promises';
import { Injectable } from '@nestjs/common';
import { Config } from '../../../platform/config/load-config';
import { type TxtAnswer, txtFailureOf } from '../domain/domain-proof';

/** The timeout of the first try. The resolver doubles it for the second, and the deadline limits the total. */
const TRY_MS = 1_200;
const TRIES = 2;
const DEADLINE_MS = 4_000;

/** Queries the configured name servers for TXT records, without a cache and without search domains. */
@Injectable()
export class TxtResolver {
  constructor(private readonly config: Config) {}

  /** Returns an answer for every name, also if its name servers do not respond. */
  resolve(names: readonly string[]): Promise<TxtAnswer[]> {
    return Promise.all(names.map((name) => this.answerOf(name)));
  }

  /** With a resolver of its own: from Node 24 on, an unreadable answer also fails the other questions of a resolver. */
  private async answerOf(name: string): Promise<TxtAnswer> {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
    if (this.config.DNS_SERVERS.length > 0) resolver.setServers(this.config.DNS_SERVERS);
    const deadline = setTimeout(() => resolver.cancel(), DEADLINE_MS);
    try {
      return { name, records: await resolver.resolveTxt(name) };
    } catch (error) {
      return { name, records: txtFailureOf(codeOf(error)) };
    } finally {
      clearTimeout(deadline);
    }
  }
}

const codeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
