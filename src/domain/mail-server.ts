import type { Json } from './metadata.ts'

/** Encryption of the connection: from its start, or after STARTTLS. */
export const mailSecurities = ['tls', 'starttls'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** The mail server that an operator entered in the dashboard. */
export interface MailServer {
  host: string
  port: number
  security: MailSecurity
  /** empty if the server needs no login */
  userName: string
  /** null if there is no user name, or if the password can no longer be decrypted */
  password: string | null
  /** address in the From of mails */
  sender: string
}

/** A mail server as it is stored, with an encrypted password. */
export interface StoredMailServer extends Omit<MailServer, 'password'> {
  id: 'mail'
  password: Json | null
  updatedAt: number
}

/**
 * Name of the row. The encryption of the password includes it, so that the password cannot be decrypted in
 * another row.
 */
export const MAIL_ROW = 'mail server'

/** Returns the value that FLORIN_SMTP_URL would have for a mail server. */
export function smtpUrlOf({ host, port, security, userName, password }: MailServer): string {
  const credentials = userName && `${encodeURIComponent(userName)}:${encodeURIComponent(password ?? '')}@`
  return `${security === 'tls' ? 'smtps' : 'smtp'}://${credentials}${host}:${port}`
}
