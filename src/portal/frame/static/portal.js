// Pages work without this script. It tells the server the time zone, for the next page.
document.cookie = `time-zone=${encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)}; path=/; max-age=31536000; samesite=lax`;

// Buttons that copy the text of an element. A page with a secret that was not copied asks before it is left.
const uncopied = new Set(document.querySelectorAll('[data-secret]'));
for (const button of document.querySelectorAll('button[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const source = document.getElementById(button.dataset.copy);
    getSelection().selectAllChildren(source);
    document.execCommand('copy');
    button.textContent = 'Copied';
    uncopied.delete(source);
  });
}
for (const source of uncopied) source.addEventListener('copy', () => uncopied.delete(source));
addEventListener('beforeunload', (event) => {
  if (uncopied.size > 0) event.preventDefault();
});

// A preview of a form needs none of its files.
document.addEventListener('htmx:config:request', ({ detail: { ctx } }) => {
  const { body } = ctx.request;
  const files = [...body].filter(([, value]) => value instanceof File);
  for (const [name] of files) body.delete(name);
});

// The selection of a list: how many are selected, and all at once.
const boxes = () => [...document.querySelectorAll('.bulk tbody input[type=checkbox]')];

function showSelection() {
  const checked = boxes().filter((box) => box.checked);
  // The findings of the opened group are in the number of its own box.
  const isOfGroup = (box) =>
    box.closest('.of-group') && document.querySelector('.group:has([aria-expanded=true]) :checked');
  const selected = checked
    .filter((box) => !isOfGroup(box))
    .reduce((sum, box) => sum + Number(box.dataset.count ?? 1), 0);
  const count = document.querySelector('.selected-count');
  const isOfFilter = document.querySelector('.select-filter :checked') !== null;
  if (count)
    count.textContent = isOfFilter ? 'All of this filter selected' : `${selected.toLocaleString('en')} selected`;
  const selectAll = document.querySelector('#select-all');
  if (!selectAll) return;
  selectAll.hidden = false;
  selectAll.checked = checked.length > 0 && checked.length === boxes().length;
  selectAll.indeterminate = checked.length > 0 && checked.length < boxes().length;
}

document.addEventListener('change', ({ target }) => {
  if (target.id === 'select-all') for (const box of boxes()) box.checked = target.checked;
  if (target.closest('.bulk')) showSelection();
});
// The browser may have kept the checkboxes of the page before.
addEventListener('pageshow', showSelection);
document.addEventListener('htmx:after:swap', showSelection);

// Fields of another choice are not shown.
function showFieldsOfChoices() {
  for (const part of document.querySelectorAll('[data-of-choice]')) {
    const [name, ...values] = part.dataset.ofChoice.split(' ');
    part.hidden = !values.includes(part.closest('form').elements[name].value);
  }
}
document.addEventListener('change', showFieldsOfChoices);
addEventListener('pageshow', showFieldsOfChoices);

// A menu closes when another opens, and with Escape.
document.addEventListener(
  'toggle',
  ({ target }) => {
    if (!target.open || !target.matches('details.dropdown')) return;
    for (const menu of document.querySelectorAll('details.dropdown[open]')) if (menu !== target) menu.open = false;
  },
  true,
);

document.addEventListener('pointerdown', ({ target }) => {
  for (const menu of document.querySelectorAll('details.dropdown[open]')) if (!menu.contains(target)) menu.open = false;
});

/** Opens the menus, panels and popovers that an element is in. */
function openAround(element) {
  for (let part = element; part; part = part.parentElement) {
    if (part.matches('details')) part.open = true;
    if (part.matches('[popover]:not(:popover-open)')) part.showPopover();
  }
}

// A link opens the form that it names, also in a menu.
function openNamed() {
  const named = document.getElementById(location.hash.slice(1));
  if (!named?.matches('details, [popover]')) return;
  openAround(named);
  named.querySelector('input:not([type=hidden]), textarea, select')?.focus();
}

addEventListener('hashchange', openNamed);
openNamed();

// Keys. Screen readers in reading mode keep single letters for themselves, so these do not disturb them.
const rows = () => [...document.querySelectorAll('.findings tbody tr')];
const current = () => rows().findIndex((row) => row.contains(document.activeElement));

function move(by) {
  const all = rows();
  const next = all[Math.min(Math.max(current() + by, 0), all.length - 1)];
  next?.querySelector('.title a')?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

const KEYS = {
  j: () => move(1),
  k: () => move(-1),
  x: () => rows()[current()]?.querySelector('input[type=checkbox]')?.click(),
  '/': () => document.querySelector('input[type=search]')?.focus(),
  '?': () => document.querySelector('#keys')?.showModal(),
};

// The palette of commands: a field, and links and forms below it, between which the arrows move the focus.
const palette = document.querySelector('#palette');
const paletteField = palette?.querySelector('input');
const choices = () => [...palette.querySelectorAll('a, button')];

function togglePalette() {
  const { open } = palette;
  document.querySelector('dialog[open]')?.close();
  if (open) return;
  paletteField.value = '';
  palette.showModal();
  // Keys may be faster than htmx, which prepares a page after its scripts have run.
  htmx.process(palette);
  htmx.trigger(paletteField, 'open');
}

function moveInPalette(event) {
  const stops = [paletteField, ...choices()];
  const at = stops.indexOf(document.activeElement);
  const next = { ArrowDown: at + 1, ArrowUp: at - 1 }[event.key];
  if (next !== undefined) {
    event.preventDefault();
    stops.at(next % stops.length).focus();
  } else if (event.key.length === 1 && event.key !== ' ' && !event.ctrlKey && !event.metaKey) paletteField.focus();
}

if (palette) {
  const field = paletteField;
  const [, results] = palette.children;
  const button = document.querySelector('#open-palette');
  let isChosen = false;
  /** Not before the choices are those for the text of the field. */
  const choose = () => {
    if (!isChosen || results.firstElementChild?.dataset.text !== field.value.trim()) return;
    isChosen = false;
    choices()[0]?.click();
  };
  button.hidden = false;
  button.addEventListener('click', togglePalette);
  palette.addEventListener('keydown', moveInPalette);
  field.addEventListener('input', () => (isChosen = false));
  field.addEventListener('htmx:after:swap', choose);
  field.form.addEventListener('submit', (event) => {
    event.preventDefault();
    // Enter alone must not send the first form.
    isChosen = field.value.trim() !== '';
    choose();
  });
  palette.addEventListener('click', ({ target }) => {
    const link = target.closest('a[href*="#"]');
    const isHere = link?.pathname === location.pathname;
    if (isHere || target === palette) palette.close();
    // The address may have named it before.
    if (isHere && link.hash === location.hash) openNamed();
  });
}

const isField = (element) => element.matches('input:not([type=checkbox]), select, textarea, [contenteditable]');

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  if (key === 'Escape') {
    const menu = target.closest?.('details.dropdown[open]');
    if (menu) {
      menu.open = false;
      menu.querySelector('summary').focus();
    }
    return;
  }
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'k' && palette) {
    event.preventDefault();
    togglePalette();
  }
  if (ctrlKey || metaKey || altKey || !Object.hasOwn(KEYS, key)) return;
  if (isField(target) || document.querySelector('dialog[open]')) return;
  event.preventDefault();
  KEYS[key]();
});

const POLL_MS = 2_000;
const SILENCE_MS = 10_000;

/** The parts of the page that are followed, each with the function that ends it. */
const followed = new Map();

/** Shows what the server sends. Where no stream arrives, such as behind a proxy that collects it, it asks from time to time. */
function follow(part) {
  const { stream, page } = part.dataset;
  const source = new EventSource(stream);
  let polls;
  // A menu in which a person chooses stays open.
  const ask = () =>
    document.querySelector('#live .dropdown[open]')
      ? setTimeout(ask, POLL_MS)
      : htmx.ajax('GET', page, { target: '#live', swap: 'outerMorph' });
  const poll = () => {
    source.close();
    polls ??= setInterval(ask, POLL_MS);
  };
  const silence = setTimeout(poll, SILENCE_MS);
  source.addEventListener('message', ({ data }) => {
    clearTimeout(silence);
    htmx.swap({ text: data, target: part, sourceElement: part, swap: 'innerMorph' });
  });
  source.addEventListener('end', () => {
    stop(part);
    ask();
  });
  source.addEventListener('error', () => source.readyState === EventSource.CLOSED && poll());
  followed.set(part, {
    stream,
    end() {
      source.close();
      clearTimeout(silence);
      clearInterval(polls);
    },
  });
}

function stop(part) {
  followed.get(part)?.end();
  followed.delete(part);
}

/** After each change of the page: ends what has left it, and follows what is new. */
function followParts() {
  for (const [part, { stream }] of followed) if (!part.isConnected || part.dataset.stream !== stream) stop(part);
  for (const part of document.querySelectorAll('[data-stream]')) if (!followed.has(part)) follow(part);
}

document.addEventListener('htmx:after:swap', followParts);
followParts();

/** Counts the seconds of running work. The server sends the number at the beginning. */
setInterval(() => {
  for (const element of document.querySelectorAll('[data-elapsed]')) {
    const seconds = (element.dataset.elapsed = Number(element.dataset.elapsed) + 1);
    element.textContent = seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
}, 1_000);
