// An entry of the inbox is read when its link is opened. In this tab, the next page already counts it.
document.addEventListener('click', markRead);
document.addEventListener('auxclick', markRead);

function markRead(event) {
  const { target, button, ctrlKey, metaKey, shiftKey } = event;
  const link = target.closest?.('a[data-reads]');
  const form = link?.closest('li').querySelector('form');
  if (!form || button > 1) return;
  const body = new URLSearchParams(new FormData(form));
  const marked = fetch(form.action, { method: 'POST', body, keepalive: true, redirect: 'manual' });
  if (button === 1 || ctrlKey || metaKey || shiftKey) return;
  event.preventDefault();
  const open = () => location.assign(link.href);
  marked.then(open, open);
}

// The names of members after an `@` in a comment. The arrow keys choose one, Enter or Tab takes it, and Escape closes the list.
const MENTION = /(?:^|[^\p{L}\p{N}_])@([^@\n]{0,60})$/u;
const names = Object.assign(document.createElement('ul'), {
  id: 'mentions',
  className: 'dropdown-body mentions',
  hidden: true,
});
names.setAttribute('role', 'listbox');
names.setAttribute('aria-label', 'Members');

/** The field of the list, and what was typed after its `@`. */
let mentioning;
let request;
/** Nobody has a name that begins like this. */
let nobody;

const offered = () => [...names.children];
const typedIn = (field) => MENTION.exec(field.value.slice(0, field.selectionStart))?.[1];

function closeNames() {
  request?.abort();
  names.hidden = true;
  if (!mentioning) return;
  for (const name of ['role', 'aria-expanded', 'aria-controls', 'aria-autocomplete', 'aria-activedescendant'])
    mentioning.removeAttribute(name);
  mentioning = undefined;
}

function select(option) {
  for (const one of offered()) one.setAttribute('aria-selected', one === option);
  mentioning.setAttribute('aria-activedescendant', option.id);
  option.scrollIntoView({ block: 'nearest' });
}

async function offerNames(field) {
  const typed = typedIn(field);
  request?.abort();
  if (typed === undefined || (nobody !== undefined && typed.startsWith(nobody))) return closeNames();
  const { signal } = (request = new AbortController());
  await new Promise((resolve) => setTimeout(resolve, 120));
  if (signal.aborted) return;
  const answer = await fetch(`${field.dataset.mentions}?q=${encodeURIComponent(typed)}`, { signal });
  const html = answer.ok ? await answer.text() : '';
  if (signal.aborted || document.activeElement !== field) return;
  nobody = answer.ok && html === '' ? typed : undefined;
  if (html === '') return closeNames();
  names.innerHTML = html;
  names.hidden = false;
  field.after(names);
  mentioning = field;
  for (const [name, value] of [
    ['role', 'combobox'],
    ['aria-expanded', 'true'],
    ['aria-controls', 'mentions'],
    ['aria-autocomplete', 'list'],
  ])
    field.setAttribute(name, value);
  select(names.firstElementChild);
}

function take(option) {
  const field = mentioning;
  const end = field.selectionStart;
  field.setRangeText(`@${option.dataset.mention} `, end - typedIn(field).length - 1, end, 'end');
  closeNames();
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

document.addEventListener('input', ({ target }) => {
  if (target.dataset?.mentions) offerNames(target).catch(() => {});
});

document.addEventListener(
  'keydown',
  (event) => {
    if (names.hidden || event.target !== mentioning || event.isComposing) return;
    const all = offered();
    const at = all.findIndex((one) => one.getAttribute('aria-selected') === 'true');
    const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
    if (next !== undefined) select(all.at(next % all.length));
    else if (event.key === 'Enter' || event.key === 'Tab') take(all[at]);
    else if (event.key === 'Escape') closeNames();
    else return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

// The field keeps the focus while a name is clicked.
names.addEventListener('mousedown', (event) => event.preventDefault());
names.addEventListener('click', ({ target }) => target.closest('li') && take(target.closest('li')));
document.addEventListener('focusout', ({ target }) => target === mentioning && closeNames());
