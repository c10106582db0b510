import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { Callback, Callbacks } from '../../engine';
import { overHttp } from '../../engine/callbacks';
import { newCallbackGroup, newCallbackLabel } from '../../kernel/callback-name';
import { everything } from '../../platform/api/scope';
import { Config } from '../../platform/config/load-config';
import { DatabaseClock } from '../../platform/database/database-clock';
import { CallbacksRepository } from './data/callbacks.repository';

const PATIENCE_MS = 5_000;

const scope = everything('a name belongs to the experiment that made it, and cannot be guessed');

/** The listener as tests use it. */
@Injectable()
export class CallbacksService {
  constructor(
    private readonly config: Config,
    private readonly calls: CallbacksRepository,
    private readonly clock: DatabaseClock,
  ) {}

  /** Undefined without a listener. */
  forTest(): Callbacks | undefined {
    const { CALLBACK_DOMAIN: domain, CALLBACK_KEY: given, CALLBACK_CERTIFICATE: certificate } = this.config;
    if (domain === undefined || given === undefined) return undefined;
    const key = Buffer.from(given, 'base64');
    let isReached = false;
    return {
      patienceMs: PATIENCE_MS,
      hasHttps: certificate !== undefined,
      now: () => this.clock.time(),
      pause: (ms) => pause(ms),
      newGroup: newCallbackGroup,
      newHost: (group) => `${newCallbackLabel(key, group)}.${domain}`,
      callsOf: async (hosts) => {
        const calls = await this.callsOf(hosts, domain);
        isReached ||= calls.some(overHttp);
        return calls;
      },
      get isReached() {
        return isReached;
      },
    };
  }

  private async callsOf(hosts: readonly string[], domain: string): Promise<Callback[]> {
    const names = hosts.map((host) => host.slice(0, -domain.length - 1));
    const rows = await this.calls.listOf(scope, names);
    return rows.map(({ name, ...call }) => ({ host: `${name}.${domain}`, ...call }));
  }
}
