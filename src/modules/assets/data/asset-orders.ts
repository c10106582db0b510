import { byId, ListOrder } from '../../../platform/database/list-order';
import { riskIn } from '../../findings';

export type AssetOrder = 'newest' | 'risk';

/** Of a row `a` of assets, and of its totals `t`. */
export const ORDERS: Readonly<Record<AssetOrder, ListOrder<{ readonly id: number; readonly risk?: number }>>> = {
  newest: byId('a.id'),
  risk: new ListOrder([riskIn('t'), 'a.id'], ({ risk = 0, id }) => [risk, id]),
};
