import { Body, Controller, Get, Post } from '@nestjs/common';
import { MAX_GROUP_NAME_LENGTH, MemberGroupsService, MembersService } from '../../modules/identity';
import { Name, Text } from '../../platform/http/fields';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place, RecordPlace } from '../http/places';
import { Changes, PostChange } from '../http/route-metadata';
import { membersUrl } from '../urls';
import { memberIdsWith } from './member-addresses';
import { GroupPage } from './member-groups';

class GroupForm {
  @Name(MAX_GROUP_NAME_LENGTH)
  name!: string;

  @Text(0, 40_000, { optional: true })
  members?: string;
}

/** The forms of the groups on the page of the members. */
@Controller('o/:organization/settings/groups')
export class MemberGroupsPageController {
  constructor(
    private readonly groups: MemberGroupsService,
    private readonly members: MembersService,
  ) {}

  @PostChange('', { operation: 'member_group.create', resource: 'member_group' })
  async create(@InOrganization() { caller, organizationId }: Place, @Body() form: GroupForm): Promise<SeeOther> {
    await this.groups.create(caller, organizationId, await this.draftOf(organizationId, form));
    return new SeeOther(membersUrl(organizationId), 'The group was created.');
  }

  /** Of its own, because the members page may have a hundred groups of five hundred. */
  @Get(':group_id')
  async show(@InOrganization('group_id') { caller, organizationId, id }: RecordPlace): Promise<Page> {
    caller.requireRole('admin', organizationId);
    const group = await this.groups.get(caller.scope, organizationId, id);
    const members = await this.members.listOfVisible(organizationId, group.memberIds);
    return new Page('Settings', <GroupPage {...{ organizationId, group, members }} />, 'settings', {
      tabTitle: group.name,
    });
  }

  @PostChange(':group_id', { operation: 'member_group.change', resource: 'member_group', id: 'group_id' })
  async change(
    @InOrganization('group_id') { caller, organizationId, id }: RecordPlace,
    @Body() form: GroupForm,
  ): Promise<SeeOther> {
    await this.groups.change(caller, organizationId, id, await this.draftOf(organizationId, form));
    return new SeeOther(membersUrl(organizationId), 'The group was saved.');
  }

  @Post(':group_id/delete')
  @Changes({ operation: 'member_group.delete', resource: 'member_group', id: 'group_id' })
  async delete(@InOrganization('group_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.groups.remove(caller, organizationId, id);
    return new SeeOther(membersUrl(organizationId), 'The group was deleted. What it owned has no owner.');
  }

  private async draftOf(organizationId: number, { name, members = '' }: GroupForm) {
    return { name, memberIds: await memberIdsWith(this.members, organizationId, members, 'members') };
  }
}
