import type { Context } from '../../operations/context.ts'

/** The page of a link for one person; null for somebody who needs none. */
export const linkUrl = ({ policy }: Pick<Context, 'policy'>, token: string | null): string | null =>
  token === null ? null : `${policy.dashboardUrl}/dashboard/link/${token}`
