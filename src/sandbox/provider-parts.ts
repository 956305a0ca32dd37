import type { Html } from '../../views/html.ts'
import type { State } from './state.ts'

/** What the stand-in of a card provider is made of. */
export interface ProviderParts {
  state: State
  clock(): number
  random(bytes: number): Uint8Array
  /** while true, every route answers 503 */
  isDown(): boolean
  deliver(request: { url: string; body: string; headers: Record<string, string> }): Promise<number>
  pageOf(page: { title: string; body: Html }): string
  /** start of the URLs of payment pages */
  publicUrl: string
}
