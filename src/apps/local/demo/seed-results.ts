import 'reflect-metadata';
import { setTimeout as pause } from 'node:timers/promises';
import type { INestApplicationContext } from '@nestjs/common';
import { type Asset, AssetsService } from '../../../modules/assets';
import { EventFindingsService } from '../../../modules/events';
import {
  FINDING_STATUS,
  FindingLists,
  FindingsService,
  type ListedFinding,
  parseCheck,
} from '../../../modules/findings';
import { JobsService } from '../../../modules/jobs';
import { RetestsService } from '../../../modules/retests';
import { runInDomain } from '../../cli/run-in-domain';
import { type Demo, readDemo, writeDemo } from '../demo-file';
import { WEAKNESSES, type WeaknessName } from '../demo-target/weaknesses';
import { outdatedWebmail, reportedDump, targetHistories } from './demo-findings';
import { DemoSession, type DemoTeam } from './demo-session';
import { examplesOf } from './examples';
import { seedMachineEvent } from './seed-event';
import { undefinedIf } from './undefined-if';

type DemoOrganization = Demo['organizations'][number];

/** The event of the demo target, which a team works on. */
interface TargetEvent {
  readonly team: DemoTeam;
  readonly slug: string;
  readonly targetUrl: string;
}

const POLL_MS = 250;

/**
 * Continues the demo data where a worker is needed: waits for the job on the demo target, lets people work on its findings, runs
 * retests, and orders reports. All verdicts are those of the engine. `npm start` runs this in the background. If it is
 * interrupted, the next start repeats it, so that each step first looks for what is done.
 */
async function seedResults(file: string): Promise<void> {
  const demo = readDemo(file);
  const [organization, ...others] = demo?.organizations ?? [];
  if (demo === undefined || organization === undefined) throw new Error(`${file} cannot be read`);
  const { demo_target_url: targetUrl } = demo;
  const { event_slug: slug, users } = organization;
  if (targetUrl === null || slug === null) throw new Error('The demo data has no target or no event.');
  const worked = await runInDomain(async (app) => {
    const event = { team: await DemoSession.signInTeam(app, users), slug, targetUrl };
    return workOnTarget(app, event, organization);
  });
  // The supervisor may have written other addresses.
  const current = { ...(readDemo(file) ?? demo), results: 'complete' as const, organizations: [worked, ...others] };
  writeDemo(file, { ...current, examples: examplesOf(current) });
}

async function workOnTarget(
  app: INestApplicationContext,
  event: TargetEvent,
  organization: DemoOrganization,
): Promise<DemoOrganization> {
  const { team, slug } = event;
  const job_uuid = await finishedJob(event, organization.job_uuid);
  const found = await findingsOfTarget(app, event);
  for (const [check, history] of Object.entries(targetHistories)) {
    const finding = found.get(check);
    if (finding?.status !== FINDING_STATUS.open) continue;
    for (const change of history) await team[change.by].changeStatus(finding, change);
  }
  const dump = await recordDump(event);
  const webmail = await recordWebmail(event);
  await fixWeakness(event, 'server-version');
  const retested = ['server-version', 'cors-with-credentials'].flatMap((check) => found.get(check) ?? []);
  // One after the other: they share the rate limit of the target.
  for (const finding of [...retested, dump]) await retest(event, finding);
  const { status } = await app.get(FindingsService).get(team.member.caller.scope, dump.id);
  if (status === FINDING_STATUS.open)
    for (const change of reportedDump.history) await team[change.by].changeStatus(dump, change);
  const finding_ids = [...organization.finding_ids, ...Array.from(found.values(), ({ id }) => id), dump.id, webmail.id];
  const { id: assetId } = await assetOfTarget(app, event, organization.id);
  const machine_event_slug = await seedMachineEvent(team.admin, organization.id, assetId);
  const pdf = await team.member.orderReport(slug, 'pdf');
  const html = await team.member.orderReport(slug, 'html');
  return {
    ...organization,
    finding_ids: [...new Set(finding_ids)],
    job_uuid,
    report_id: pdf,
    machine_event_slug,
    html_report_id: html,
    retested_finding_ids: [...retested, dump].map(({ id }) => id),
  };
}

/** Waits for the job that was launched at first, or for another one if that could not finish. */
async function finishedJob({ team: { member }, slug, targetUrl }: TargetEvent, first?: string): Promise<string> {
  const jobs = member.app.get(JobsService);
  const order = { url: targetUrl, beaconId: null, eventSlug: slug };
  const launch = () => member.run('job.launch', 'job', () => jobs.launch(member.caller, order));
  const endOf = (uuid: string) =>
    eventually(async () => {
      const { status } = await jobs.get(member.caller.scope, uuid);
      return status === 'PENDING' || status === 'IN_PROGRESS' ? undefined : status;
    });
  if (first !== undefined && (await endOf(first)) === 'FINISHED') return first;
  const uuid = await launch();
  const status = await endOf(uuid);
  if (status !== 'FINISHED') throw new Error(`The job on the demo target ended with ${status}.`);
  return uuid;
}

async function assetOfTarget(
  app: INestApplicationContext,
  { team: { member }, targetUrl }: TargetEvent,
  organizationId: number,
): Promise<Asset> {
  const asset = await app.get(AssetsService).findByValue(member.caller.scope, organizationId, targetUrl);
  if (asset === undefined) throw new Error('The demo target is not an asset.');
  return asset;
}

/** The findings of the job by the id of their check. */
async function findingsOfTarget(
  app: INestApplicationContext,
  { team: { member }, slug, targetUrl }: TargetEvent,
): Promise<Map<string, ListedFinding>> {
  const found = new Map<string, ListedFinding>();
  for (const checkId of [...Object.keys(WEAKNESSES), 'no-https-redirect']) {
    const page = { page: 1, perPage: 100 };
    const { items } = await app.get(FindingLists).list(member.caller.scope, slug, { checkId }, 'newest', page);
    const finding = items.find(({ assetValue }) => assetValue === targetUrl);
    if (finding !== undefined) found.set(checkId, finding);
  }
  return found;
}

async function recordDump({ team: { member }, slug, targetUrl }: TargetEvent): Promise<ListedFinding> {
  const { check, history: _history, ...stated } = reportedDump;
  const draft = {
    ...stated,
    check: parseCheck({ id: check, location: targetUrl }),
    assetReference: { assetValue: targetUrl },
  };
  const record = () => member.app.get(EventFindingsService).record(member.caller, slug, draft);
  return (await member.run('finding.record', 'finding', record)).finding;
}

async function recordWebmail({ team, slug }: TargetEvent): Promise<ListedFinding> {
  const { assetValue, history, ...stated } = outdatedWebmail;
  const { member } = team;
  const draft = { ...stated, assetReference: { assetValue } };
  const record = () => member.app.get(EventFindingsService).record(member.caller, slug, draft);
  const { finding } = await member.run('finding.record', 'finding', record);
  if (finding.status === FINDING_STATUS.open)
    for (const change of history) await team[change.by].changeStatus(finding, change);
  return finding;
}

/** Like a person who uses the switch on its page. */
async function fixWeakness({ targetUrl }: TargetEvent, name: WeaknessName): Promise<void> {
  const { status } = await fetch(new URL(`-/fix/${name}`, targetUrl), { method: 'POST' });
  if (status !== 200) throw new Error(`The demo target answered ${status} to its switch for ${name}.`);
}

async function retest({ team: { member }, slug }: TargetEvent, { id }: ListedFinding): Promise<void> {
  const retests = member.app.get(RetestsService);
  const reference = { findingId: id, eventSlug: slug };
  const lastRetest = () => undefinedIf('conflict', retests.get(member.caller.scope, reference));
  if ((await lastRetest()) === undefined)
    await member.run('retest.start', 'retest', () => retests.start(member.caller, reference));
  await eventually(async () => {
    const status = (await lastRetest())?.status;
    return status === 'pending' || status === 'in_progress' ? undefined : status;
  });
}

/** The first defined result. The limits of the worker end the wait. */
async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const result = await read();
    if (result !== undefined) return result;
    await pause(POLL_MS);
  }
}

const { DEMO_FILE } = process.env;
if (DEMO_FILE === undefined) throw new Error('DEMO_FILE must be set');
process.once('disconnect', () => process.exit(1));
void seedResults(DEMO_FILE);
