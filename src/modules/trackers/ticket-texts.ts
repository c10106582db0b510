import { Injectable } from '@nestjs/common';
import { dayOf } from '../../kernel/day';
import { SEVERITIES } from '../../kernel/severity';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { type FindingWithCheck, type LockedFinding, testOfFinding } from '../findings';
import { nextStepOf } from '../retests';
import type { Ticket } from './data/ticket.entity';
import type { Tracker } from './data/tracker.entity';
import { bodyOf, noteOf } from './domain/sayings';
import type { LastRetest } from './domain/ticket-facts';
import type { Saying } from './domain/ticket-states';
import { type TicketText, ticketTitle } from './domain/ticket-text';
import type { NewTicket } from './domain/tracker-api';

/** Of every ticket that Assay opens. */
const OWN_LABEL = 'assay';

/** Writes what tickets say, with links to the portal. */
@Injectable()
export class TicketTexts {
  constructor(private readonly config: Config) {}

  /** `earlier`: the address of the ticket that it replaces. */
  ticketOf(
    tracker: Tracker,
    { marker }: Pick<Ticket, 'marker'>,
    finding: FindingWithCheck,
    earlier: string | null,
  ): NewTicket {
    const severity = SEVERITIES[finding.severity];
    const shows = new Set<string>(tracker.details);
    const described = {
      severity,
      verification: finding.verification,
      dueDate: finding.dueDate,
      hasCheck: canRun(finding),
      earlier,
      asset: shows.has('asset') ? finding.assetValue : null,
      description: shows.has('description') ? finding.md : null,
    };
    return {
      marker,
      title: ticketTitle(finding.title),
      body: bodyOf(described, this.linkOf(tracker.organizationId, finding.id)),
      priority: tracker.priorities[severity] ?? null,
      labels: [OWN_LABEL, ...tracker.ticketLabels],
      component: tracker.component,
      assignee: tracker.assignee,
    };
  }

  note(
    saying: Saying,
    finding: Pick<LockedFinding, 'id' | 'organizationId' | 'acceptedUntil'>,
    retest: LastRetest | null,
  ): TicketText {
    const { id: findingId, organizationId, acceptedUntil } = finding;
    const nextStep = retest && nextStepOf({ ...retest, findingId, isOfJob: false });
    const until = acceptedUntil === null ? null : dayOf(acceptedUntil);
    const facts = { reason: retest?.reason ?? null, nextStep, until };
    return noteOf(saying, facts, this.linkOf(organizationId, findingId));
  }

  private linkOf(organizationId: number, findingId: number): string {
    return `${portalUrl(this.config)}/o/${organizationId}/findings/${findingId}`;
  }
}

/** Whether a test, and not only a person, can say that the finding is fixed. */
export const canRun = (finding: Parameters<typeof testOfFinding>[0]): boolean => {
  const test = testOfFinding(finding);
  return test !== null && test.forbidden == null;
};
