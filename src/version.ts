import manifest from '../package.json' with { type: 'json' }

/** The commit, as the build defines it. */
declare const FLORIN_COMMIT: string | undefined

export const version: string = manifest.version

/** The commit of an executable, with "+changes" if its source was changed since; null in a checkout. */
export const commit: string | null = typeof FLORIN_COMMIT === 'string' ? FLORIN_COMMIT : null
