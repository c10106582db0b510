// Pages work without this script. It tells the server the time zone, for the next page.
document.cookie = `time-zone=${encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)}; path=/; max-age=31536000; samesite=lax`;
