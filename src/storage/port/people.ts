import type { Passkey, PasskeyChallenge } from '../../domain/passkey.ts'
import type { SetupStep } from '../../domain/setup.ts'
import type {
  HalfLogin,
  Login,
  Membership,
  SecondFactor,
  SignInFailure,
  User,
  UserLink,
} from '../../domain/user.ts'

/** Users of the dashboard. */
export interface Users {
  find(id: string): Promise<User | null>
  /** Finds a user by email address, ignoring case. */
  findByEmail(email: string): Promise<User | null>
  /** Lists all users, oldest first. */
  list(): Promise<User[]>
  insert(user: User): Promise<void>
  update(id: string, change: Partial<Omit<User, 'id'>>): Promise<void>
}

/** A membership, with the user's details that lists show. */
export interface Member extends Membership {
  email: string
  /** true if the user has chosen a password */
  hasPassword: boolean
}

/** Roles of users for merchants. */
export interface Memberships {
  find(userId: string, merchantId: string): Promise<Membership | null>
  /** Lists the memberships of a user, oldest first. */
  listOfUser(userId: string): Promise<Membership[]>
  /** Lists the members of a merchant, oldest membership first. */
  listOfMerchant(merchantId: string): Promise<Member[]>
  /** Inserts a membership, or changes its role. */
  put(membership: Membership): Promise<void>
  /** Returns false if there is no such membership. */
  remove(userId: string, merchantId: string): Promise<boolean>
}

/** Browsers in which users are signed in. */
export interface Logins {
  find(id: string): Promise<Login | null>
  /** Lists the logins of a user, newest first. */
  listOfUser(userId: string): Promise<Login[]>
  insert(login: Login): Promise<void>
  update(
    id: string,
    change: Partial<Pick<Login, 'merchantId' | 'authenticatedAt' | 'lastSeenAt'>>,
  ): Promise<void>
  /** Returns false if the user has no such login. */
  remove(userId: string, id: string): Promise<boolean>
  /** Removes the logins of a user, except the one with the ID `keptId`. */
  removeOthers(userId: string, keptId: string | null): Promise<void>
  /** Removes logins that were created before `createdBefore` or last used before `seenBefore`. */
  removeOld(createdBefore: number, seenBefore: number): Promise<void>
}

/** Links with which people set a password or sign in. */
export interface UserLinks {
  find(id: string): Promise<UserLink | null>
  insert(link: UserLink): Promise<void>
  /** Marks a link as used. Returns false if it was used before. */
  use(id: string, at: number): Promise<boolean>
  /**
   * Removes the unused links of a user, or those without a user if `userId` is null. If `expiredAt` is given,
   * keeps links that can still be used then.
   */
  removeUnused(userId: string | null, expiredAt?: number): Promise<void>
}

/** Setup steps that a shop skipped. */
export interface Setup {
  listSkipped(merchantId: string): Promise<SetupStep[]>
  /** Does nothing if the step is already skipped. */
  skip(merchantId: string, step: SetupStep, at: number): Promise<void>
  resume(merchantId: string, step: SetupStep): Promise<void>
}

/** Second factors of users, and their recovery codes. */
export interface SecondFactors {
  find(userId: string): Promise<SecondFactor | null>
  /** Inserts the second factor of a user, or replaces one that was never confirmed. */
  put(factor: SecondFactor): Promise<void>
  /** Marks the code of a time step as used. Returns false if it or a later one was used before. */
  useStep(userId: string, step: number): Promise<boolean>
  confirm(userId: string, at: number): Promise<void>
  /** Removes the second factor and its recovery codes. Returns false if there is none. */
  remove(userId: string): Promise<boolean>
  /** Replaces the recovery codes of a user. */
  putRecoveryCodes(userId: string, hashes: readonly string[]): Promise<void>
  /** Uses up a recovery code. Returns false if the user has no such code. */
  useRecoveryCode(userId: string, hash: string): Promise<boolean>
  countRecoveryCodes(userId: string): Promise<number>
}

export interface Passkeys {
  find(id: string): Promise<Passkey | null>
  /** Lists the passkeys of a user, oldest first. */
  listOfUser(userId: string): Promise<Passkey[]>
  insert(passkey: Passkey): Promise<void>
  /**
   * Records a use of a passkey. Returns false if the device's counter has not grown, which shows that there
   * is a copy of the device. Devices without a counter always report 0.
   */
  use(id: string, signCount: number, at: number): Promise<boolean>
  /** Returns false if the user has no such passkey. */
  rename(userId: string, id: string, name: string): Promise<boolean>
  /** Returns false if the user has no such passkey. */
  remove(userId: string, id: string): Promise<boolean>
  removeOfUser(userId: string): Promise<void>
}

/** Challenges that devices still have to sign. */
export interface PasskeyChallenges {
  /** Inserts a challenge. Removes expired challenges, and the oldest if there are more than `max`. */
  insert(challenge: PasskeyChallenge, now: number, max: number): Promise<void>
  /** Removes a challenge. Returns null if there is none. */
  take(id: string): Promise<PasskeyChallenge | null>
}

/** Logins of users who have entered their password, but not yet a code. */
export interface HalfLogins {
  find(id: string): Promise<HalfLogin | null>
  insert(half: HalfLogin): Promise<void>
  /** Returns false if there is no such half login. */
  remove(id: string): Promise<boolean>
  removeOfUser(userId: string): Promise<void>
  removeOld(expiredBefore: number): Promise<void>
}

/** Browsers in which users signed in before. */
export interface KnownBrowsers {
  /** Stores that a user was seen in a browser, and removes old browsers. Returns true if it was known. */
  see(userId: string, hash: string, at: number, forgottenBefore: number): Promise<boolean>
  /** True if the user was seen in a browser since the time `since`. */
  has(userId: string, hash: string, since: number): Promise<boolean>
}

/** Counts of wrong passwords and codes, which all servers share. */
export interface SignInFailures {
  find(id: string): Promise<SignInFailure | null>
  /**
   * Counts one failure more and returns the count. Removes expired counts first, and the oldest ones if there
   * are more than `max`.
   */
  add(id: string, now: number, expiresAt: number, max: number): Promise<number>
  /** Counts one failure less, because the password or code was right. */
  takeBack(id: string): Promise<void>
}
