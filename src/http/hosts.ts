import type { Context } from '../operations/context.ts'

/** The host name in the URL of a request, which has it from the Host header. */
const hostNameIn = (url: string): string => new URL(url).hostname

const isLoopback = (name: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(name)

const isOfBuyers = (path: string): boolean => /^\/(?:$|pay\/|payment\/|checkout\/)/.test(path)

/** Which hosts answer for which pages. */
export interface Hosts {
  /** true if the dashboard may answer a request */
  hasDashboard(url: string): boolean
  /** true if the pages of buyers may answer a request for this path */
  hasBuyerPage(url: string, path: string): boolean
}

/**
 * A dashboard with a host name of its own answers there alone, and pages of buyers do not: browsers keep the
 * pages of two hosts apart, so that a fault in the one cannot act in the other. On this machine both answer,
 * also because a proxy may pass on requests without their host. Ports do not count, since proxies drop them.
 * Null if both have one host name: then they answer at any.
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
