const express = require('express');

// The pages and errors of an application on Express with its defaults, and an API.
const app = express();
app.use(express.json());
app.get('/', (_request, response) => {
  response.cookie('connect.sid', 's%3Aabc.def', { httpOnly: true });
  response.send('<!doctype html><title>Notes</title><h1>Notes</h1><a href="/notes?id=1">A note</a>');
});
app.get('/notes', (request, response) => {
  if (request.query.id !== '1') throw new Error('There is no such note');
  response.send('<!doctype html><title>A note</title><h1>A note</h1>');
});
app.get('/api/notes', (_request, response) => response.json([{ id: 1, text: 'A note' }]));
app.post('/api/login', (_request, response) => response.status(401).json({ error: 'Wrong user name or password' }));
app.use('/api', (_request, response) => response.status(500).json({ message: 'Unexpected path' }));
app.use((error, _request, response, _next) => response.status(500).send(`<pre>${error.message}</pre>`));
app.listen(Number(process.argv[2]), '127.0.0.1');
