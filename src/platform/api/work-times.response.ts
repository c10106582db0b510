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

interface Times {
  readonly created: Date;
  readonly started: Date | null;
  readonly finished: Date | null;
}

export const presentTimes = ({ created, started, finished }: Times) => ({
  created: created.toISOString(),
  started: started?.toISOString() ?? null,
  finished: finished?.toISOString() ?? null,
});
