/** Thrown if an update is refused or fails. The message says why, and what is in place now. */
export class UpdateError extends Error {}
