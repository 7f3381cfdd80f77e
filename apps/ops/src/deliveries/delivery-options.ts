// These options belong to several delivery commands.

export const byAccount = ['--account <id>', 'only deliveries of this account'] as const;
export const byWebhook = ['--webhook <id>', 'only deliveries to this registered endpoint'] as const;
export const until = ['--until <time>', 'only deliveries created before this time'] as const;
export const times = 'Times: 2026-11-20T10:00:00Z, or how long ago: 90m, 24h, 7d.';
