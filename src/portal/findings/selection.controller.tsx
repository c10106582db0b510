import { Controller, Get } from '@nestjs/common';
import { FindingSelectionsService } from '../../modules/retests';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { RecordPlace } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { selectionUrl } from '../urls';
import { People } from './people';
import { isSelectionRunning, SelectionPage } from './selection-page';

const audited = { resource: 'finding_selection', id: 'selection_id' } as const;

/** A change of all findings of a filter. */
@Controller('o/:organization/findings/selections/:selection_id')
export class SelectionController {
  constructor(
    private readonly selections: FindingSelectionsService,
    private readonly people: People,
  ) {}

  @Get()
  async show(@InOrganization('selection_id') { caller, organizationId, id }: RecordPlace): Promise<Page> {
    const selection = await this.selections.get(caller, organizationId, id);
    const { action } = selection;
    const people = await this.people.namesOf(action.kind === 'change' ? [action.change.assigneeId ?? null] : []);
    return new Page('Change all findings', <SelectionPage {...{ selection, people }} />, 'findings', {
      reloadSeconds: isSelectionRunning(selection) ? 2 : undefined,
    });
  }

  @PostChange('run', { operation: 'finding_selection.run', ...audited })
  async run(@InOrganization('selection_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.selections.run(caller, organizationId, id);
    return new SeeOther(selectionUrl(organizationId, id));
  }

  @PostChange('undo', { operation: 'finding_selection.undo', ...audited })
  async undo(@InOrganization('selection_id') { caller, organizationId, id }: RecordPlace): Promise<SeeOther> {
    await this.selections.undo(caller, organizationId, id);
    return new SeeOther(selectionUrl(organizationId, id));
  }
}
