import { isLoopback } from '../domain/loopback.ts'
import type { Context } from '../operations/context.ts'

/** The host name in the URL of a request, which comes from the Host header. */
const hostNameIn = (url: string): string => new URL(url).hostname

const isOfBuyers = (path: string): boolean => /^\/(?:$|pay\/|payment\/|checkout\/)/.test(path)

/** The hosts that may answer for the dashboard, and for the pages of buyers. */
export interface Hosts {
  /** true if the dashboard may answer a request */
  hasDashboard(url: string): boolean
  /** true if the pages of buyers may answer a request for this path */
  hasBuyerPage(url: string, path: string): boolean
}

/**
 * The hosts of the dashboard and of the pages of buyers; null if both have one host name, because both then
 * answer at any host. A dashboard with a host name of its own answers only there, and the pages of buyers do
 * not: browsers isolate the pages of two hosts, so that a fault in one page cannot act in the other. On this
 * machine both answer, also because a proxy may pass on requests without their host. Ports do not count,
 * because proxies drop them.
 */
export function hostsOf({ checkoutUrl, dashboardUrl }: Context['policy']): Hosts | null {
  const own = hostNameIn(dashboardUrl)
  if (own === hostNameIn(checkoutUrl)) return null
  return {
    hasDashboard(url) {
      const name = hostNameIn(url)
      return name === own || isLoopback(name)
    },
    hasBuyerPage: (url, path) => !isOfBuyers(path) || hostNameIn(url) !== own || isLoopback(own),
  }
}
