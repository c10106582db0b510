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
