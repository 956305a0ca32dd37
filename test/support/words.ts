/** A list of words, written as on a page: a line of code for each would say no more. */
export const words = (text: string): string[] => text.trim().split(/\s+/)
