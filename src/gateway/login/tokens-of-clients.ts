/** The tokens of each client, by their hashes. */
export interface TokensOfClients {
  /** Adds a token, or makes it the client's newest. */
  add(client: string, hash: string): void
  remove(client: string, hash: string): void
}

/**
 * Limits the tokens per client, so that a client that logs in for each call does not push out those of others.
 * @param most the most tokens of one client.
 * @param onTooMany called with the oldest of a client that has more.
 */
export function tokensOfClients(most: number, onTooMany: (hash: string) => void): TokensOfClients {
  const byClient = new Map<string, Set<string>>()
  const remove = (client: string, hash: string): void => {
    const hashes = byClient.get(client)
    if (hashes?.delete(hash) === true && hashes.size === 0) byClient.delete(client)
  }
  return {
    remove,
    add(client, hash) {
      const hashes = byClient.get(client) ?? new Set()
      byClient.set(client, hashes)
      hashes.delete(hash)
      hashes.add(hash)
      const [oldest] = hashes
      if (hashes.size > most && oldest !== undefined) onTooMany(oldest)
    },
  }
}
