/** A chain that could not be read when it was last looked at, or until it was read again. */
export interface BlindChain {
  chain: string
  /** the first and the last of the looks that have failed in a row, and how many they are */
  since: number
  failedAt: number
  failures: number
  /** when a look succeeded again; null while none has */
  readAt: number | null
  /** the merchants who were notified that the chain cannot be read */
  notified: string[]
}
