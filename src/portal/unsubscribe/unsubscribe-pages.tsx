import type { VNode } from 'preact';
import { MAIL_KIND_LABELS, type MailKind } from '../../modules/notifications';
import { Form } from '../frame/form';

export const UnsubscribePage = ({ token, kind }: { token: string; kind: MailKind }): VNode => (
  <section class="card narrow">
    <h1>Turn off mail</h1>
    <p>You get a mail when this happens:</p>
    <p>
      <strong>{MAIL_KIND_LABELS[kind]}</strong>
    </p>
    <Form action={`/unsubscribe/${token}`}>
      <button class="primary">Turn it off</button>
    </Form>
  </section>
);

export const UnsubscribedPage = ({ kind }: { kind: MailKind }): VNode => (
  <section class="card narrow">
    <h1>Turned off</h1>
    <p>You get no more mail when this happens:</p>
    <p>
      <strong>{MAIL_KIND_LABELS[kind]}</strong>
    </p>
    <p>
      <a href="/">Sign in to change what you get, under Settings, Notifications</a>
    </p>
  </section>
);
