import {
  type Icon,
  IconCamera,
  IconChartBar,
  IconKey,
  IconPhoto,
  IconSend,
  IconStack2,
  IconWebhook,
} from '@tabler/icons-react';
import type { Session } from '../api/answers.ts';

export interface Place {
  path: string;
  label: string;
  icon: Icon;
  /** Whose place it is. */
  role: Session['role'];
  /** Only where accounts register endpoints. */
  registration?: true;
}

/** Where one can go, in the order of the navigation. */
export const places: readonly Place[] = [
  { path: '/playground', label: 'Playground', icon: IconCamera, role: 'account' },
  { path: '/captures', label: 'Captures', icon: IconPhoto, role: 'account' },
  { path: '/batches', label: 'Batches', icon: IconStack2, role: 'account' },
  { path: '/webhooks', label: 'Webhooks', icon: IconWebhook, role: 'account' },
  { path: '/deliveries', label: 'Deliveries', icon: IconSend, role: 'account', registration: true },
  { path: '/usage', label: 'Usage', icon: IconChartBar, role: 'account' },
  { path: '/keys', label: 'API keys', icon: IconKey, role: 'account' },
];
