/** What a new shop needs before it can sell, in the order in which it is usually done. */
export const setupSteps = ['shop', 'payouts', 'webhook', 'product', 'payment'] as const

export type SetupStep = (typeof setupSteps)[number]
