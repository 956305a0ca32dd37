type Say = (fields: object, sentence: string) => void

/** What the operator is told. Fields never hold secrets, nor URLs that may carry one. */
export interface Log {
  info: Say
  warn: Say
  error: Say
}
