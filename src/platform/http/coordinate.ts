import { IsNumber, Max, Min } from 'class-validator';
import { field, type FieldOptions } from './fields';

/** Degrees of a circle around the earth, to both sides. */
export const Coordinate = (most: number, options?: FieldOptions): PropertyDecorator =>
  field(
    {
      validators: [
        (message) => IsNumber({}, message),
        (message) => Min(-most, message),
        (message) => Max(most, message),
      ],
      sentence: `must be a number from -${most} to ${most}`,
      schema: { type: 'number', minimum: -most, maximum: most },
      parse: (text) => (/^-?\d{1,3}(\.\d{1,15})?$/.test(text) ? Number(text) : text),
    },
    options,
  );
