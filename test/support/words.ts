/** A list of words, written like a text because a line of code for each would say no more. */
export const words = (text: string): string[] => text.trim().split(/\s+/)
