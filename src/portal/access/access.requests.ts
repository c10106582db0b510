import type { KeyScope } from '../../platform/api/caller';
import { KEY_SCOPES } from '../../platform/api/caller';
import { MAX_SESSION_MINUTES, MIN_SESSION_MINUTES, type Requirement, REQUIREMENTS } from '../../modules/identity';
import { Instant, Integer, OneOf } from '../../platform/http/fields';
import { PageQueryOf } from '../../platform/http/page-query';
import { ScopesForm } from '../api-keys/api-keys.requests';

export class AccessQuery extends PageQueryOf(100) {}

export class RulesForm extends ScopesForm {
  @OneOf(REQUIREMENTS)
  second_factor!: Requirement;

  @Instant({ optional: true }, 'upper')
  second_factor_from?: Date;

  @Integer(MIN_SESSION_MINUTES, MAX_SESSION_MINUTES, { optional: true })
  idle_minutes?: number;

  @Integer(MIN_SESSION_MINUTES, MAX_SESSION_MINUTES, { optional: true })
  session_minutes?: number;

  @Integer(1, 3_650, { optional: true })
  key_days?: number;

  @Instant({ optional: true }, 'upper')
  keys_end?: Date;

  /** Null if all are allowed. */
  get allowedScopes(): KeyScope[] | null {
    const { scopes } = this;
    return scopes.length === KEY_SCOPES.length ? null : scopes;
  }
}
