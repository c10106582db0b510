import type { VNode } from 'preact';
import { MAIL_KIND_LABELS, MAIL_KINDS, type MailPreference } from '../../modules/notifications';
import { Card } from '../frame/card';
import { Checkbox, Form } from '../frame/form';
import { Settings } from '../frame/settings-tabs';
import { destinationsUrl, notificationsUrl } from '../urls';

interface NotificationsPageProps {
  readonly organizationId: number;
  readonly organization: string;
  readonly email: string;
  /** Whether the service sends mail at all. */
  readonly isMailed: boolean;
  readonly preference: MailPreference;
  readonly isMember: boolean;
  readonly hasTitles: boolean;
  readonly mayChange: boolean;
}

export const NotificationsPage = (props: NotificationsPageProps): VNode => (
  <Settings current="notifications">
    <MyMail {...props} />
    <MailOfOrganization {...props} />
    {props.mayChange && <Channels {...props} />}
  </Settings>
);

const MyMail = (props: NotificationsPageProps): VNode => (
  <Card id="my-mail" title="My mail" class="narrow-left">
    {props.isMailed ? (
      <p>
        What <strong class="wrap">{props.email}</strong> gets about{' '}
        <span dir="auto" class="wrap">
          {props.organization}
        </span>
        . It ends when you leave the organization.
      </p>
    ) : (
      <p>This service sends no mail. Its operator can turn it on with SMTP_URL.</p>
    )}
    {props.isMember ? (
      <MyMailForm {...props} />
    ) : (
      <p class="muted">Only members of the organization get mail about it.</p>
    )}
  </Card>
);

const MyMailForm = ({ organizationId, preference }: NotificationsPageProps): VNode => (
  <Form action={notificationsUrl(organizationId)} class="form">
    <fieldset class="choices">
      <legend class="visually-hidden">Send a mail when</legend>
      {MAIL_KINDS.map((kind) => (
        <Checkbox key={kind} name={kind} label={MAIL_KIND_LABELS[kind]} checked={preference[kind]} />
      ))}
    </fieldset>
    <p class="hint">To mention somebody, write @ and the name or the mail address of a member in a comment.</p>
    <button class="primary">Save</button>
  </Form>
);

const MailOfOrganization = ({ organizationId, hasTitles, mayChange }: NotificationsPageProps): VNode => (
  <Card id="mail" title="Mail of the organization" class="narrow-left">
    <p>Mail is not encrypted on its way. Without titles, it names findings by their numbers.</p>
    {mayChange ? (
      <Form action={`${notificationsUrl(organizationId)}/mail`} class="form">
        <Checkbox name="titles" label="Show the titles of findings" checked={hasTitles} />
        <button>Save</button>
      </Form>
    ) : (
      <p>{hasTitles ? 'Mails show the titles of findings.' : 'Mails do not show the titles of findings.'}</p>
    )}
  </Card>
);

const Channels = ({ organizationId }: NotificationsPageProps): VNode => (
  <Card id="channels" title="Channels" class="narrow-left">
    <p>Tell changes in Slack, in Microsoft Teams or by mail, one by one or as a digest.</p>
    <p>
      <a class="button" href={destinationsUrl('channel', organizationId)}>
        Channels
      </a>
    </p>
  </Card>
);
