import { expect, test } from 'bun:test'
import { describeOperation } from '../../../src/http/openapi/describe.ts'
import { respond } from '../../../src/http/respond.ts'
import {
  type FieldsOf,
  Nullable,
  Optional,
  StrictObject,
  UnicodeString,
} from '../../../src/http/schema/types.ts'

// The compiler is under test: a line below that should not compile, but does, is an error of tsc.

interface NewThing {
  name: string
  colour?: string | undefined
}

const Thing = StrictObject({
  name: UnicodeString(),
  colour: Optional(UnicodeString()),
  maker: StrictObject({ city: Nullable(UnicodeString()) }),
})

const readThing = describeOperation('readThing', {
  tag: 'Health',
  summary: 'Read a thing',
  access: 'public',
  responses: { 200: ['The thing.', Thing] },
})

const maker = { city: null }

test('a request schema has the fields of its type, and no others', () => {
  const complete = { name: UnicodeString(), colour: Optional(UnicodeString()) } satisfies FieldsOf<NewThing>
  // @ts-expect-error the schema lacks "name"
  const short = { colour: Optional(UnicodeString()) } satisfies FieldsOf<NewThing>
  // @ts-expect-error the schema lacks "colour", which callers may leave out
  const lessOptional = { name: UnicodeString() } satisfies FieldsOf<NewThing>
  const long = {
    ...complete,
    // @ts-expect-error the type has no "size"
    size: UnicodeString(),
  } satisfies FieldsOf<NewThing>
  // @ts-expect-error "colour" may be left out
  const strict = { name: UnicodeString(), colour: UnicodeString() } satisfies FieldsOf<NewThing>
  expect([short, lessOptional, long, strict]).toHaveLength(4)
})

test('a response has the fields of its schema, and no others', () => {
  const thing = { name: 'chair', colour: undefined, maker }
  expect(respond(readThing, thing)).toEqual({ success: true, data: thing })
  const responses = [
    // @ts-expect-error the presenter leaves out "name"
    respond(readThing, { colour: undefined, maker }),
    // @ts-expect-error the presenter leaves out "colour", which is optional in the schema
    respond(readThing, { name: 'chair', maker }),
    // @ts-expect-error the schema has no "size"
    respond(readThing, { ...thing, size: 3 }),
    // @ts-expect-error the schema has no "street" of the maker
    respond(readThing, { ...thing, maker: { city: null, street: 'Main Street' } }),
    // @ts-expect-error "name" is a string
    respond(readThing, { ...thing, name: 3 }),
  ]
  expect(responses).toHaveLength(5)
})
