/** What is wrong with an upstream, if it is one of the usual faults: people read it in their language. */
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

/** What a status of HTTP means; null if that depends on the request. */
export const faultOfStatus = (status: number): UpstreamFault | null => (status >= 500 ? 'failing' : null)

export type UpstreamFault = (typeof upstreamFaults)[number]

const isFault = (value: unknown): value is UpstreamFault => upstreamFaults.some(fault => fault === value)

/** What an error, or what caused it, says about an upstream; null if it is no usual fault. */
export function faultOf(error: unknown): UpstreamFault | null {
  if (!(error instanceof Error)) return null
  if ('fault' in error && isFault(error.fault)) return error.fault
  return faultOf(error.cause)
}

/** Why an upstream cannot be used: in its own words, which are English, and as a usual fault. */
export interface UpstreamProblem {
  reason: string
  fault: UpstreamFault | null
}

export const problemOf = (error: unknown): UpstreamProblem => ({
  reason: error instanceof Error ? error.message : String(error),
  fault: faultOf(error),
})
