export { canonicalJson, keyIdOf } from '../../../engine/evidence';
