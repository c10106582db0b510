import { Injectable } from '@nestjs/common';
import { type Scan, SessionEnded } from '../../../engine';
import { TURN_PRIORITY } from '../../accounts';
import { AccountSessions, type SessionRequest, type TestRun, UnprovenAddressError } from '../../retests';
import type { ActiveState } from '../domain/active-state';
import type { Job } from '../data/job.entity';
import { type AccountOfJob, inLane, joinedLanes, type Lane, type LaneScan } from '../domain/lanes';

/** What one run of a job has shown, without a session or with an account. */
export interface TestedLane {
  readonly scan: Scan;
  readonly active: ActiveState | null;
  readonly requests: number;
}

export interface TestedLanes {
  readonly scan: LaneScan;
  /** Of the run without a session. */
  readonly active: ActiveState | null;
  /** Null for a job without accounts. */
  readonly lanes: readonly Lane[] | null;
}

/** Ran until the session could no longer be proved. */
const UNPROVED: Scan['end'] = 'unproved';

/** Runs a job once without a session, and then once with each of its accounts. */
@Injectable()
export class JobLanes {
  constructor(private readonly sessions: AccountSessions) {}

  async run(
    { uuid, accounts, beaconId, eventId, kind }: Pick<Job, 'uuid' | 'accounts' | 'beaconId' | 'eventId' | 'kind'>,
    run: TestRun,
    test: (account: AccountOfJob | null, via: TestRun, left: number) => Promise<TestedLane>,
    turns: Pick<SessionRequest, 'waiting' | 'whileWaiting'>,
  ): Promise<TestedLanes> {
    const named = accounts ?? [];
    const asNobody = await test(null, run, named.length + 1);
    const scans: LaneScan[] = [asNobody.scan];
    const lanes: Lane[] = [laneOf(null, asNobody)];
    for (const [at, account] of named.entries()) {
      const priority = kind.startsWith('job.event') ? TURN_PRIORITY.job : TURN_PRIORITY.pipeline;
      const turn = { holder: `job ${uuid}`, what: 'a scan', priority };
      const request = { accountId: account.id, turn, ...turns, beaconId, eventId, work: `job ${uuid}` };
      const tested = await this.asAccount(account, () =>
        this.sessions.run(request, run, (via) => test(account, { ...run, ...via }, named.length - at)),
      );
      if ('lane' in tested) lanes.push(tested.lane);
      else {
        scans.push(inLane(tested.scan, account));
        lanes.push(laneOf(account, tested));
      }
    }
    return { scan: joinedLanes(scans), active: asNobody.active, lanes: named.length === 0 ? null : lanes };
  }

  /** If the session is not proved, nothing that the run saw counts. */
  private async asAccount(
    account: AccountOfJob,
    run: () => Promise<TestedLane>,
  ): Promise<TestedLane | { readonly lane: Lane }> {
    try {
      return await run();
    } catch (error) {
      if (!(error instanceof SessionEnded) && !(error instanceof UnprovenAddressError)) throw error;
      return { lane: { account, isProved: false, reason: error.message, requests: 0, found: null } };
    }
  }
}

function laneOf(account: AccountOfJob | null, { scan, active, requests }: TestedLane): Lane {
  const isProved = scan.end !== UNPROVED;
  return { account, isProved, reason: scan.reason, requests, found: active?.found ?? null };
}
