/** An open connection of the WebSocket protocol that carries texts. */
export interface TextSocket {
  send(text: string): void
  /**
   * Returns the next text. Rejects when the connection has ended, or the signal of its opening is aborted.
   */
  next(): Promise<string>
  close(): void
}

/** Connects to a URL that a merchant entered; only to public hosts, and those that the operator allows. */
export type WebSocketOpener = (url: string, signal: AbortSignal) => Promise<TextSocket>
