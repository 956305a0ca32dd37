import type { Texts } from './texts/types.ts'

/** A page of the menu, and the access that it requires. */
export interface NavItem {
  key: keyof Texts['frame']['nav']
  path: string
  access: 'person' | 'viewer' | 'staff' | 'owner' | 'operator'
}

/** Related pages of the menu. The first group has no name. */
interface NavGroup {
  name: keyof Texts['frame']['navGroups'] | null
  items: readonly NavItem[]
}

/** The menu. The route of each page checks the access as well. */
export const navGroups: readonly NavGroup[] = [
  { name: null, items: [{ key: 'overview', path: '/dashboard', access: 'person' }] },
  {
    name: 'sales',
    items: [
      { key: 'orders', path: '/dashboard/orders', access: 'viewer' },
      { key: 'counter', path: '/dashboard/counter', access: 'staff' },
      { key: 'invoices', path: '/dashboard/invoices', access: 'viewer' },
      { key: 'unmatched', path: '/dashboard/unmatched', access: 'viewer' },
      { key: 'products', path: '/dashboard/products', access: 'viewer' },
      { key: 'customers', path: '/dashboard/customers', access: 'viewer' },
      { key: 'reports', path: '/dashboard/reports', access: 'viewer' },
    ],
  },
  {
    name: 'shop',
    items: [
      { key: 'payouts', path: '/dashboard/payouts', access: 'viewer' },
      { key: 'cards', path: '/dashboard/cards', access: 'owner' },
      { key: 'endpoints', path: '/dashboard/endpoints', access: 'operator' },
      { key: 'notices', path: '/dashboard/notices', access: 'viewer' },
      { key: 'settings', path: '/dashboard/settings', access: 'owner' },
      { key: 'people', path: '/dashboard/people', access: 'owner' },
    ],
  },
  {
    name: 'integration',
    items: [
      { key: 'developers', path: '/dashboard/developers', access: 'owner' },
      { key: 'deliveries', path: '/dashboard/deliveries', access: 'staff' },
    ],
  },
  {
    name: null,
    items: [
      { key: 'server', path: '/dashboard/server', access: 'operator' },
      { key: 'account', path: '/dashboard/account', access: 'person' },
    ],
  },
]
