import { InvalidArgumentError } from 'commander';
import { unsuitableCharacter } from '../../kernel/plain-text';

export function wholeNumber(value: string): number {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number > 2_147_483_647)
    throw new InvalidArgumentError('It must be a whole number from 0 to 2147483647.');
  return number;
}

export function text(value: string): string {
  const trimmed = value.trim();
  if (trimmed === '' || trimmed.length > 200) throw new InvalidArgumentError('It must have 1 to 200 characters.');
  const unsuitable = unsuitableCharacter(trimmed, 'line');
  if (unsuitable !== undefined) throw new InvalidArgumentError(`It must be one line: it contains ${unsuitable}.`);
  return trimmed;
}
