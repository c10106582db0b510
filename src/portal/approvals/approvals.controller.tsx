import { Body, Controller, Get, Query } from '@nestjs/common';
import {
  ApprovalsService,
  ListApprovalsQuery,
  RejectApprovalRequest,
  SecondApprovalRequest,
  SecondApprovalSetting,
} from '../../modules/approvals';
import { IdentityService } from '../../modules/identity';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { approvalsUrl } from '../urls';
import { ApprovalsPage } from './approvals-page';

/** What waits for a second admin, and whether decisions do. */
@Controller('o/:organization/approvals')
export class ApprovalsPageController {
  constructor(
    private readonly approvals: ApprovalsService,
    private readonly setting: SecondApprovalSetting,
    private readonly identity: IdentityService,
  ) {}

  @Get()
  async show(
    @InOrganization() { caller, organizationId }: Place,
    @Query() { status, slice: page }: ListApprovalsQuery,
  ): Promise<Page> {
    const slice = await this.approvals.list(caller.scope, organizationId, status, page);
    const isOn = await this.setting.get(caller.scope, organizationId);
    const people = slice.items.flatMap(({ proposedBy, decidedBy }) => [proposedBy, decidedBy ?? proposedBy]);
    const names = await this.identity.displayNamesOfVisible([...new Set(people)]);
    const mayDecide = caller.hasRole('admin', organizationId);
    const { userId } = caller.facts;
    const shown = { organizationId, status, page, slice, isOn, names, mayDecide, userId };
    return new Page('Settings', <ApprovalsPage {...shown} />, 'settings', { tabTitle: 'Approvals' });
  }

  @PostChange('setting', { operation: 'settings.second_approval_propose', resource: 'settings' })
  async change(
    @InOrganization() { caller, organizationId }: Place,
    @Body() { second_approval }: SecondApprovalRequest,
  ): Promise<SeeOther> {
    await this.setting.change(caller, organizationId, second_approval);
    return new SeeOther(approvalsUrl(organizationId), 'The setting was so already.');
  }

  @PostChange(':approval_id/confirm', { operation: 'approval.confirm', resource: 'approval', id: 'approval_id' })
  async confirm(@InOrganization('approval_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    const { changes } = await this.approvals.confirm(caller, organizationId, id);
    const errors = [...new Set(changes.flatMap(({ error }) => error ?? []))];
    const made = changes.filter(({ error }) => error === null).length;
    const notice = [`${made} of ${changes.length} ${changes.length === 1 ? 'change was' : 'changes were'} made.`];
    return new SeeOther(approvalsUrl(organizationId), [...notice, ...errors].join(' '));
  }

  @PostChange(':approval_id/reject', { operation: 'approval.reject', resource: 'approval', id: 'approval_id' })
  async reject(
    @InOrganization('approval_id') { caller, organizationId, id }: RecordPlace,
    @Body() { reason }: RejectApprovalRequest,
  ): Promise<SeeOther> {
    await this.approvals.reject(caller, organizationId, id, reason ?? null);
    return new SeeOther(approvalsUrl(organizationId), 'The proposal was rejected.');
  }
}
