// A mail server for tests: the package `smtp-server`. It prints its port, and then a line of JSON for
// each message that it took.
//
//     node mail_server.mjs FOLDER_WITH_NODE_MODULES plain|encrypted
//
// Plain, it asks for the user `judge` and its password. Mail to `later@` is refused for the moment, once
// for each subject; mail to `never@` for good.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const [folder, mode] = process.argv.slice(2);
const require = createRequire(`${folder}/package.json`);
const { SMTPServer } = (await import(pathToFileURL(require.resolve('smtp-server')))).default;

// The body as text: lines with letters beyond ASCII are sent in base64 or quoted-printable.
const readable = (text) => {
  const at = text.indexOf('\r\n\r\n');
  const [head, body] = [text.slice(0, at), text.slice(at + 4)];
  const encoding = /^Content-Transfer-Encoding: (.*)$/im.exec(head)?.[1].trim().toLowerCase();
  const hex = (_, code) => String.fromCharCode(parseInt(code, 16));
  const decoded =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : encoding === 'quoted-printable'
        ? Buffer.from(body.replaceAll('=\r\n', '').replace(/=([0-9A-F]{2})/g, hex), 'latin1')
        : Buffer.from(body);
  return { head, body: decoded.toString('utf8').replaceAll('\r\n', '\n') };
};

const refused = (code, text) => Object.assign(new Error(text), { responseCode: code });
const delayed = new Set();
const server = new SMTPServer({
  secure: mode === 'encrypted',
  hideSTARTTLS: true,
  allowInsecureAuth: true,
  disableReverseLookup: true,
  onAuth({ username, password }, _, done) {
    const known = username === 'judge' && password === 'hush';
    done(known ? null : refused(535, 'who are you?'), { user: username });
  },
  onRcptTo({ address }, _, done) {
    done(address.startsWith('never@') ? refused(550, 'nobody is called that') : null);
  },
  onData(stream, session, done) {
    const parts = [];
    stream.on('data', (part) => parts.push(part));
    stream.on('end', () => {
      const text = Buffer.concat(parts).toString('utf8');
      const { mailFrom, rcptTo } = session.envelope;
      const to = rcptTo.map(({ address }) => address);
      const subject = /^Subject: .*$/m.exec(text)?.[0];
      if (to[0].startsWith('later@') && !delayed.has(subject)) {
        delayed.add(subject);
        return done(refused(451, 'come back later'));
      }
      console.log(JSON.stringify({ from: mailFrom.address, to, ...readable(text) }));
      return done();
    });
  },
});
server.on('error', () => {});
server.listen(0, '127.0.0.1', () => console.log(server.server.address().port));
