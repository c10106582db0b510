import { byId, ListOrder } from '../../../platform/database/list-order';
import { emptySql, raw, type Sql } from '../../../platform/database/sql';
import { riskIn } from '../../findings';

export type AssetOrder = 'newest' | 'risk';

/** Of a row `a` of assets, and of its totals `t`. */
export const ORDERS: Readonly<Record<AssetOrder, ListOrder<{ readonly id: number; readonly risk?: number }>>> = {
  newest: byId('a.id'),
  risk: new ListOrder([riskIn('t'), 'a.id'], ({ risk = 0, id }) => [risk, id]),
};

/** What an order reads of a row beside its columns. */
export const POSITIONS: Readonly<Record<AssetOrder, Sql>> = {
  newest: emptySql,
  risk: raw(`, ${riskIn('t')} AS risk`),
};
