/**
 * The public key of minisign with which releases are signed. Null until the maintainers have made one:
 * "Releases" in CONTRIBUTING.md says how. Until then, FLORIN_RELEASES_KEY_FILE has to name a key.
 */
export const releaseKey: string | null = null
