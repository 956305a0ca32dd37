/** A certificate for HTTPS, with its private key. */
export interface Certificate {
  /** PEM of the private key */
  key: string
  /** PEM of the server's certificate, then of the intermediate certificates */
  chain: string
  names: string[]
  notBefore: number
  notAfter: number
}

/** The state of a server's certificate, for doctor, notifications and metrics. */
export interface CertificateState {
  /** names that the certificate should have */
  names: readonly string[]
  /** the current certificate; null until the first one was issued */
  certificate: Pick<Certificate, 'names' | 'notBefore' | 'notAfter'> | null
  /** the reason why the last try failed, in English; null if it succeeded */
  problem: string | null
  /** time of the next try after a failure; null if the last try succeeded */
  retryAt: number | null
}

/** `fetch` of the platform, which trusts the CA certificates of the settings. */
export type AcmeFetch = (url: string, init?: RequestInit) => Promise<Response>
