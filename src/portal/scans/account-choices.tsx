import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import type { VNode } from 'preact';
import { type AssetAccount, AccountsOfPlan } from '../../modules/accounts';
import { Choices } from '../frame/form';

export type AccountChoice = Pick<AssetAccount, 'id' | 'name'>;

/** A form has one as a text, and a page that repeats a form has all in one. */
function idsIn({ value }: { value: unknown }): unknown {
  if (Array.isArray(value)) return value.map(Number);
  if (typeof value !== 'string') return value;
  return value === '' ? undefined : value.split(',').map(Number);
}

export const AccountIds = (): PropertyDecorator => applyDecorators(Transform(idsIn), AccountsOfPlan());

interface Props {
  readonly accounts: readonly AccountChoice[];
  /** Also those that may not be used now: saving the form does not remove them. */
  readonly values?: readonly number[] | null;
}

/** As which scans run, too. */
export function AccountChoices({ accounts, values }: Props): VNode | null {
  const chosen = values ?? [];
  const others = chosen.filter((id) => !accounts.some((account) => account.id === id));
  const options = [
    ...accounts.map(({ id, name }) => ({ value: id, label: name })),
    ...others.map((id) => ({ value: id, label: `Account ${id}, which may not be used now` })),
  ];
  if (options.length === 0) return null;
  return <Choices name="accounts" label="Also signed in as" options={options} values={chosen} />;
}
