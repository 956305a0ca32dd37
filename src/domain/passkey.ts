/** A key pair on a person's device. The server stores only the public key. */
export interface Passkey {
  /** credential ID in base64url */
  id: string
  userId: string
  /** chosen by the person, who may have several passkeys */
  name: string
  /** COSE key in base64url */
  publicKey: string
  /** the device's counter of uses; 0 if it does not count */
  signCount: number
  /** the browser's hint on how to reach the device, such as `usb` */
  transports: string[]
  createdAt: number
  lastUsedAt: number | null
}

/** A challenge that a device signs to prove that it has a passkey. */
export interface PasskeyChallenge {
  /** SHA-256 hash of the challenge */
  id: string
  /** the expected owner of the passkey; null if not known yet */
  userId: string | null
  expiresAt: number
}

/** Lifetime of a challenge. */
export const CHALLENGE_MS = 5 * 60_000
/** Max challenges at once, since strangers can ask for them. The oldest is dropped first. */
export const CHALLENGES_MAX = 10_000
/** Max passkeys of a person. */
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 60
