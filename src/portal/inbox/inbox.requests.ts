import { MarkReadRequest } from '../../modules/notifications';
import { Flag } from '../../platform/http/fields';

export class MarkReadForm extends MarkReadRequest {
  /** Of the list that it leads back to. */
  @Flag({ optional: true })
  unread = false;
}
