import type { Passkey, PasskeyChallenge } from '../../domain/passkey.ts'
import type { SetupStep } from '../../domain/setup.ts'
import type { HalfLogin, Login, Membership, SecondFactor, User, UserLink } from '../../domain/user.ts'

/** The people who can sign in to the dashboard. */
export interface Users {
  find(id: string): Promise<User | null>
  /** Ignores the case of the address. */
  findByEmail(email: string): Promise<User | null>
  /** All users, oldest first. */
  list(): Promise<User[]>
  insert(user: User): Promise<void>
  update(id: string, change: Partial<Omit<User, 'id'>>): Promise<void>
}

/** A member with what lists show of them. */
export interface Member extends Membership {
  email: string
  /** whether the user has chosen a password */
  hasPassword: boolean
}

/** Who may do what for which merchant. */
export interface Memberships {
  find(userId: string, merchantId: string): Promise<Membership | null>
  /** The merchants of a user, oldest membership first. */
  listOfUser(userId: string): Promise<Membership[]>
  /** The members of a merchant, oldest first. */
  listOfMerchant(merchantId: string): Promise<Member[]>
  /** Inserts a membership, or changes its role. */
  put(membership: Membership): Promise<void>
  /** Returns false if there is none. */
  remove(userId: string, merchantId: string): Promise<boolean>
}

/** The browsers in which people are signed in. */
export interface Logins {
  find(id: string): Promise<Login | null>
  /** The logins of a user, the newest first. */
  listOfUser(userId: string): Promise<Login[]>
  insert(login: Login): Promise<void>
  update(
    id: string,
    change: Partial<Pick<Login, 'merchantId' | 'authenticatedAt' | 'lastSeenAt'>>,
  ): Promise<void>
  /** Returns false if the user has no such login. */
  remove(userId: string, id: string): Promise<boolean>
  /** Removes the logins of a user, except one. */
  removeOthers(userId: string, keptId: string | null): Promise<void>
  /** Removes the logins that were created or last used before these times. */
  removeOld(createdBefore: number, seenBefore: number): Promise<void>
}

/** The links that set a password. */
export interface UserLinks {
  find(id: string): Promise<UserLink | null>
  insert(link: UserLink): Promise<void>
  /** Marks a link as used. Returns false if it was used before. */
  use(id: string, at: number): Promise<boolean>
  /** Removes the unused links of a user; null means those without a user. */
  removeUnused(userId: string | null): Promise<void>
}

/** The steps of setting up a shop that were left out. */
export interface Setup {
  listSkipped(merchantId: string): Promise<SetupStep[]>
  /** Does nothing if the step is already left out. */
  skip(merchantId: string, step: SetupStep, at: number): Promise<void>
  resume(merchantId: string, step: SetupStep): Promise<void>
}

/** The second factors of users, and the codes for one use instead of them. */
export interface SecondFactors {
  find(userId: string): Promise<SecondFactor | null>
  /** Inserts the second factor of a user, or replaces one that was never confirmed. */
  put(factor: SecondFactor): Promise<void>
  /** Uses the code of a time step. Returns false if this code or a later one was used before. */
  useStep(userId: string, step: number): Promise<boolean>
  confirm(userId: string, at: number): Promise<void>
  /** Removes the second factor with its recovery codes. Returns false if there is none. */
  remove(userId: string): Promise<boolean>
  /** Replaces the recovery codes of a user. */
  putRecoveryCodes(userId: string, hashes: readonly string[]): Promise<void>
  /** Uses a recovery code. Returns false if the user has no such code. */
  useRecoveryCode(userId: string, hash: string): Promise<boolean>
  countRecoveryCodes(userId: string): Promise<number>
}

/** The passkeys of users. */
export interface Passkeys {
  find(id: string): Promise<Passkey | null>
  /** The passkeys of a user, oldest first. */
  listOfUser(userId: string): Promise<Passkey[]>
  insert(passkey: Passkey): Promise<void>
  /**
   * Records a use. Returns false if the device has counted no further than at a use before, so that there
   * must be a copy of it. Devices that do not count always say 0.
   */
  use(id: string, signCount: number, at: number): Promise<boolean>
  /** Returns false if the user has no such passkey. */
  rename(userId: string, id: string, name: string): Promise<boolean>
  /** Returns false if the user has no such passkey. */
  remove(userId: string, id: string): Promise<boolean>
  removeOfUser(userId: string): Promise<void>
}

/** What devices have yet to sign. */
export interface PasskeyChallenges {
  /** Inserts a challenge. Removes those that have expired, and the oldest above a number. */
  insert(challenge: PasskeyChallenge, now: number, max: number): Promise<void>
  /** Removes a challenge. Returns null if there is none. */
  take(id: string): Promise<PasskeyChallenge | null>
}

/** The people who entered their password and have yet to enter a code. */
export interface HalfLogins {
  find(id: string): Promise<HalfLogin | null>
  insert(half: HalfLogin): Promise<void>
  /** Returns false if there is none. */
  remove(id: string): Promise<boolean>
  removeOfUser(userId: string): Promise<void>
  removeOld(expiredBefore: number): Promise<void>
}

/** The browsers in which people signed in before. */
export interface KnownBrowsers {
  /** Remembers a browser and forgets old ones. Returns whether it was known. */
  see(userId: string, hash: string, at: number, forgottenBefore: number): Promise<boolean>
}
