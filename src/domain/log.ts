/** `event` is a stable name such as "upstream.unavailable"; every fact is a field. */
type LogMethod = (fields: object, event: string) => void

/** The log for the operator. Fields never contain secrets, or URLs that may contain one. */
export interface Log {
  debug: LogMethod
  info: LogMethod
  warn: LogMethod
  error: LogMethod
}
