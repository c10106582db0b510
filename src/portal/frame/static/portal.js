// Pages work without this script. It tells the server the time zone, for the next page.
document.cookie = `time-zone=${encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)}; path=/; max-age=31536000; samesite=lax`;

const POLL_MS = 2_000;
const SILENCE_MS = 10_000;

/** The parts of the page that are followed, each with the function that ends it. */
const followed = new Map();

/** Shows what the server sends. Where no stream arrives, such as behind a proxy that collects it, it asks from time to time. */
function follow(part) {
  const { stream, page } = part.dataset;
  const source = new EventSource(stream);
  let polls;
  const ask = () => htmx.ajax('GET', page, { target: '#live', swap: 'outerMorph' });
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

async function copy(button) {
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  button.textContent = 'Copied';
}

/** Buttons that copy a text stay hidden without scripts, and where the browser does not let pages copy, as without TLS. */
for (const button of navigator.clipboard ? document.querySelectorAll('button[data-copy]') : []) {
  button.hidden = false;
  button.addEventListener('click', () => void copy(button));
}
