/** The ID of the PayGate provider. Apart from its adapter, which only some servers load. */
export const GATEWAY = 'gateway'
