import type { Client } from '../client';
import { query } from '../database';
import { eventually } from '../eventually';
import { unique } from '../factories';
import { launchJob, waitForJob } from '../jobs';
import type { StateTarget } from './targets';
import type { Result } from './truth';

export interface Outcome {
  readonly result: Result;
  readonly reason: string;
  /** How often an admin confirmed the site before. */
  readonly confirmations: number;
}

/** A test with many others beside it takes long. */
const PATIENCE_MS = 300_000;
/** What a person, or an hour, may change about a result, at most. */
const MOST_ROUNDS = 3;
const HOUR_MS = 3_600_000;

const anHourAgo = (): string => new Date(Date.now() - HOUR_MS - 1_000).toISOString();

/** Moves a time that is stored with the baseline of a finding back by more than an hour. False if there is none. */
async function passAnHour(findingId: number, path: 'confirmed,at' | 'moved,since'): Promise<boolean> {
  const changed = await query(
    `UPDATE finding_baselines SET baseline = jsonb_set(baseline::jsonb, '{${path}}', to_jsonb($2::text))::json
     WHERE finding_id = $1 AND baseline::jsonb #> '{${path}}' IS NOT NULL RETURNING 1`,
    [findingId, anHourAgo()],
  );
  return changed.length > 0;
}

/** Tests the findings of one organization through the API, as one of its admins. */
export class FindingTests {
  constructor(
    private readonly client: Client,
    private readonly organizationId: number,
    private readonly eventSlug: string,
  ) {}

  /** Records a finding while the target shows its weakness, and waits for its baseline. */
  async recordWeak(target: StateTarget): Promise<number> {
    const id = await this.record(target);
    await eventually(async () => {
      const stored = await query('SELECT 1 FROM finding_baselines WHERE finding_id = $1', [id]);
      if (stored.length === 0) throw new Error(`no baseline: ${JSON.stringify(await this.verificationOf(id))}`);
    }, PATIENCE_MS);
    return id;
  }

  async retest(findingId: number): Promise<Outcome> {
    const path = `/v1/findings/${findingId}/retest`;
    const { status, text } = await this.client.post(path);
    if (status !== 202) throw new Error(text);
    return eventually(async () => {
      const { body } = await this.client.get(path);
      if (body.status !== 'finished') throw new Error(`the retest is ${body.status}: ${body.reason}`);
      return { result: body.result as Result, reason: String(body.reason), confirmations: 0 };
    }, PATIENCE_MS);
  }

  /**
   * Retests, does what an admin may do about an inconclusive result, lets an hour pass, and retests again. Who knows that the
   * target is repaired also confirms that a refusal is the fix.
   */
  async retestWithConfirmation(findingId: number, isRepaired: boolean): Promise<Outcome> {
    let outcome = await this.retest(findingId);
    let confirmations = 0;
    if (isRepaired && outcome.result === 'blocked' && (await this.confirmRefusal(findingId))) {
      confirmations = 1;
      outcome = await this.retest(findingId);
    }
    for (let round = 0; round < MOST_ROUNDS && outcome.result === 'inconclusive'; round += 1) {
      const isConfirmed = await this.confirm(findingId);
      const hasPassed = await passAnHour(findingId, isConfirmed ? 'confirmed,at' : 'moved,since');
      if (!isConfirmed && !hasPassed) break;
      if (isConfirmed) confirmations += 1;
      outcome = await this.retest(findingId);
    }
    return { ...outcome, confirmations };
  }

  /** The initial verification of a finding that is recorded now. `refuted` is the counterpart of `fixed`. */
  async verify(target: StateTarget): Promise<Outcome> {
    const id = await this.record(target);
    const RESULTS: Readonly<Record<string, Result>> = { confirmed: 'still_vulnerable', refuted: 'fixed' };
    return eventually(async () => {
      const { result, reason, tested_at } = await this.verificationOf(id);
      if (tested_at === null) throw new Error(`not verified: ${reason}`);
      return { result: RESULTS[result] ?? 'inconclusive', reason, confirmations: 0 };
    }, PATIENCE_MS);
  }

  /** A job on a site whose finding is known. A green one is the counterpart of `fixed`. */
  async gate(target: StateTarget, checks: readonly string[]): Promise<Outcome> {
    const uuid = await launchJob(this.client, target.url, { checks });
    await waitForJob(this.client, uuid);
    const { success, description } = (await this.client.get(`/v1/jobs/${uuid}/success?severity=low`)).body;
    const isFound = /found by this job/.test(description);
    return {
      result: success === true ? 'fixed' : isFound ? 'still_vulnerable' : 'inconclusive',
      reason: description,
      confirmations: 0,
    };
  }

  private async record(target: StateTarget): Promise<number> {
    const place = { organization_id: this.organizationId, asset_type: 'domain', asset_value: target.host };
    const asset = await this.client.post('/v1/assets/', place);
    if (asset.status !== 201) throw new Error(asset.text);
    const { status, text, body } = await this.client.post(`/v1/events/${this.eventSlug}/findings/`, {
      title: unique('Finding'),
      severity: 'high',
      asset_id: asset.body.id,
      check: target.check,
    });
    if (status !== 201) throw new Error(text);
    return body.id;
  }

  private async verificationOf(findingId: number) {
    const { body } = await this.client.get(`/v1/findings/${findingId}/`);
    return body.findings[0].verification as { result: string; reason: string; tested_at: string | null };
  }

  private async confirmRefusal(findingId: number): Promise<boolean> {
    const path = `/v1/findings/${findingId}/baseline`;
    const { body } = await this.client.get(path);
    if (body.refusal === null) return false;
    const { status, text } = await this.client.put(`${path}/refusal`, {
      retest: body.refusal.retest,
      reason: 'Repaired.',
    });
    if (status !== 200) throw new Error(text);
    return true;
  }

  /** False where the site may not be confirmed. */
  private async confirm(findingId: number): Promise<boolean> {
    const path = `/v1/findings/${findingId}/baseline`;
    const { body } = await this.client.get(path);
    if (body.retest === null) return false;
    const { status, text } = await this.client.put(path, { retest: body.retest });
    if (status !== 200) throw new Error(text);
    return true;
  }
}
