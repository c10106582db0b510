import { ResponseField } from '../api/response-field';

/** The response to creations and some deletions. */
export class Acknowledgement {
  @ResponseField.integer({ description: 'The HTTP status.' })
  code!: number;

  @ResponseField.string()
  description!: string;

  @ResponseField.integer({ nullable: true, description: 'The id of the record that was created or deleted.' })
  id!: number | null;

  @ResponseField.boolean({ enum: [true] })
  success!: true;
}

const acknowledge = (code: number, description: string, id: number | null): Acknowledgement => ({
  code,
  description,
  id,
  success: true,
});

export const created = (what: string, id: number): Acknowledgement => acknowledge(201, `${what} created.`, id);

/** The record is created in the background. */
export const accepted = (sentence: string, id: number): Acknowledgement => acknowledge(202, sentence, id);

export const deleted = (what: string, id: number | null): Acknowledgement => acknowledge(200, `${what} deleted.`, id);

export const done = (sentence: string, id: number | null = null): Acknowledgement => acknowledge(200, sentence, id);
