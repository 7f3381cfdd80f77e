// Speaks TLS before a receiver that does not, to try webhooks on one machine; in production that is your proxy's work.
//   node docs/examples/receivers/tls.mjs cert.pem key.pem 8443 8000
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createServer } from 'node:tls';

const [certificate, key, port, receiverPort] = process.argv.slice(2);

createServer({ cert: readFileSync(certificate), key: readFileSync(key) }, (client) => {
  const receiver = connect(Number(receiverPort), '127.0.0.1');
  client.pipe(receiver).pipe(client);
  client.on('error', () => receiver.destroy());
  receiver.on('error', () => client.destroy());
}).listen(Number(port), '127.0.0.1');
