/** What a person may do for one merchant. Each role may do what the roles before it may. */
export const roles = ['viewer', 'staff', 'owner'] as const

export type Role = (typeof roles)[number]

/** The languages of the dashboard, and of what is sent to the people of a shop. */
export const peopleLanguages = ['en', 'de'] as const
export type PeopleLanguage = (typeof peopleLanguages)[number]

/** Who may open a page or submit a form of the dashboard. */
export type DashboardAccess =
  /** everybody, such as the page to sign in */
  | 'public'
  /** everybody who is signed in, for what belongs to themselves */
  | 'person'
  | Role
  /** operators, who see all merchants */
  | 'operator'

/** A person who can sign in to the dashboard. */
export interface User {
  id: string
  email: string
  /** an operator acts as an owner of every merchant */
  isOperator: boolean
  /** null until the person has chosen one */
  passwordHash: string | null
  /** of the dashboard and of messages: as first shown to the person, or as chosen since; null until then */
  language: string | null
  /** since when the person may not sign in; null if they may */
  suspendedAt: number | null
  createdAt: number
  updatedAt: number
}

/** What a person may do for a merchant. */
export interface Membership {
  userId: string
  merchantId: string
  role: Role
  createdAt: number
}

/** A browser in which a person is signed in. */
export interface Login {
  /** the SHA-256 hash of the token in the browser's cookie */
  id: string
  userId: string
  /** the merchant whose data is shown; null if none was chosen */
  merchantId: string | null
  /** when the person last proved who they are */
  authenticatedAt: number
  userAgent: string
  address: string
  createdAt: number
  lastSeenAt: number
}

/** Where a link that is sent to a person leads. */
export type LinkPurpose =
  /** creates the first user of a server */
  | 'first'
  /** lets a user choose a password */
  | 'password'
  /** signs in; of the demo only */
  | 'enter'

/** A link that can be used once. */
export interface UserLink {
  /** the SHA-256 hash of the token in the link */
  id: string
  purpose: LinkPurpose
  /** null for the first user, who does not exist yet */
  userId: string | null
  expiresAt: number
  usedAt: number | null
}

/** What is asked for after the password: a code of an authenticator app, or a passkey. */
export interface SecondFactor {
  userId: string
  /** base32; the app has the same. null if only passkeys are the second factor */
  secret: string | null
  /** null until the user has shown that the app makes the right codes; until then it does not count */
  confirmedAt: number | null
  /** the time step of the last code that was used */
  lastStep: number
}

/** A user who entered their password and has yet to enter a code. */
export interface HalfLogin {
  /** the SHA-256 hash of the token in the browser's cookie */
  id: string
  userId: string
  expiresAt: number
}

const HOUR_MS = 3600_000
/** How long a browser is remembered after a login. */
export const KNOWN_MS = 30 * 24 * HOUR_MS
/** How long a code can be entered after the password. */
export const HALF_LOGIN_MS = 10 * 60_000

/** How long a link can be used. */
export const LINK_MS = HOUR_MS
/** A login ends when it was not used for this long. */
export const IDLE_MS = 12 * HOUR_MS
/** A login ends after this time in any case. */
export const LOGIN_MS = 30 * 24 * HOUR_MS
/** For changes that need a recent proof of who asks: how long a proof counts. */
export const PROOF_MS = 10 * 60_000

/** Whether a person with `role` may do what needs `access`. A role is null for a stranger to the merchant. */
export function isAllowed(access: DashboardAccess, role: Role | null, isOperator: boolean): boolean {
  if (access === 'public' || access === 'person') return true
  if (isOperator) return true
  if (access === 'operator' || role === null) return false
  return roles.indexOf(role) >= roles.indexOf(access)
}

export const isLive = ({ createdAt, lastSeenAt }: Login, now: number): boolean =>
  now < createdAt + LOGIN_MS && now < lastSeenAt + IDLE_MS

export const PASSWORD_MIN = 10
export const PASSWORD_MAX = 200
