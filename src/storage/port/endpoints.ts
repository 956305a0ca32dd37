import type { ChosenEndpoint } from '../../domain/endpoint.ts'

/** The endpoints that an operator chose in the dashboard. */
export interface ChosenEndpoints {
  /** All of them, by chain, in their order. */
  list(): Promise<ChosenEndpoint[]>
  /** Inserts an endpoint, or replaces the one with its ID. */
  put(endpoint: ChosenEndpoint): Promise<void>
  /** Returns false if there is none. */
  remove(id: string): Promise<boolean>
}

/** The exchange rate sources that an operator chose in the dashboard. */
export interface ChosenRateSources {
  /** Their names, oldest first. */
  list(): Promise<string[]>
  /** Returns false if it was chosen before. */
  add(name: string, at: number): Promise<boolean>
  /** Returns false if there is none. */
  remove(name: string): Promise<boolean>
}
