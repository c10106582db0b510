import { Injectable } from '@nestjs/common';
import { Config } from '../../platform/config/load-config';
import { tooManyOpen } from './domain/feed.errors';

const MOST_OF_KEY = 5;
const MOST_OF_ORGANIZATION = 50;

/** The requests that wait for entries. Each process allows its share of a limit, like the limits of requests without Redis. */
@Injectable()
export class OpenFeeds {
  private readonly open = new Map<string, number>();

  constructor(private readonly config: Config) {}

  /** Returns the function that ends it. */
  begin(keyId: number, organizationId: number): () => void {
    const owners = [
      { name: `key ${keyId}`, most: MOST_OF_KEY, whose: 'an API key' },
      { name: `organization ${organizationId}`, most: MOST_OF_ORGANIZATION, whose: 'an organization' },
    ];
    for (const { name, most, whose } of owners)
      if ((this.open.get(name) ?? 0) >= Math.ceil(most / this.config.API_PROCESSES)) throw tooManyOpen(most, whose);
    for (const { name } of owners) this.open.set(name, (this.open.get(name) ?? 0) + 1);
    let isOpen = true;
    return () => {
      if (isOpen) for (const { name } of owners) this.close(name);
      isOpen = false;
    };
  }

  private close(name: string): void {
    const rest = (this.open.get(name) ?? 0) - 1;
    if (rest > 0) this.open.set(name, rest);
    else this.open.delete(name);
  }
}
