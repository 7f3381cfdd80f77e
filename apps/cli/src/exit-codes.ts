/** What the command line ends with. */
export const exitCodes = {
  done: 0,
  /** Some of it failed, or the platform refused or does not answer. */
  failed: 1,
  /** The call itself is wrong. */
  usage: 2,
  /** 128 and the number of SIGINT, as a shell has it. */
  interrupted: 130,
} as const;
