'use strict';

/**
 * The plugin of Swagger UI on the page /docs, in its documented plugin format. It runs in the browser, without a build.
 * https://swagger.io/docs/open-source-tools/swagger-ui/customization/plugin-api/
 */
globalThis.assaySwaggerUi = ({ React }) => {
  const { createElement, useState } = React;

  /** The words of Assay for the fields of HTTP Basic credentials, by the name of the security scheme. */
  const FORMS = {
    basic: { title: 'API key', username: 'API key', password: 'API secret', isFirst: true },
    beacon: { title: 'Beacon (only to report its status)', username: 'Beacon id', password: 'Beacon token' },
  };

  function CredentialsForm({ name, schema, authorized, getComponent, onChange }) {
    const form = FORMS[name];
    const Markdown = getComponent('Markdown', true);
    const stored = authorized?.getIn([name, 'value', 'username']);
    const [value, setValue] = useState({ username: '', password: '' });
    const change = (field) => (event) => {
      // Text that was copied from a terminal often ends with a space.
      const changed = { ...value, [field]: event.target.value.trim() };
      setValue(changed);
      onChange({ name, schema, value: changed });
    };
    const isStarted = value.username !== '' || value.password !== '';
    const input = (field, type) =>
      createElement(
        'label',
        { className: 'assay-field', key: field },
        createElement('span', null, form[field]),
        createElement('input', {
          type,
          name: `${name}-${field}`,
          autoComplete: 'off',
          autoCapitalize: 'none',
          spellCheck: false,
          autoFocus: form.isFirst && field === 'username',
          required: isStarted,
          onChange: change(field),
        }),
      );
    const fields =
      stored === undefined
        ? [input('username', 'text'), input('password', 'password')]
        : [createElement('p', { key: 'stored' }, 'Authorized as ', createElement('code', null, stored))];
    return createElement(
      'section',
      { className: 'assay-credentials' },
      createElement('h4', null, form.title),
      createElement(Markdown, { source: schema.get('description') }),
      ...fields,
    );
  }

  const brand = () => createElement('strong', { className: 'assay-brand' }, 'Assay API');

  /** Of a tag that nobody has opened or closed. */
  const isShown =
    (original, { specSelectors }) =>
    (_state, path, isOpen) =>
      original(path, isOpen || (path[0] === 'operations-tag' && path[1] === firstTag(specSelectors)));
  const firstTag = (specSelectors) => specSelectors.specJson().getIn(['tags', 0, 'name']);

  return {
    components: { Logo: brand },
    statePlugins: { layout: { wrapSelectors: { isShown } } },
    wrapComponents: {
      HttpAuth: (Original) => (props) => createElement(props.name in FORMS ? CredentialsForm : Original, props),
    },
  };
};
