// Options that more than one command about deliveries takes.

export const byAccount = ['--account <id>', 'only those of this account'] as const;
export const byWebhook = ['--webhook <id>', 'only those to this registered endpoint'] as const;
export const until = ['--until <time>', 'only those created before then'] as const;
export const times = 'Times are like 2026-11-20T10:00:00Z, or how long ago: 90m, 24h, 7d.';
