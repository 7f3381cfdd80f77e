// Runs the server of the corpus in a separate process: node serve.js [folder with the libraries], with an IPC channel. Every
// command returns the server's port.
import { serveCommands } from '@capture/testing/processes/serve-commands';
import { openServer } from './server.ts';

const { port } = await openServer(process.argv[2]);
serveCommands(() => port);
