import type { VNode } from 'preact';
import type { TemplateName } from '../../modules/findings';
import { Select } from '../frame/form';

interface TemplateChoiceProps {
  /** The page of the form that a template fills. */
  readonly action: string;
  readonly templates: readonly TemplateName[];
  readonly templateId: number | undefined;
}

/** With scripts the asset and the event stay as they are chosen. */
export const TemplateChoice = ({ action, templates, templateId }: TemplateChoiceProps): VNode => (
  <form
    method="get"
    action={action}
    class="inline-form narrow-left"
    hx-get={action}
    hx-include="#asset_id, #event"
    hx-target=".finding-form"
    hx-select=".finding-form"
    hx-swap="outerHTML"
  >
    <Select
      name="template"
      label="Begin with a template"
      options={[
        { value: '', label: 'None' },
        ...templates.map(({ id, name, cwe }) => ({ value: id, label: cwe === null ? name : `${name} (CWE-${cwe})` })),
      ]}
      value={templateId}
    />
    <button>Fill in</button>
  </form>
);
