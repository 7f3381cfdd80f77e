export const exitCodes = {
  done: 0,
  /** A capture failed, or the platform refused a request or does not respond. */
  failed: 1,
  /** The command line is wrong. */
  usage: 2,
  /** 128 plus the number of SIGINT, as in a shell. */
  interrupted: 130,
} as const;
