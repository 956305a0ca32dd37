/** An update that is refused, or failed. The message says why, and what is in place now. */
export class UpdateError extends Error {}
