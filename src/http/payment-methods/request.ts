import { DOCUMENTED, Optional, QueryBoolean, StrictObject } from '../schema/types.ts'

export const ListMethods = StrictObject({
  forceFetch: Optional(
    QueryBoolean({
      description: 'Refreshes the cached list of providers.',
      [DOCUMENTED]: { default: false },
    }),
  ),
})
