/** Roles of a person for one merchant. Each role may do what the roles before it may. */
export const roles = ['viewer', 'staff', 'owner'] as const

export type Role = (typeof roles)[number]

/** Languages of the dashboard and of messages to the people of a shop. */
export const peopleLanguages = ['en', 'de'] as const
export type PeopleLanguage = (typeof peopleLanguages)[number]

/** Access rule of a page or form of the dashboard. */
export type DashboardAccess =
  /** everybody, for example the sign-in page */
  | 'public'
  /** everybody who is signed in, for their own data */
  | 'person'
  | Role
  /** operators, who see all merchants */
  | 'operator'

export interface User {
  id: string
  email: string
  /** operators act as an owner of every merchant */
  isOperator: boolean
  /** null until a password is chosen */
  passwordHash: string | null
  /**
   * language of the dashboard and of messages: the one first shown to the person, or the one chosen since;
   * null before any was shown
   */
  language: string | null
  /** time since which the person may not sign in; null if they may */
  suspendedAt: number | null
  createdAt: number
  updatedAt: number
}

/** A person's role for a merchant. */
export interface Membership {
  userId: string
  merchantId: string
  role: Role
  createdAt: number
}

/** A browser in which a person is signed in. */
export interface Login {
  /** SHA-256 hash of the token in the browser's cookie */
  id: string
  userId: string
  /** the merchant on display; null if none was chosen */
  merchantId: string | null
  /** when the person last proved their identity */
  authenticatedAt: number
  userAgent: string
  address: string
  createdAt: number
  lastSeenAt: number
  /** secret with which the server stamps the forms of this login; null for a login of an older server */
  formKey: string | null
}

export type LinkPurpose =
  /** for a link that creates the first user of a server */
  | 'first'
  /** for a link with which its user chooses a password */
  | 'password'
  /** for a link that signs its user in; only in the demo */
  | 'enter'

/** A link that works once. */
export interface UserLink {
  /** SHA-256 hash of the token in the link */
  id: string
  purpose: LinkPurpose
  /** null for the first user, who does not exist yet */
  userId: string | null
  expiresAt: number
  usedAt: number | null
}

/** The second step of signing in: a code of an authenticator app, or a passkey. */
export interface SecondFactor {
  userId: string
  /** base32, shared with the app; null if only passkeys are used */
  secret: string | null
  /** when the user first entered a correct code; null until then, and codes are not asked for */
  confirmedAt: number | null
  /** time step of the last used code: no code works twice */
  lastStep: number
}

/** Policies for signing in: `required` means that a password alone does not suffice. */
export const secondFactorPolicies = ['optional', 'required'] as const
export type SecondFactorPolicy = (typeof secondFactorPolicies)[number]

/** A browser in which a user entered their password but has not passed the second step. */
export interface HalfLogin {
  /** SHA-256 hash of the token in the browser's cookie */
  id: string
  userId: string
  expiresAt: number
}

/** The number of times that a secret for signing in was entered wrongly. */
export interface SignInFailure {
  /** SHA-256 hash of the secret's kind, and of the account, browser or network for which tries are counted */
  id: string
  count: number
  lastAt: number
  /** when counting begins again */
  expiresAt: number
}

const HOUR_MS = 3600_000
/** A browser stays known for this long after a login. */
export const KNOWN_MS = 30 * 24 * HOUR_MS
/** Time to enter a code after the password. */
export const HALF_LOGIN_MS = 10 * 60_000

/** Lifetime of a link that a person hands over, such as an invitation, which may be read days later. */
export const LINK_MS = 72 * HOUR_MS
/** Lifetime of a link that a person asked for, to choose a new password. */
export const RESET_LINK_MS = HOUR_MS
/** A login ends when unused for this long. */
export const IDLE_MS = 12 * HOUR_MS
/** A login ends after this time in any case. */
export const LOGIN_MS = 30 * 24 * HOUR_MS
/**
 * Max age of a proof of identity, for changes that need a recent one. A form that is shown while the proof
 * counts can be sent for as long again.
 */
export const PROOF_MS = 10 * 60_000

/**
 * True if a person with `role` has `access`. The role is null for people who have no role at the merchant.
 */
export function isAllowed(access: DashboardAccess, role: Role | null, isOperator: boolean): boolean {
  if (access === 'public' || access === 'person') return true
  if (isOperator) return true
  if (access === 'operator' || role === null) return false
  return roles.indexOf(role) >= roles.indexOf(access)
}

export const isLive = ({ createdAt, lastSeenAt }: Login, now: number): boolean =>
  now < createdAt + LOGIN_MS && now < lastSeenAt + IDLE_MS

const loopback = /^(localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** True if nobody between browser and server can read a password or a cookie: HTTPS, or this machine. */
export function canSignInAt(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || loopback.test(hostname)
}

export const PASSWORD_MIN = 10
export const PASSWORD_MAX = 200
