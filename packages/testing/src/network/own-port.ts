/** Finds a free port of 127.0.0.1 as `npm start` does: for a server that restarts, or a URL where no server listens. */
export { findFreePort as findOwnPort } from '@capture/provisioning/free-port';
