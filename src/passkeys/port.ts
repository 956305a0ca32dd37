/** Where passkeys count. Browsers bind them to the host name of the page that makes them. */
export interface PasskeyPlace {
  /** the origin of the dashboard, such as `https://shop.example` */
  origin: string
  /** the host name alone: the relying party of WebAuthn */
  host: string
}

/** What a browser answered, as far as it can be read without a check. */
export interface PasskeyAnswer {
  /** the credential ID in base64url */
  id: string
  /** the challenge that was signed, in base64url */
  challenge: string
  /** what the device stored as the ID of the person, in base64url; null if it did not say */
  userHandle: string | null
  /** the whole answer */
  json: Readonly<Record<string, unknown>>
}

/** What is stored of a new passkey. */
export interface NewPasskey {
  id: string
  publicKey: string
  signCount: number
  transports: string[]
}

/**
 * Checks what browsers answer. A check fails, with null, unless the answer is for this place and challenge,
 * and the device has verified the person, by a PIN or a fingerprint.
 */
export interface PasskeyChecks {
  /** where passkeys count; null where browsers make none */
  place: PasskeyPlace | null
  /** the kinds of keys that can be checked, the best first, as COSE numbers them */
  algorithms: readonly number[]
  /** Reads the JSON of an answer. Returns null if it cannot be one. */
  read(text: string): PasskeyAnswer | null
  /** Checks that a passkey was made. Which device made it does not matter, so its maker is not asked. */
  checkNew(place: PasskeyPlace, answer: PasskeyAnswer): Promise<NewPasskey | null>
  /** Checks a signature. Returns how often the device says that it was used. */
  checkUse(place: PasskeyPlace, answer: PasskeyAnswer, publicKey: string): Promise<number | null>
}
