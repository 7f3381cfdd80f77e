import type { Session } from '../api/responses.ts';
import {
  type Icon,
  IconActivity,
  IconBookmark,
  IconCamera,
  IconChartBar,
  IconKey,
  IconLayoutDashboard,
  IconLink,
  IconPhoto,
  IconRefresh,
  IconSend,
  IconServer,
  IconStack2,
  IconStack3,
  IconUsers,
  IconWebhook,
} from '../ui/icons.tsx';

export interface NavItem {
  path: string;
  label: string;
  icon: Icon;
  /** The role whose users see the page. */
  role: Session['role'];
  /** Whether the page is shown only if accounts can register endpoints. */
  registration?: true;
}

export const navItems: readonly NavItem[] = [
  { path: '/playground', label: 'Playground', icon: IconCamera, role: 'account' },
  { path: '/captures', label: 'Captures', icon: IconPhoto, role: 'account' },
  { path: '/batches', label: 'Batches', icon: IconStack2, role: 'account' },
  { path: '/presets', label: 'Presets', icon: IconBookmark, role: 'account' },
  { path: '/links', label: 'Render links', icon: IconLink, role: 'account' },
  { path: '/webhooks', label: 'Webhooks', icon: IconWebhook, role: 'account' },
  { path: '/deliveries', label: 'Deliveries', icon: IconSend, role: 'account', registration: true },
  { path: '/usage', label: 'Usage', icon: IconChartBar, role: 'account' },
  { path: '/keys', label: 'API keys', icon: IconKey, role: 'account' },

  { path: '/operator', label: 'Overview', icon: IconLayoutDashboard, role: 'operator' },
  { path: '/operator/accounts', label: 'Accounts', icon: IconUsers, role: 'operator' },
  { path: '/operator/captures', label: 'Captures', icon: IconPhoto, role: 'operator' },
  { path: '/operator/deliveries', label: 'Deliveries', icon: IconSend, role: 'operator', registration: true },
  { path: '/operator/queues', label: 'Queues', icon: IconStack3, role: 'operator' },
  { path: '/operator/processes', label: 'Processes', icon: IconServer, role: 'operator' },
  { path: '/operator/activity', label: 'Activity', icon: IconActivity, role: 'operator' },
  { path: '/operator/cleanup-jobs', label: 'Cleanup jobs', icon: IconRefresh, role: 'operator' },
];

/** The first page after signing in. */
export const homeOf = (role: Session['role']): string => (role === 'account' ? '/playground' : '/operator');
