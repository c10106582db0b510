import { Flag } from '../../platform/http/fields';

/** A box that is not checked is not sent. */
export class MyMailForm {
  @Flag({ optional: true })
  assigned = false;

  @Flag({ optional: true })
  mentioned = false;

  @Flag({ optional: true })
  verdict = false;

  @Flag({ optional: true })
  gate = false;

  @Flag({ optional: true })
  due_soon = false;

  @Flag({ optional: true })
  done = false;

  @Flag({ optional: true })
  account = false;
}

export class MailSettingsForm {
  @Flag({ optional: true })
  titles = false;
}
