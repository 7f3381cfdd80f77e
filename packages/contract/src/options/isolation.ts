/** What a capture shares with others of its account, from most to nothing: see the option `isolation`. */
export const isolationLevels = ['account', 'site', 'strict'] as const;

export type IsolationLevel = (typeof isolationLevels)[number];
