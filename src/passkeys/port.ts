/** The origin and host that passkeys belong to: browsers bind them to the host name of the page. */
export interface PasskeyPlace {
  /** origin of the dashboard, such as `https://shop.example` */
  origin: string
  /** host name alone: the relying party ID of WebAuthn */
  host: string
}

/** A browser's answer, as far as it can be read without verification. */
export interface PasskeyAnswer {
  /** credential ID in base64url */
  id: string
  /** the signed challenge in base64url */
  challenge: string
  /** the person's ID as the device stored it, in base64url; null if missing */
  userHandle: string | null
  /** the whole answer */
  json: Readonly<Record<string, unknown>>
}

export interface NewPasskey {
  id: string
  publicKey: string
  signCount: number
  transports: string[]
}

/**
 * Verifies browsers' answers. A check returns null unless the answer is for this place and challenge, and the
 * device has verified the person by a PIN or a fingerprint.
 */
export interface PasskeyChecks {
  /** null if browsers make no passkeys at the dashboard's address */
  place: PasskeyPlace | null
  /** COSE numbers of the key types that can be checked, best first */
  algorithms: readonly number[]
  /** Parses the JSON of an answer. Returns null if it cannot be one. */
  read(text: string): PasskeyAnswer | null
  /** Verifies a new passkey. Any device is accepted, so the maker of the device is not checked. */
  checkNew(place: PasskeyPlace, answer: PasskeyAnswer): Promise<NewPasskey | null>
  /** Verifies a signature. Returns the device's counter of uses. */
  checkUse(place: PasskeyPlace, answer: PasskeyAnswer, publicKey: string): Promise<number | null>
}
