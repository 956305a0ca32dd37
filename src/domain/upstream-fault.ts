/** Usual faults of upstreams, which people read in their language. */
const upstreamFaults = [
  'unreachable',
  'silent',
  'limited',
  'denied',
  'private',
  'wrongChain',
  'behind',
  'malformed',
  'failing',
  'noPrice',
] as const

/** The fault that an HTTP status means; null if it depends on the request. */
export const faultOfStatus = (status: number): UpstreamFault | null => (status >= 500 ? 'failing' : null)

export type UpstreamFault = (typeof upstreamFaults)[number]

const isFault = (value: unknown): value is UpstreamFault => upstreamFaults.some(fault => fault === value)

/** The usual fault that an error or its causes show; null if there is none. */
export function faultOf(error: unknown): UpstreamFault | null {
  if (!(error instanceof Error)) return null
  if ('fault' in error && isFault(error.fault)) return error.fault
  return faultOf(error.cause)
}

/** The reason why an upstream cannot be used: the error message, in English, and its usual fault. */
export interface UpstreamProblem {
  reason: string
  fault: UpstreamFault | null
}

export const problemOf = (error: unknown): UpstreamProblem => ({
  reason: error instanceof Error ? error.message : String(error),
  fault: faultOf(error),
})
