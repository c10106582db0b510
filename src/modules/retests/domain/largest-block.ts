import { Cidr } from '../../../kernel/cidr';
import { specificity, type TypedAssetValue } from '../../assets/domain/asset-coverage';

/** Of the blocks among some assets, the one that contains the others: one address is in all of them. */
export function largestBlock(assets: readonly TypedAssetValue[]): Cidr | null {
  const [largest] = assets
    .filter(({ type }) => type === 'cidr')
    .sort((one, other) => specificity(one) - specificity(other));
  return largest === undefined ? null : Cidr.parse(largest.value, 'asset_value');
}
