import { Body, Controller } from '@nestjs/common';
import { JobReferences, PathReference, ReferenceName, requireAccessKeys } from '../../modules/jobs';
import { TextWithRule } from '../../platform/http/fields';
import { SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import { PostChange } from '../http/route-metadata';
import { assetUrl } from '../urls';

const keysIn = (text: string): string[] => [...new Set(text.split(/[\s,]+/).filter((key) => key !== ''))];
const audited = (operation: string) => ({ operation, resource: 'asset', id: 'asset_id' }) as const;

export class ReferenceForm {
  @ReferenceName('The name.')
  reference!: string;

  @TextWithRule((text) => requireAccessKeys(keysIn(text)), { maxLength: 2_100 }, { optional: true })
  access_keys?: string;
}

@Controller('o/:organization/assets/:asset_id/references')
export class ReferencesController {
  constructor(private readonly references: JobReferences) {}

  @PostChange('', audited('asset.save_reference'))
  async save(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @Body() { reference, access_keys: keys = '' }: ReferenceForm,
  ): Promise<SeeOther> {
    await this.references.save(caller, id, reference, keysIn(keys));
    return new SeeOther(`${assetUrl(organizationId, id)}#references-title`);
  }

  @PostChange(':reference/delete', audited('asset.delete_reference'))
  async delete(
    @InOrganization() { caller, organizationId, asset: { id } }: Place<'asset'>,
    @PathReference('reference') reference: string,
  ): Promise<SeeOther> {
    await this.references.remove(caller, id, reference);
    return new SeeOther(`${assetUrl(organizationId, id)}#references-title`);
  }
}
