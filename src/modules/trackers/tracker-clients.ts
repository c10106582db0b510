import { Injectable } from '@nestjs/common';
import { Clock } from '../../kernel/clock';
import { OUTBOUND_ERRORS, OutboundRequests } from '../webhooks';
import type { Tracker } from './data/tracker.entity';
import { failureOfAnswer } from './domain/answer-failure';
import { type TrackerApi, TrackerError } from './domain/tracker-api';
import type { TrackerKind } from './domain/tracker-vocabulary';
import { github } from './protocols/github';
import { gitlab } from './protocols/gitlab';
import { jira } from './protocols/jira';
import type { ApiAnswer, ApiRequest, Protocol } from './protocols/protocol';
import { TrackerCredentials } from './tracker-credentials';

const PROTOCOLS: Readonly<Record<TrackerKind, Protocol>> = { jira, github, gitlab };

const HEADERS = { 'content-type': 'application/json', accept: 'application/json', 'user-agent': 'Assay-Trackers/1' };
/** A page of tickets whose texts are long. It is parsed while other requests wait. */
const MAX_BYTES = 1_000_000;

/** Speaks to trackers, at public addresses or those that the operator allows. */
@Injectable()
export class TrackerClients {
  constructor(
    private readonly requests: OutboundRequests,
    private readonly credentials: TrackerCredentials,
    private readonly clock: Clock,
  ) {}

  apiOf(tracker: Tracker, signal: AbortSignal): TrackerApi {
    const { kind, address, project, issueType, account, wontDo, component, priorities, assignee } = tracker;
    const protocol = PROTOCOLS[kind];
    const login = this.credentials.read(tracker);
    const filled = [
      ...(component === null ? [] : ['components']),
      ...(assignee === null ? [] : ['assignee']),
      ...(Object.keys(priorities).length === 0 ? [] : ['priority']),
    ];
    const send = async (request: ApiRequest, others: readonly number[] = []): Promise<ApiAnswer> => {
      const answer = await this.requests.fetch({
        organizationId: tracker.organizationId,
        url: `${protocol.base(tracker.address)}${request.path}`,
        method: request.method,
        headers: { ...HEADERS, ...(request.isAnonymous === true ? {} : protocol.headers(login)) },
        body: request.body === undefined ? '' : JSON.stringify(request.body),
        maxBytes: MAX_BYTES,
        signal,
      });
      if ('error' in answer) throw new TrackerError('tracker', OUTBOUND_ERRORS[answer.error]);
      const { status, retryAfter } = answer;
      const body = parsed(answer.body);
      if ((status >= 200 && status < 300) || others.includes(status)) return { status, body };
      throw failureOfAnswer(status, retryAfter, body);
    };
    const place = { address, project, issueType, account, wontDo, filled };
    return protocol.api(send, place, () => this.clock.now());
  }
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return null;
  }
}
