import type { Texts } from './texts/types.ts'

/** A page of the menu, and who sees it there. */
interface NavItem {
  key: keyof Texts['frame']['nav']
  path: string
  access: 'person' | 'viewer' | 'staff' | 'owner'
}

/** The menu. The route of each page checks the access again. */
export const navItems: readonly NavItem[] = [
  { key: 'overview', path: '/dashboard', access: 'person' },
  { key: 'orders', path: '/dashboard/orders', access: 'viewer' },
  { key: 'unmatched', path: '/dashboard/unmatched', access: 'viewer' },
  { key: 'products', path: '/dashboard/products', access: 'viewer' },
  { key: 'customers', path: '/dashboard/customers', access: 'viewer' },
  { key: 'reports', path: '/dashboard/reports', access: 'viewer' },
  { key: 'payouts', path: '/dashboard/payouts', access: 'viewer' },
  { key: 'developers', path: '/dashboard/developers', access: 'owner' },
  { key: 'deliveries', path: '/dashboard/deliveries', access: 'staff' },
  { key: 'notices', path: '/dashboard/notices', access: 'viewer' },
  { key: 'settings', path: '/dashboard/settings', access: 'owner' },
  { key: 'people', path: '/dashboard/people', access: 'owner' },
  { key: 'account', path: '/dashboard/account', access: 'person' },
]
