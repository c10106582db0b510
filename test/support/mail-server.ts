import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly to: readonly string[];
  /** With headers, as it was sent. */
  readonly source: string;
}

/** An SMTP server on this machine, which requires a user name and a password, and can refuse mail. */
export async function startMailServer() {
  const mails: ReceivedMail[] = [];
  let refusals = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      username === 'assay' && password === 's3cret' ? done(null, { user: username }) : done(new Error('refused')),
    onData: (stream, session, done) => {
      void text(stream).then((source) => {
        if (refusals-- > 0) return done(Object.assign(new Error('try again later'), { responseCode: 450 }));
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), source });
        return done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://assay:s3cret@127.0.0.1:${port}`,
    mails,
    refuse: (count: number) => {
      refusals = count;
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The first link in the text of a mail. */
export const linkIn = ({ source }: ReceivedMail): string =>
  /https?:\/\/\S+/.exec(source.replaceAll(/=\r\n/g, '').replaceAll('=3D', '='))?.[0] ?? '';
