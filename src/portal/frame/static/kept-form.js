// What was typed into a form when its session ended is kept in this tab for an hour, without passwords, secrets and files. The
// page shows it again when the same user has signed in, and never sends it by itself.
const KEPT = 'kept-form';
const KEPT_MS = 3_600_000;
const { user } = document.body.dataset;
const signOuts = new BroadcastChannel('sign-out');
let typedForm;

const isKept = ({ name, type, autocomplete, dataset }) =>
  name &&
  !['hidden', 'password', 'file', 'submit', 'button', 'fieldset'].includes(type) &&
  autocomplete !== 'one-time-code' &&
  dataset.unkept === undefined;

const isCheckable = ({ type }) => type === 'checkbox' || type === 'radio';
const pageOf = (form) => form.elements.form_page?.value ?? location.pathname + location.search;
/** Not `form.action`, which may be a field of this name. */
const actionOf = (form) => form?.getAttribute('method') === 'post' && form.getAttribute('action');
const formsTo = (action) => [...document.forms].filter((form) => actionOf(form) === action);

/** The fields, by a key that is the same when the page is loaded again. */
function fieldsOf(form) {
  const fields = new Map();
  for (const field of [...form.elements].filter(isKept)) {
    const { name } = field;
    const same = [...form.elements].filter((one) => one.name === name);
    fields.set(isCheckable(field) ? `${name}=${field.value}` : `${name} ${same.indexOf(field)}`, field);
  }
  return fields;
}

const stateOf = (field) =>
  isCheckable(field)
    ? field.checked
    : field.multiple
      ? [...field.selectedOptions].map(({ value }) => value)
      : field.value;

function setState(field, state) {
  if (isCheckable(field)) field.checked = state;
  else if (field.multiple) for (const option of field.options) option.selected = state.includes(option.value);
  else field.value = state;
}

function forget() {
  typedForm = undefined;
  sessionStorage.removeItem(KEPT);
}

function keep() {
  if (!user || !typedForm?.isConnected) return;
  const fields = [...fieldsOf(typedForm)].map(([key, field]) => [key, stateOf(field)]);
  const action = actionOf(typedForm);
  const position = formsTo(action).indexOf(typedForm);
  sessionStorage.setItem(
    KEPT,
    JSON.stringify({ user, page: pageOf(typedForm), action, position, fields, at: Date.now() }),
  );
}

function say(container, text) {
  const line = document.createElement('p');
  line.className = 'notice-line';
  line.setAttribute('role', 'status');
  line.textContent = text;
  container.prepend(line);
}

function show({ action, position, fields }) {
  const form = formsTo(action)[position];
  if (!form) return;
  const now = fieldsOf(form);
  for (const [key, state] of fields) if (now.has(key)) setState(now.get(key), state);
  say(form, 'Your session had ended. This is what you had typed: it has not been sent.');
  openAround(form);
  form.querySelector('.notice-line').scrollIntoView({ block: 'center' });
  // The session may end once more.
  forget();
  typedForm = form;
}

function showKept() {
  const kept = JSON.parse(sessionStorage.getItem(KEPT) ?? 'null');
  if (kept === null) return;
  const isSignIn = !user && location.pathname.startsWith('/sign-in');
  if (Date.now() - kept.at > KEPT_MS || (user && (user !== kept.user || !kept.isLost))) forget();
  else if (isSignIn && !kept.isLost) {
    sessionStorage.setItem(KEPT, JSON.stringify({ ...kept, isLost: true }));
    say(
      document.querySelector('#content section'),
      'Your session has ended. What you typed is shown again after you sign in.',
    );
  } else if (user && kept.page === location.pathname + location.search) show(kept);
}

document.addEventListener('input', ({ target }) => {
  if (actionOf(target.form)) typedForm = target.form;
});
document.addEventListener('submit', ({ target }) => {
  if (actionOf(target) !== '/sign-out') return;
  forget();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origin
  signOuts.postMessage(null);
});
signOuts.addEventListener('message', forget);
addEventListener('pagehide', keep);
addEventListener('pageshow', showKept);
