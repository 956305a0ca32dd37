/** A passkey of a person: a key pair on one of their devices, of which the server knows the public half. */
export interface Passkey {
  /** the credential ID in base64url, as the browser names it */
  id: string
  userId: string
  /** for the person, who may have several */
  name: string
  /** a COSE key in base64url */
  publicKey: string
  /** how often the device says that it was used; 0 for a device that does not count */
  signCount: number
  /** how browsers reach the device, such as `usb`: a hint that they gave */
  transports: string[]
  createdAt: number
  /** null until it is used */
  lastUsedAt: number | null
}

/** What a device has to sign to show that it has a passkey. */
export interface PasskeyChallenge {
  /** the SHA-256 hash of the challenge */
  id: string
  /** whose passkey is wanted; null if that is not known yet */
  userId: string | null
  expiresAt: number
}

/** How long a challenge can be answered. */
export const CHALLENGE_MS = 5 * 60_000
/** Max challenges at once: strangers can ask for them. The oldest is forgotten first. */
export const CHALLENGES_MAX = 10_000
/** Max passkeys of a person. */
export const PASSKEYS_MAX = 20
export const PASSKEY_NAME_MAX = 60
