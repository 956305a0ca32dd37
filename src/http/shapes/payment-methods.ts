import { Closed, Optional, QueryFlag } from './kit.ts'

export const ListMethods = Closed({
  forceFetch: Optional(
    QueryFlag({ description: 'Asks the providers again within the hour.', 'x-default': false }),
  ),
})
