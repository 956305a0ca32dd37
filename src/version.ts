import manifest from '../package.json' with { type: 'json' }

/** Defined by the build. */
declare const FLORIN_COMMIT: string | undefined

export const version: string = manifest.version

/**
 * The commit of an executable, with "+changes" if its source had uncommitted changes; null when run from a
 * checkout.
 */
export const commit: string | null = typeof FLORIN_COMMIT === 'string' ? FLORIN_COMMIT : null
