import { headerInjection } from '../oracles/header-injection';
import { pathTraversal } from '../oracles/path-traversal';
import { redirectElsewhere } from '../oracles/redirect-elsewhere';
import { reflectedXss } from '../oracles/reflected-xss';
import { templateInjection } from '../oracles/template-injection';
import type { InsertionPoint } from '../../experiment-record';
import type { Weakness } from './simulated-applications';
import { type Application, observeApplication } from './simulated-point';

const ORACLES = { reflectedXss, pathTraversal, templateInjection, headerInjection, redirectElsewhere };
export const WEAKNESSES = Object.keys(ORACLES) as Weakness[];

/** The weaknesses that the oracles prove at one point. */
export async function provedOf(
  application: Application,
  variant?: string,
  point?: InsertionPoint,
): Promise<Weakness[]> {
  const proved: Weakness[] = [];
  for (const name of WEAKNESSES) {
    const { outcome } = await observeApplication(ORACLES[name], application, { variant, ...(point && { point }) });
    if (outcome.state === 'proved') proved.push(name);
  }
  return proved;
}
