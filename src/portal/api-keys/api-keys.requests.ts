import { KEY_SCOPES, type KeyScope } from '../../platform/api/caller';
import { Flag, Id, Instant, Name, OneOf } from '../../platform/http/fields';
import { PageQueryOf } from '../../platform/http/page-query';
import { invalid } from '../../kernel/domain-error';

export class KeysQuery extends PageQueryOf(100) {
  /** Opens the form of a new key, with this filled in. */
  @OneOf(KEY_SCOPES, { optional: true })
  scope?: KeyScope;

  @Name(200, { optional: true })
  label?: string;

  @Id({ optional: true })
  organization?: number;
}

export class ScopesForm {
  @Flag({ optional: true })
  read?: boolean;

  @Flag({ optional: true })
  write?: boolean;

  @Flag({ optional: true })
  ci?: boolean;

  get scopes(): KeyScope[] {
    const chosen = (['read', 'write', 'ci'] as const).filter((scope) => this[scope] === true);
    if (chosen.length === 0) throw invalid('Choose at least one scope.');
    return chosen;
  }
}

export class NewKeyForm extends ScopesForm {
  @Name(200)
  label!: string;

  @Id({ optional: true })
  organization?: number;

  @Instant({ optional: true }, 'upper')
  expires?: Date;
}

export class NarrowForm extends ScopesForm {}
