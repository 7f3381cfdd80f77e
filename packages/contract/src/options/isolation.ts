/** What captures of one account share with each other, from most to nothing: see the option `isolation`. */
export const isolationLevels = ['account', 'site', 'strict'] as const;

export type IsolationLevel = (typeof isolationLevels)[number];
