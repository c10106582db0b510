import { DomainError } from '../../../kernel/domain-error';
import { describeTemplate, type ParsedCheck, yamlCheck } from '../../findings/domain/check-definition';
import type { CarriedCheck, Carrier, TemplateOrigin, TemplateRequest } from '../../findings';
import { checkOfReplay, type Replay } from './replay-check';
import { placeOfTemplate } from './template-place';

export const PROPOSAL_KINDS = ['template', 'replay'] as const;

export type ProposalKind = (typeof PROPOSAL_KINDS)[number];

export const PROPOSAL_STATUSES = ['proposed', 'approved', 'declined'] as const;

export type ProposalStatus = (typeof PROPOSAL_STATUSES)[number];

/** What a check from a file would do. */
export interface ProposedCheck {
  readonly checkId: string | null;
  readonly definition: string;
  readonly requests: readonly TemplateRequest[];
  readonly unsafeMethods: readonly string[];
  readonly missingValues: readonly string[];
  /** Why it cannot be approved; null if it can be. */
  readonly refusal: string | null;
}

export interface Refused {
  readonly refusal: string;
}

/** Makes the check of a result, or says why there is none. */
type CheckFor = (carrier: Pick<Carrier, 'location' | 'replay' | 'scanner' | 'ruleId'>) => ParsedCheck | Refused;

const sentence = (error: DomainError): string => error.message.replace(/^check(?:\.http)?: /, '');

function attempted<T>(read: () => T): T | Refused {
  try {
    return read();
  } catch (error) {
    if (error instanceof DomainError) return { refusal: sentence(error) };
    throw error;
  }
}

export const isRefused = (result: object): result is Refused => 'refusal' in result;

/** Makes the checks of results with this template, which is parsed once. */
export function checksOfTemplate(source: string, origin?: TemplateOrigin): CheckFor | Refused {
  const check = attempted(() => yamlCheck(source, origin));
  if (isRefused(check)) return check;
  const { requests } = describeTemplate(source, origin);
  return ({ location }) => {
    const place = placeOfTemplate(requests, location);
    return isRefused(place) ? place : attempted(() => check(place.location));
  };
}

/** Makes the check of a result with a replay. */
export const checkOfCarriedReplay: CheckFor = ({ replay, location, scanner, ruleId }) => {
  const definition = checkOfReplay(replay as Replay, location, `${scanner} ${ruleId ?? ''}`.trim());
  if (isRefused(definition)) return definition;
  const { http = '', location: place } = definition;
  const parsed = attempted(() => yamlCheck(http)(place));
  if (isRefused(parsed)) return parsed;
  if (parsed.warnings.length > 0)
    return { refusal: 'the text that the scanner saw is also on pages without the weakness' };
  return { ...parsed, checkDefinition: { ...parsed.checkDefinition, replay: true } };
};

const nothing = { checkId: null, requests: [], unsafeMethods: [], missingValues: [] };

/** Describes what a template would do, or why this service does not run it. */
export function proposedTemplate(definition: string): ProposedCheck {
  const described = attempted(() => describeTemplate(definition));
  if (isRefused(described)) return { ...nothing, definition, refusal: described.refusal };
  const { missingValues } = described;
  const refusal =
    missingValues.length === 0
      ? null
      : `it needs values for ${missingValues.join(', ')}, which neither it nor the result states`;
  return { ...described, definition, refusal };
}

/** Describes what a replay would do. `definition` is its YAML. */
export const proposedReplay = ({ checkDefinition: { http: definition = '' } }: ParsedCheck): ProposedCheck => ({
  ...describeTemplate(definition),
  definition,
  refusal: null,
});

/** Describes a replay that cannot be approved, with its request from the file. */
export function refusedReplay({ replay }: Pick<CarriedCheck, 'replay'>, refusal: string): ProposedCheck {
  const { method, url, match } = replay as Replay;
  return { ...nothing, definition: `${method} ${url}\n\n${match}`, refusal };
}
