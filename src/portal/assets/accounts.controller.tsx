import { Body, Controller, Get, Req } from '@nestjs/common';
import { AssetAccountsService } from '../../modules/accounts';
import { AccountSignIns, MAX_HAR_BYTES } from '../../modules/retests';
import { PathId } from '../../platform/http/path-id';
import { Page, SeeOther } from '../frame/page';
import { InOrganization } from '../http/in-organization';
import type { Place } from '../http/places';
import type { PortalRequest } from '../http/portal-request';
import { readStreamedFile } from '../http/streamed-form';
import { PostChange } from '../http/route-metadata';
import { accountUrl, assetUrl } from '../urls';
import { AccountPage } from './account-page';
import {
  AccountForm,
  changeOfAccountForm,
  ConsentForm,
  draftOfForm,
  ProofForm,
  proofOfForm,
  RelationForm,
  relationsOfForm,
} from './accounts.requests';

const RELOAD_SECONDS = 3;
const ONE = ':account_id';
const audited = (operation: string) => ({ operation, resource: 'account', id: 'account_id' }) as const;

@Controller('o/:organization/assets/:asset_id/accounts')
export class AccountsController {
  constructor(
    private readonly accounts: AssetAccountsService,
    private readonly signIns: AccountSignIns,
  ) {}

  @PostChange('', { operation: 'account.create', resource: 'account' })
  async create(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @Body() form: AccountForm,
  ): Promise<SeeOther> {
    const { id } = await this.accounts.create(caller, asset.id, draftOfForm(form));
    return new SeeOther(accountUrl(organizationId, asset.id, id));
  }

  @Get(ONE)
  async show(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @PathId('account_id') id: number,
  ): Promise<Page> {
    const account = await this.accounts.get(caller.scope, asset.id, id);
    const mayDecide = caller.hasRole('admin', organizationId);
    const isRunning = account.signInStatus === 'PENDING' || account.signInStatus === 'IN_PROGRESS';
    const others = (await this.accounts.list(caller.scope, asset.id)).filter((one) => one.id !== id);
    const view = { organizationId, asset, account, others, mayDecide, isRunning };
    return new Page(`Account ${account.name}`, <AccountPage view={view} />, 'assets', {
      reloadSeconds: isRunning ? RELOAD_SECONDS : undefined,
    });
  }

  @PostChange(ONE, audited('account.change'))
  async change(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @PathId('account_id') id: number,
    @Body() form: AccountForm,
  ): Promise<SeeOther> {
    await this.accounts.change(caller, asset.id, id, changeOfAccountForm(form));
    return new SeeOther(accountUrl(organizationId, asset.id, id));
  }

  @PostChange(`${ONE}/consent`, audited('account.change'))
  async consent(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @PathId('account_id') id: number,
    @Body() { signed_in_tests: consent }: ConsentForm,
  ): Promise<SeeOther> {
    await this.accounts.change(caller, asset.id, id, { consent });
    return new SeeOther(accountUrl(organizationId, asset.id, id));
  }

  @PostChange(`${ONE}/proof`, audited('account.change'))
  async confirmProof(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @PathId('account_id') id: number,
    @Body() form: ProofForm,
  ): Promise<SeeOther> {
    await this.accounts.change(caller, asset.id, id, { proof: proofOfForm(form) });
    return new SeeOther(accountUrl(organizationId, asset.id, id));
  }

  @PostChange(`${ONE}/relations`, audited('account.change'))
  async relate(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @PathId('account_id') id: number,
    @Body() form: RelationForm,
  ): Promise<SeeOther> {
    const { relations } = await this.accounts.get(caller.scope, asset.id, id);
    await this.accounts.change(caller, asset.id, id, { relations: relationsOfForm(relations, form) });
    return new SeeOther(`${accountUrl(organizationId, asset.id, id)}#relations`);
  }

  @PostChange(`${ONE}/sign-in`, audited('account.start_sign_in'))
  async signIn(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @PathId('account_id') id: number,
  ): Promise<SeeOther> {
    await this.signIns.start(caller, asset.id, id);
    return new SeeOther(accountUrl(organizationId, asset.id, id));
  }

  /** The file is read when the session, the form and the role were checked. */
  @PostChange(`${ONE}/har`, audited('account.start_sign_in'))
  async tryRecorded(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @PathId('account_id') id: number,
    @Req() request: PortalRequest,
  ): Promise<SeeOther> {
    caller.requireRole('admin', organizationId);
    await this.signIns.startRecorded(caller, asset.id, id, await readStreamedFile(request, MAX_HAR_BYTES));
    return new SeeOther(accountUrl(organizationId, asset.id, id));
  }

  @PostChange(`${ONE}/recorded`, audited('account.change'))
  async saveRecorded(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @PathId('account_id') id: number,
  ): Promise<SeeOther> {
    await this.accounts.change(caller, asset.id, id, { recorded: true });
    return new SeeOther(accountUrl(organizationId, asset.id, id));
  }

  @PostChange(`${ONE}/resume`, audited('account.resume'))
  async resume(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @PathId('account_id') id: number,
  ): Promise<SeeOther> {
    await this.accounts.resume(caller, asset.id, id);
    return new SeeOther(accountUrl(organizationId, asset.id, id));
  }

  @PostChange(`${ONE}/delete`, audited('account.delete'))
  async delete(
    @InOrganization() { caller, organizationId, asset }: Place<'asset'>,
    @PathId('account_id') id: number,
  ): Promise<SeeOther> {
    await this.accounts.delete(caller, asset.id, id);
    return new SeeOther(`${assetUrl(organizationId, asset.id)}#accounts-title`);
  }
}
