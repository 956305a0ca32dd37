import { Optional, QueryBoolean, StrictObject } from '../schema/types.ts'

export const ListMethods = StrictObject({
  forceFetch: Optional(
    QueryBoolean({ description: 'Asks the providers again within the hour.', 'x-default': false }),
  ),
})
