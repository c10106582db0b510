import { Injectable } from '@nestjs/common';
import { system } from '../../platform/api/caller';
import { Config } from '../../platform/config/load-config';
import { portalUrl } from '../../platform/config/portal-address';
import { FindingsService, type LockedFinding } from '../findings';
import { MemberMail } from '../identity';
import type { Ticket } from './data/ticket.entity';

/** No user: the mail then goes to all admins. */
const NOBODY = 0;

/** Asks admins what only they decide. */
@Injectable()
export class AcceptanceRequests {
  constructor(
    private readonly findings: FindingsService,
    private readonly mail: MemberMail,
    private readonly config: Config,
  ) {}

  /** Part of the current unit of work. The caller has locked the finding. */
  async request({ organizationId, findingId, key }: Ticket, finding: LockedFinding): Promise<void> {
    await this.findings.note(
      system,
      finding,
      `Ticket ${key} was closed as not to be fixed. An admin must accept the risk, with an end date; otherwise the ticket opens again after 7 days.`,
    );
    await this.mail.addToAdmins(organizationId, NOBODY, {
      subject: 'A ticket was closed as not to be fixed',
      text: [
        `Ticket ${key} of finding ${findingId} was closed as not to be fixed. Accept the risk with an end date, or leave it: after 7 days the ticket opens again.`,
        `${portalUrl(this.config)}/o/${organizationId}/findings/${findingId}\n`,
      ].join('\n\n'),
    });
  }
}
