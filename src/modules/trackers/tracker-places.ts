import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { stated } from '../../kernel/stated';
import { OutboundRequests } from '../webhooks';
import { TicketsRepository } from './data/tickets.repository';
import type { Tracker } from './data/tracker.entity';
import {
  addressWithPath,
  projectInvalid,
  projectWithTickets,
  tokenMissing,
  userMissing,
} from './domain/tracker.errors';
import { TRACKER_LABELS, type TrackerKind } from './domain/tracker-vocabulary';
import { TrackerCredentials } from './tracker-credentials';

interface Typed {
  readonly address?: string;
  readonly project?: string;
  readonly issueType?: string;
  readonly component?: string | null;
  readonly assignee?: string | null;
  readonly priorities?: Tracker['priorities'];
  readonly user?: string;
  readonly token?: string;
  readonly hookSecret?: string;
}

/** Checks where a tracker leads, and keeps its credentials with the address for which they were typed. */
@Injectable()
export class TrackerPlaces {
  constructor(
    private readonly requests: OutboundRequests,
    private readonly credentials: TrackerCredentials,
    private readonly tickets: TicketsRepository,
  ) {}

  created(
    organizationId: number,
    { kind, address, project, ...typed }: Typed & Pick<Tracker, 'kind' | 'address' | 'project'>,
  ) {
    requireProject(kind, project);
    const login = typed.token === undefined ? null : this.login(kind, { ...typed, token: typed.token });
    const hookSecret = typed.hookSecret ?? randomBytes(24).toString('base64url');
    return {
      address: this.address(address, organizationId),
      sealed: login && this.credentials.seal({ ...login, hookSecret }),
    };
  }

  /** Another address empties the credentials, unless they are typed again. `tested` is null if it must be tested again. */
  async changed(tracker: Tracker, { user, token, hookSecret, ...typed }: Typed): Promise<Partial<Tracker>> {
    const { kind, organizationId, sealed } = tracker;
    const project = typed.project ?? tracker.project;
    requireProject(kind, project);
    if (project !== tracker.project && (await this.tickets.hasAny(tracker))) throw projectWithTickets();
    const address = typed.address === undefined ? tracker.address : this.address(typed.address, organizationId);
    const kept = sealed === null || address !== tracker.address ? null : this.credentials.read(tracker);
    const login = token === undefined ? kept : this.login(kind, { user: user ?? kept?.user ?? undefined, token });
    if (login === null && hookSecret !== undefined) throw tokenMissing();
    const secret = hookSecret ?? kept?.hookSecret ?? randomBytes(24).toString('base64url');
    const next = login && this.credentials.seal({ user: login.user, token: login.token, hookSecret: secret });
    const { issueType, component, assignee, priorities } = typed;
    const decisive = { address, project, ...stated({ issueType, component, assignee, priorities }) };
    const isOther = Object.entries(decisive).some(([name, value]) => value !== tracker[name as keyof Tracker]);
    return { address, sealed: next, ...((isOther || token !== undefined) && { tested: null }) };
  }

  private address(text: string, organizationId: number): string {
    this.requests.requireUrl(text, organizationId, 'address');
    const url = new URL(text);
    if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') throw addressWithPath();
    const path = url.pathname.split('/').filter((part) => part !== '');
    return [url.origin, ...path].join('/');
  }

  private login(kind: TrackerKind, { user, token }: { user?: string | undefined; token: string }) {
    if (TRACKER_LABELS[kind].hasUser && user === undefined) throw userMissing();
    return { user: user ?? null, token };
  }
}

function requireProject(kind: TrackerKind, project: string): void {
  const { pattern, project: hint } = TRACKER_LABELS[kind];
  if (!pattern.test(project)) throw projectInvalid(hint);
}
