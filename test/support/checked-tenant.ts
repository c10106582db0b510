import { setTimeout as delay } from 'node:timers/promises';
import type { SeededRandom } from '../../src/engine/testing/seeded-random';
import type { AnswerLog } from './checked-client';
import { CheckedClient } from './checked-client';
import { CheckedField } from './checked-field';
import type { Answer } from './client';
import { type Factories, unique, uniqueDomain } from './factories';
import { ignoreConnectionError, postUntilAcknowledged } from './retrying-requests';

const FINDINGS = 10;
const PAUSE_MS = 120;
/** After how long every caller sees a change: replicas may be two seconds behind, and the machine is busy. */
const STALE_MS = 5_000;
/** An open status and two others, which can follow each other in any order. */
const STATUSES = [2, 3, 4] as const;

export interface CheckedFinding {
  readonly id: number;
  readonly title: CheckedField<string>;
  readonly status: CheckedField<number>;
}

interface ShownFinding {
  readonly id: number;
  readonly title: string;
  readonly status: number;
}

/** An organization with a caller who changes its findings, and another who only reads. Both check what they read. */
export class CheckedTenant {
  readonly findings: CheckedFinding[] = [];
  /** The values of the assets that were added. */
  readonly assets: string[] = [];
  changes = 0;

  private constructor(
    readonly id: number,
    readonly name: string,
    private readonly event: string,
    private readonly assetId: number,
    private readonly writer: CheckedClient,
    private readonly reader: CheckedClient,
  ) {}

  static async create(make: Factories, base: () => string, log: AnswerLog): Promise<CheckedTenant> {
    const { id, name } = await make.organization({ assetsLimit: 1_000_000 });
    const { credentials: ofWriter } = await make.member(id, 'admin');
    const { credentials: ofReader } = await make.member(id, 'viewer');
    const { slug } = await make.event(id);
    const { id: assetId, value } = await make.asset(id);
    const clients = [ofWriter, ofReader].map((credentials) => new CheckedClient(base, credentials, log)) as [
      CheckedClient,
      CheckedClient,
    ];
    const tenant = new CheckedTenant(id, name, slug, assetId, ...clients);
    tenant.assets.push(value);
    return tenant;
  }

  async addFindings(): Promise<void> {
    for (let count = 0; count < FINDINGS; count++) await this.addFinding();
  }

  /** One read. */
  async read(): Promise<void> {
    const [first] = this.findings;
    if (first !== undefined) await this.readOne(this.reader, first, STALE_MS);
  }

  /** Changes and reads until the signal, and fails at the first wrong answer. `others` are never shown. */
  async run(random: SeededRandom, others: readonly CheckedTenant[], signal: AbortSignal): Promise<void> {
    await Promise.all([
      this.repeat(signal, () => this.write(random, others)),
      this.repeat(signal, () => this.readAsOther(random, others)),
    ]);
  }

  private async repeat(signal: AbortSignal, turn: () => Promise<unknown>): Promise<void> {
    while (!signal.aborted) {
      await turn();
      await delay(PAUSE_MS);
    }
  }

  private write(random: SeededRandom, others: readonly CheckedTenant[]): Promise<unknown> {
    const finding = random.pick(this.findings);
    const share = random.next();
    if (share < 0.3) return this.rename(finding);
    if (share < 0.45) return this.setStatus(finding, random.pick(STATUSES));
    if (share < 0.52) return this.addFinding();
    if (share < 0.6) return this.addAsset();
    if (share < 0.65) return this.readForeign(this.writer, random.pick(random.pick(others).findings));
    if (share < 0.75) return this.readPage(this.writer, 0);
    return this.readOne(this.writer, finding, 0);
  }

  private readAsOther(random: SeededRandom, others: readonly CheckedTenant[]): Promise<unknown> {
    const share = random.next();
    if (share < 0.1) return this.readForeign(this.reader, random.pick(random.pick(others).findings));
    if (share < 0.4) return this.readPage(this.reader, STALE_MS);
    const old = this.findings.filter(({ title }) => title.isOlderThan(performance.now() - STALE_MS));
    return old.length === 0 ? Promise.resolve() : this.readOne(this.reader, random.pick(old), STALE_MS);
  }

  private async rename(finding: CheckedFinding): Promise<void> {
    const title = unique(this.name);
    const confirm = finding.title.attempt(title);
    if (await this.isDone(this.writer.patch(`/v1/findings/${finding.id}/`, { title }))) confirm();
    await this.readOne(this.writer, finding, 0);
  }

  private async setStatus(finding: CheckedFinding, status: number): Promise<void> {
    const confirm = finding.status.attempt(status);
    if (await this.isDone(this.writer.post(`/v1/findings/${finding.id}/status`, { status }))) confirm();
  }

  private async addFinding(): Promise<void> {
    const title = unique(this.name);
    const body = { title, severity: 'low', asset_id: this.assetId };
    const { body: answer } = await postUntilAcknowledged(this.writer, `/v1/events/${this.event}/findings/`, body);
    const added = { id: Number(answer.id), title: new CheckedField(title), status: new CheckedField(1) };
    this.findings.push(added);
    this.changes += 1;
    await this.readOne(this.writer, added, 0);
  }

  private async addAsset(): Promise<void> {
    const value = uniqueDomain();
    const body = { organization_id: this.id, asset_value: value, asset_type: 'domain' };
    const { body: answer } = await postUntilAcknowledged(this.writer, '/v1/assets/', body);
    this.assets.push(value);
    this.changes += 1;
    const shown = await this.answer(this.writer.get(`/v1/assets/${answer.id}/`), 200);
    if (shown !== undefined && !shown.text.includes(value)) throw new Error(`asset ${answer.id} is ${shown.text}`);
  }

  private async readOne(client: CheckedClient, finding: CheckedFinding, staleMs: number): Promise<void> {
    const since = performance.now() - staleMs;
    const answer = await this.answer(client.get(`/v1/findings/${finding.id}/`), 200);
    if (answer !== undefined) this.check(finding, answer.body.findings[0], since);
  }

  /** The newest are first, so that the last one of the caller is on it. */
  private async readPage(client: CheckedClient, staleMs: number): Promise<void> {
    const newest = this.findings.at(-1);
    const since = performance.now() - staleMs;
    const answer = await this.answer(client.get(`/v1/organizations/${this.id}/findings/`), 200);
    if (answer === undefined) return;
    const shown: ShownFinding[] = answer.body.findings;
    if (client === this.writer && !shown.some(({ id }) => id === newest?.id))
      throw new Error(`the page does not show finding ${newest?.id}, which its reader has added`);
    for (const one of shown) {
      if (!one.title.startsWith(this.name)) throw new Error(`${this.name} is shown ${JSON.stringify(one)}`);
      const finding = this.findings.find(({ id }) => id === one.id);
      if (finding !== undefined) this.check(finding, one, since);
    }
  }

  private async readForeign(client: CheckedClient, finding: CheckedFinding): Promise<void> {
    await this.answer(client.get(`/v1/findings/${finding.id}/`), 404);
  }

  private check({ id, title, status }: CheckedFinding, shown: ShownFinding | undefined, since: number): void {
    const isPossible =
      shown !== undefined &&
      title.possibleSince(since).includes(shown.title) &&
      status.possibleSince(since).includes(shown.status);
    if (isPossible) return;
    const expected = { titles: title.possibleSince(since), statuses: status.possibleSince(since) };
    throw new Error(`finding ${id} is ${JSON.stringify(shown)}, not one of ${JSON.stringify(expected)}`);
  }

  private async isDone(sent: Promise<Answer>): Promise<boolean> {
    const isDone = (await this.answer(sent, 200)) !== undefined;
    if (isDone) this.changes += 1;
    return isDone;
  }

  /** Undefined if there was none, or a 503. */
  private async answer(sent: Promise<Answer>, status: number): Promise<Answer | undefined> {
    const answer = await sent.catch(ignoreConnectionError);
    if (answer === undefined || answer.status === 503) return undefined;
    if (answer.status !== status) throw new Error(`expected ${status}, got ${answer.status}: ${answer.text}`);
    return answer;
  }
}
