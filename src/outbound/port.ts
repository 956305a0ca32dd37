import type { DeliveryOutcome } from '../domain/webhook.ts'

export interface HttpAnswer {
  httpStatus: number | null
  outcome: DeliveryOutcome
  durationMs: number
}

/** Requests to addresses that merchants name: nothing private is ever reached. */
export interface Outbound {
  /**
   * Refuses a URL that is malformed, holds credentials or a fragment or the wrong scheme (400), or that leads
   * to a private or internal place (422). With `resolve` the names are looked up too; a name that is not
   * found passes.
   */
  check(url: string, at: string, resolve: boolean): Promise<void>
  /**
   * Sends a body, once: no redirects, ten seconds, the resolved address checked again and pinned. Never
   * throws.
   */
  post(url: string, headers: Record<string, string>, body: string): Promise<HttpAnswer>
}
