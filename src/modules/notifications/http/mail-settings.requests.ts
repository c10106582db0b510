import { Flag } from '../../../platform/http/fields';

export class ChangeMyMailRequest {
  @Flag({ optional: true, description: 'A finding is assigned to the caller by somebody else.' })
  assigned?: boolean;

  @Flag({ optional: true, description: 'A comment mentions the caller with `@` and the name or the mail address.' })
  mentioned?: boolean;

  @Flag({ optional: true, description: 'A finding that the caller follows gets a verdict.' })
  verdict?: boolean;

  @Flag({ optional: true, description: 'The gate of a job or an event that the caller started fails.' })
  gate?: boolean;

  @Flag({ optional: true, description: 'A finding that is assigned to the caller is due within three days.' })
  due_soon?: boolean;

  @Flag({ optional: true, description: 'A retest or a report that the caller started is done.' })
  done?: boolean;

  @Flag({
    optional: true,
    description:
      'For admins: a job of a schedule or an event was not proved to be signed in as an account, or the header or cookie of an account ends in seven days.',
  })
  account?: boolean;
}

export class ChangeMailSettingsRequest {
  @Flag({ description: 'Whether mails show the titles of findings.' })
  titles!: boolean;
}
