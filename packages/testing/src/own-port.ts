/** A port of 127.0.0.1 for a server that a test starts, ends and starts again: chosen as `npm start` chooses those of its own. */
export { findFreePort as findOwnPort } from '@capture/provisioning/free-port';
