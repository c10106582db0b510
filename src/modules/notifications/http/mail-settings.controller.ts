import { Body, Controller } from '@nestjs/common';
import type { Caller } from '../../../platform/api/caller';
import { ResponseField } from '../../../platform/api/response-field';
import { CurrentCaller } from '../../../platform/http/caller.decorator';
import { Operation } from '../../../platform/http/operation';
import { PathId } from '../../../platform/http/path-id';
import { type MailPreference, MailPreferencesService } from '../mail-preferences.service';
import { ChangeMailSettingsRequest, ChangeMyMailRequest } from './mail-settings.requests';

class MyMailResponse {
  @ResponseField.boolean()
  assigned!: boolean;

  @ResponseField.boolean()
  mentioned!: boolean;

  @ResponseField.boolean()
  verdict!: boolean;

  @ResponseField.boolean()
  gate!: boolean;

  @ResponseField.boolean()
  due_soon!: boolean;

  @ResponseField.boolean()
  done!: boolean;

  @ResponseField.boolean()
  account!: boolean;
}

class MailSettingsResponse {
  @ResponseField.boolean({ description: 'Whether mails show the titles of findings.' })
  titles!: boolean;
}

const presentMyMail = (preference: MailPreference): MyMailResponse => ({ ...preference });

const myMailExample = {
  assigned: true,
  mentioned: true,
  verdict: false,
  gate: false,
  due_soon: false,
  done: false,
  account: false,
};

const MY_MAIL = '/v1/organizations/{organization_id}/settings/my-mail';
const MAIL = '/v1/organizations/{organization_id}/settings/mail';

@Controller()
export class MailSettingsController {
  constructor(private readonly preferences: MailPreferencesService) {}

  @Operation(`GET ${MY_MAIL}`, {
    number: 'addition',
    id: 'getMyMail',
    tag: 'Settings',
    summary: 'Read what the caller gets by mail from an organization',
    description: 'New members get mail about assignments and mentions. Nothing is sent without SMTP_URL.',
    role: 'viewer',
    entityTag: true,
    success: {
      status: 200,
      description: 'What comes by mail.',
      body: MyMailResponse,
      example: myMailExample,
    },
  })
  async getMine(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<MyMailResponse> {
    return presentMyMail(await this.preferences.get(caller, id));
  }

  @Operation(`PATCH ${MY_MAIL}`, {
    number: 'addition',
    id: 'changeMyMail',
    tag: 'Settings',
    summary: 'Change what the caller gets by mail from an organization',
    description: 'Fields that are absent stay as they are. Only members of the organization get mail about it.',
    role: 'viewer',
    body: { example: { due_soon: true } },
    ifMatch: 'getMyMail',
    success: {
      status: 200,
      description: 'What comes by mail.',
      body: MyMailResponse,
      example: { ...myMailExample, due_soon: true },
    },
    audit: { operation: 'settings.my_mail_change', resource: 'settings' },
  })
  async changeMine(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @Body() change: ChangeMyMailRequest,
  ): Promise<MyMailResponse> {
    return presentMyMail(await this.preferences.change(caller, id, change));
  }

  @Operation(`GET ${MAIL}`, {
    number: 'addition',
    id: 'getMailSettings',
    tag: 'Settings',
    summary: 'Read what mails of an organization show',
    role: 'viewer',
    entityTag: true,
    success: { status: 200, description: 'The settings.', body: MailSettingsResponse, example: { titles: true } },
  })
  async get(@CurrentCaller() caller: Caller, @PathId('organization_id') id: number): Promise<MailSettingsResponse> {
    return { titles: await this.preferences.hasTitles(caller.scope, id) };
  }

  @Operation(`PATCH ${MAIL}`, {
    number: 'addition',
    id: 'changeMailSettings',
    tag: 'Settings',
    summary: 'Change what mails of an organization show',
    description: 'Mails travel and are kept without encryption. Without titles, they name findings by their ids.',
    role: 'admin',
    body: { example: { titles: false } },
    ifMatch: 'getMailSettings',
    success: { status: 200, description: 'The settings.', body: MailSettingsResponse, example: { titles: false } },
    audit: { operation: 'settings.mail_change', resource: 'settings' },
  })
  async change(
    @CurrentCaller() caller: Caller,
    @PathId('organization_id') id: number,
    @Body() { titles }: ChangeMailSettingsRequest,
  ): Promise<MailSettingsResponse> {
    await this.preferences.changeTitles(caller, id, titles);
    return { titles };
  }
}
