import type { Read } from './parsers.ts'

interface ReplicaTarget {
  bucket: string
  prefix: string
  endpoint: string
  region: string
}

const RULE = 's3://BUCKET/PREFIX?region=REGION or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION'
const problem = (rule: string): Error => new Error(rule)

function endpointOf(text: string | null, region: string): string {
  if (text === null) return `https://s3.${region}.amazonaws.com`
  const url = URL.canParse(text) ? new URL(text) : null
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.search || url.hash) {
    throw problem('has an endpoint that is not http(s)://HOST')
  }
  return text.replace(/\/+$/, '')
}

/** Destination of database copies. Never contains keys. */
export const replicaUrl: Read<ReplicaTarget | null> = value => {
  if (value === '') return null
  const url = /^s3:\/\//.test(value) && URL.canParse(value) ? new URL(value) : null
  if (!url || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(url.host) || url.hash)
    throw problem(`must be ${RULE}`)
  if (url.username || url.password) {
    throw problem('must not contain keys: use FLORIN_REPLICA_ACCESS_KEY and FLORIN_REPLICA_SECRET_FILE')
  }
  const other = [...url.searchParams.keys()].find(name => name !== 'endpoint' && name !== 'region')
  if (other !== undefined) throw problem(`must be ${RULE}, without "${other}"`)
  const prefix = url.pathname.replace(/^\/+|\/+$/g, '')
  if (!/^[A-Za-z0-9!_.*'()/-]*$/.test(prefix)) {
    throw problem("has a prefix with characters other than letters, digits and !_.*'()-/")
  }
  const region = url.searchParams.get('region') ?? 'us-east-1'
  if (!/^[a-z0-9-]{1,40}$/i.test(region))
    throw problem('has a region that is not a name such as eu-central-1')
  return { bucket: url.host, prefix, endpoint: endpointOf(url.searchParams.get('endpoint'), region), region }
}
