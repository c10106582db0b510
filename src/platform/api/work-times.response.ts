import { ResponseField } from './response-field';

/** Of what a worker does. */
export abstract class WorkTimesResponse {
  @ResponseField.instant()
  created!: string;

  @ResponseField.instant({ nullable: true })
  started!: string | null;

  @ResponseField.instant({ nullable: true })
  finished!: string | null;
}
