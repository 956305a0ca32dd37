/** True if a host name, as `URL` spells it, is this machine. A name that only begins like one may not be. */
export const isLoopback = (hostname: string): boolean =>
  /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname)
