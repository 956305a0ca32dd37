import { Closed, Optional, QueryFlag } from '../schema/types.ts'

export const ListMethods = Closed({
  forceFetch: Optional(
    QueryFlag({ description: 'Asks the providers again within the hour.', 'x-default': false }),
  ),
})
