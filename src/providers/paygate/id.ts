/**
 * The ID of the PayGate provider. It is in its own file, apart from the adapter, which only some servers
 * load.
 */
export const GATEWAY = 'gateway'
