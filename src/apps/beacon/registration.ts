import { createHash, randomBytes } from 'node:crypto';
import { networkInterfaces } from 'node:os';
import { setTimeout as pauseFor } from 'node:timers/promises';
import { Cidr } from '../../kernel/cidr';
import { invalid } from '../../kernel/domain-error';
import type { AgentLog } from './agent-log';
import type { AgentState, StateStore } from './agent-state';
import { Backoff } from './backoff';
import { ConnectFailure } from './connect-failure';
import type { ServiceAddress } from './open-service-socket';
import type { Credentials } from './open-websocket';
import { requestService } from './service-request';

export interface RegistrationOptions {
  readonly store: StateStore;
  /** Undefined if it can only be in the store. */
  readonly token: (() => string) | undefined;
  /** The name of the beacon that the owner means. */
  readonly name: string | undefined;
  /** The networks of this agent; undefined for all of the beacon. */
  readonly networks: (() => readonly string[]) | undefined;
}

const digestOf = (token: string): string => createHash('sha256').update(token).digest('hex').slice(0, 32);

/** The id of the beacon in a token of one use. */
export function oneTimeCredentials(token: string, prefix: 'ar' | 'ad', source: string): Credentials {
  const [, id] = new RegExp(`^${prefix}_([1-9]\\d{0,9})_[A-Za-z0-9_-]{43}$`).exec(token) ?? [];
  if (id !== undefined) return { id: Number(id), token };
  const kind = prefix === 'ar' ? 'registration' : 'deletion';
  throw invalid(`${source} has no ${kind} token. It begins with ${prefix}_, and the portal showed it only once.`);
}

/** The networks of the interfaces of this machine, but loopback. */
export const detectedNetworks = (interfaces = networkInterfaces()): string[] => [
  ...new Set(
    Object.values(interfaces)
      .flatMap((addresses = []) => addresses)
      .filter(({ internal, cidr, address }) => !internal && cidr !== null && !address.startsWith('fe80:'))
      .flatMap(({ address, cidr }) =>
        Cidr.containing(address)
          .filter(({ prefix }) => prefix === Number(cidr?.split('/')[1]))
          .map(String),
      ),
  ),
];

/** The credentials of the agent: those that it keeps, or new ones. Tries until it has them or is stopped. */
export class Registration {
  private readonly backoff = new Backoff();

  constructor(
    private readonly service: ServiceAddress,
    private readonly options: RegistrationOptions,
    private readonly log: AgentLog,
    private readonly signal: AbortSignal,
  ) {}

  async credentials(): Promise<Credentials | undefined> {
    while (!this.signal.aborted) {
      try {
        return await this.keptOrNew();
      } catch (error) {
        if (!(error instanceof ConnectFailure)) throw error;
        const pause = this.backoff.next(error.isRefusal, error.retryAfter);
        this.log.warn('disconnected', `The agent is not registered: ${error.message}`, {
          reason: error.message,
          refused: error.isRefusal,
          retry_ms: pause,
        });
        await pauseFor(pause, undefined, { signal: this.signal }).catch(() => {});
      }
    }
    return undefined;
  }

  private async keptOrNew(): Promise<Credentials> {
    const { store, token: given } = this.options;
    const state = await store.read(this.signal);
    // An empty file has none, for example after the registration.
    const token = (given?.() || undefined) ?? state['registration-token'];
    const kept = this.keptIn(state);
    if (kept !== undefined && (token === undefined || state.registration === digestOf(token))) return kept;
    if (token === undefined)
      throw invalid(
        `${store.name} has no credentials. Give a registration token, which an admin creates in the portal.`,
      );
    try {
      return await this.register(state, oneTimeCredentials(token, 'ar', 'The registration token'));
    } catch (error) {
      if (kept === undefined || !(error instanceof ConnectFailure && error.isRefusal)) throw error;
      this.log.warn('warning', `${error.message} The agent keeps the credentials that it has.`);
      return kept;
    }
  }

  private keptIn(state: AgentState): Credentials | undefined {
    const { 'beacon-id': id, 'beacon-token': token, 'beacon-name': name } = state;
    const { store, name: wanted = name } = this.options;
    if (id === undefined || token === undefined) return undefined;
    if (!/^[1-9]\d{0,9}$/.test(id) || !/^ab_[\w-]{20,200}$/.test(token))
      throw invalid(`${store.name} has no credentials of a beacon in beacon-id and beacon-token.`);
    if (name === undefined || name === wanted) return { id: Number(id), token };
    throw invalid(`${store.name} belongs to the beacon ${name}, not to ${wanted}. Each beacon needs its own.`);
  }

  /** The token is kept before it is sent, so that a request whose response was lost can be repeated. */
  private async register(state: AgentState, oneTime: Credentials): Promise<Credentials> {
    const { store, name, networks } = this.options;
    const digest = digestOf(oneTime.token);
    const isPending = state['pending-registration'] === digest;
    const token = (isPending && state['pending-token']) || `ab_${randomBytes(32).toString('base64url')}`;
    if (!isPending) await store.write({ 'pending-token': token, 'pending-registration': digest }, this.signal);
    const body = { beacon_token: token, name, networks: networks?.() };
    const request = { method: 'POST', path: '/v1/beacons/register', credentials: oneTime, body } as const;
    await requestService(this.service, request, this.signal);
    const { id } = oneTime;
    await store.write(
      {
        'beacon-id': String(id),
        'beacon-token': token,
        'beacon-name': name ?? null,
        registration: digest,
        'pending-token': null,
        'pending-registration': null,
      },
      this.signal,
    );
    this.log.info('registered', `The agent is registered as beacon ${id}.`, { beacon_id: id });
    return { id, token };
  }
}
