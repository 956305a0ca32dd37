import type { Json } from './metadata.ts'

/** Encrypted from the start of the connection, or after STARTTLS. */
export const mailSecurities = ['tls', 'starttls'] as const
export type MailSecurity = (typeof mailSecurities)[number]

/** The mail server that an operator entered in the dashboard. */
export interface MailServer {
  host: string
  port: number
  security: MailSecurity
  /** empty if the server needs none */
  userName: string
  /** null without a user name, or if it can no longer be decrypted */
  password: string | null
  /** address in the From of mails */
  sender: string
}

/** The same with an encrypted password. */
export interface StoredMailServer extends Omit<MailServer, 'password'> {
  id: 'mail'
  password: Json | null
  updatedAt: number
}

/** Names the row in its encryption, so that the password opens in no other one. */
export const MAIL_ROW = 'mail server'

/** What FLORIN_SMTP_URL would be. */
export function smtpUrlOf({ host, port, security, userName, password }: MailServer): string {
  const credentials = userName && `${encodeURIComponent(userName)}:${encodeURIComponent(password ?? '')}@`
  return `${security === 'tls' ? 'smtps' : 'smtp'}://${credentials}${host}:${port}`
}
