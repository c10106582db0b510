import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { invalid } from '../../kernel/domain-error';
import { withinTime } from '../../kernel/within-time';
import { type AgentState, STATE_KEYS, type StateChange, stateConflict, type StateStore } from './agent-state';
import { ConnectFailure, connectFailureOf } from './connect-failure';

/** Where Kubernetes puts the account of a pod. */
const ACCOUNT = '/var/run/secrets/kubernetes.io/serviceaccount';
const REQUEST_MS = 10_000;
const MAX_BYTES = 1_500_000;

interface Secret {
  readonly metadata?: { readonly resourceVersion?: string };
  readonly data?: Readonly<Record<string, string>>;
}

/** What the statuses of the API mean for the owner of the cluster. */
const REMEDIES: Readonly<Record<number, string>> = {
  401: 'The token of the service account is not accepted.',
  403: 'The role of the service account must allow get and patch of this Secret.',
  404: 'Create it, with the key registration-token.',
};

/** A Secret of Kubernetes, which the account of the pod may read and change, and which it does not create. */
export class SecretState implements StateStore {
  readonly name: string;
  private version: string | undefined;

  constructor(
    private readonly secret: string,
    private readonly environment: NodeJS.ProcessEnv,
    private readonly account = ACCOUNT,
  ) {
    if (!/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(secret))
      throw invalid('--state-secret must be the name of a Secret.');
    this.name = `The Secret ${secret}`;
  }

  async read(signal: AbortSignal): Promise<AgentState> {
    return this.keep(await this.call('GET', undefined, signal));
  }

  async write(change: StateChange, signal: AbortSignal): Promise<void> {
    const data = Object.entries(change).map(([key, value]) => [key, value && Buffer.from(value).toString('base64')]);
    const metadata = { resourceVersion: this.version };
    this.keep(await this.call('PATCH', { metadata, data: Object.fromEntries(data) as object }, signal));
  }

  private keep({ metadata, data = {} }: Secret): AgentState {
    this.version = metadata?.resourceVersion;
    const found = STATE_KEYS.flatMap((key) => (typeof data[key] === 'string' ? [[key, data[key]] as const] : []));
    return Object.fromEntries(found.map(([key, value]) => [key, Buffer.from(value, 'base64').toString('utf8').trim()]));
  }

  private async call(method: string, body: object | undefined, stopped: AbortSignal): Promise<Secret> {
    const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port = '443' } = this.environment;
    if (host === '') throw invalid('--state-secret works only in a pod of Kubernetes. Use --state-file elsewhere.');
    const signal = withinTime(stopped, REQUEST_MS);
    const ca = this.accountFile('ca.crt');
    const headers = {
      Authorization: `Bearer ${this.accountFile('token')}`,
      Accept: 'application/json',
      'Content-Type': 'application/merge-patch+json',
    };
    const path = `/api/v1/namespaces/${encodeURIComponent(this.accountFile('namespace'))}/secrets/${this.secret}`;
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const options = { host, port, path, method, headers, ca, agent: false, signal };
        const request = httpsRequest(options, resolve).on('error', reject);
        request.end(body && JSON.stringify(body));
      });
      const { statusCode: status = 0 } = response;
      if (status === 409) throw stateConflict(this.name);
      if (status !== 200)
        throw new ConnectFailure(
          `${this.name} cannot be used: the API of Kubernetes answered ${status}. ${REMEDIES[status] ?? ''}`,
          status < 500,
        );
      return await secretIn(response);
    } catch (error) {
      throw connectFailureOf(error, 'The API of Kubernetes');
    }
  }

  private accountFile(name: string): string {
    try {
      return readFileSync(join(this.account, name), 'utf8').trim();
    } catch {
      throw invalid(`The pod has no service account: ${join(this.account, name)} cannot be read.`);
    }
  }
}

async function secretIn(response: IncomingMessage): Promise<Secret> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new ConnectFailure('The API of Kubernetes answered with too much.', true);
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Secret;
}
