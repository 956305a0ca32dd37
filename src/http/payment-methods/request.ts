import { Optional, QueryBoolean, StrictObject } from '../schema/types.ts'

export const ListMethods = StrictObject({
  forceFetch: Optional(
    QueryBoolean({
      description: 'Ignores the cached list and asks the providers again.',
      'x-default': false,
    }),
  ),
})
