import { OneOf } from '../../platform/http/fields';

export class SecondLooksForm {
  @OneOf(['on', 'off'])
  enabled!: 'on' | 'off';
}
