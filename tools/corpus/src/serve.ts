// The server of the corpus in a process of its own.
//   node serve.js [folder with the libraries], with an IPC channel: every command returns its port.
import { serveCommands } from '@capture/testing/processes/serve-commands';
import { openServer } from './server.ts';

const { port } = await openServer(process.argv[2]);
serveCommands(() => port);
