/** A certificate for HTTPS, with its private key. */
export interface Certificate {
  /** PEM */
  key: string
  /** PEM: the server's certificate, then those that lead to a root */
  chain: string
  names: string[]
  notBefore: number
  notAfter: number
}

/** What doctor, notifications and metrics need of the certificate of a server. */
export interface CertificateState {
  /** names that the server should have */
  names: readonly string[]
  /** null until the first certificate was issued */
  certificate: Pick<Certificate, 'names' | 'notBefore' | 'notAfter'> | null
  /** why the last try failed, in English; null if it succeeded */
  problem: string | null
  /** when to try again after a failure; null if none failed */
  retryAt: number | null
}

/** `fetch` of the platform, which trusts the CA certificates of the settings. */
export type AcmeFetch = (url: string, init?: RequestInit) => Promise<Response>
