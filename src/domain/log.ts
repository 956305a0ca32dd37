type Say = (fields: object, sentence: string) => void

/** The log for the operator. Fields never contain secrets, or URLs that may contain one. */
export interface Log {
  info: Say
  warn: Say
  error: Say
}
