import type { DeliveryOutcome } from '../domain/webhook.ts'

export interface PostResult {
  httpStatus: number | null
  outcome: DeliveryOutcome
  durationMs: number
}

/** Requests to URLs that merchants set. They never reach a private network. */
export interface Outbound {
  /**
   * Refuses a URL that is malformed or has credentials, a fragment or the wrong scheme (400), or that leads
   * to a private or internal host (422). With `resolve` the name is resolved too; an unknown one is accepted.
   */
  check(url: string, at: string, resolve: boolean): Promise<void>
  /**
   * Refuses the URL of an image in the same way, but accepts plain http and a fragment. The name is not
   * resolved: only buyers' browsers load the image.
   */
  checkImage(url: string, at: string): void
  /**
   * Sends a body once: without redirects, within ten seconds, to a resolved address that is checked and
   * pinned. Never throws.
   */
  post(url: string, headers: Record<string, string>, body: string): Promise<PostResult>
}
