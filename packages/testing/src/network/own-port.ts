/** A free port of 127.0.0.1, chosen as `npm start` does: for a server that restarts, or a URL where nothing listens. */
export { findFreePort as findOwnPort } from '@capture/provisioning/free-port';
