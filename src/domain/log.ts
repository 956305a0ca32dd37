/** `event` is a stable name such as "upstream.unavailable"; everything else is a field. */
type LogMethod = (fields: object, event: string) => void

/** The operator's log. Fields never contain secrets, nor URLs that may contain one. */
export interface Log {
  debug: LogMethod
  info: LogMethod
  warn: LogMethod
  error: LogMethod
}
