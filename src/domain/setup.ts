/** Setup steps of a new shop, in their usual order. */
export const setupSteps = ['shop', 'payouts', 'webhook', 'product', 'payment'] as const

export type SetupStep = (typeof setupSteps)[number]
