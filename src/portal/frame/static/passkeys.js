// Passkeys. A button asks the browser for one, and sends its form with the answer.
const PROBLEMS = {
  NotAllowedError: 'No passkey was used. Try again.',
  InvalidStateError: 'This device has a passkey of yours already.',
};

async function askForPasskey(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error('This page has expired, or passkeys are not available. Load it again.');
  const options = await answer.json();
  const publicKey = options.rp
    ? PublicKeyCredential.parseCreationOptionsFromJSON(options)
    : PublicKeyCredential.parseRequestOptionsFromJSON(options);
  const credential = await navigator.credentials[options.rp ? 'create' : 'get']({ publicKey });
  return JSON.stringify(credential);
}

for (const button of document.querySelectorAll('button[data-passkey]')) {
  if (!window.PublicKeyCredential?.parseRequestOptionsFromJSON) break;
  const { form } = button;
  const [, , hint, problem] = button.parentElement.children;
  button.hidden = false;
  hint.hidden = true;
  // Enter in a field of a form that has no other button, or in which a code can be given and is not.
  form.addEventListener('submit', (event) => {
    if (event.submitter && form.elements.code?.value !== '') return;
    event.preventDefault();
    button.click();
  });
  const ask = async () => {
    problem.hidden = true;
    button.disabled = true;
    try {
      form.elements.response.value = await askForPasskey(button.dataset.passkey);
      form.submit();
    } catch ({ name, message }) {
      problem.textContent = PROBLEMS[name] ?? message;
      problem.hidden = false;
    } finally {
      button.disabled = false;
    }
  };
  button.addEventListener('click', () => {
    if (form.reportValidity()) void ask();
  });
}
